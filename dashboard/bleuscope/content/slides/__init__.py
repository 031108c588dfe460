"""A comparison as slides."""
