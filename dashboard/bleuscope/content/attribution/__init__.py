"""Where a difference comes from."""
