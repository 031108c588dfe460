"""One short script for each door."""
