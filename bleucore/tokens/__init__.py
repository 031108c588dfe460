"""Texts to tokens, and tokens to matches."""
