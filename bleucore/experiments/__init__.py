"""Runs of recipes: is a recipe better, or one run of it? What do factors do?"""
