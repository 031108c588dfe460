"""What the checks found."""
