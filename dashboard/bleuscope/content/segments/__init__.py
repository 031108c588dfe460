"""Segments: found, read, compared blindly, noted."""
