"""One short script for each page."""
