"""What to write into a paper."""
