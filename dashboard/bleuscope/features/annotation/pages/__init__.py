"""The script of its page."""
