"""Panels of the pages that look into a difference, and the report."""
