"""The panels of the page Campaign."""
