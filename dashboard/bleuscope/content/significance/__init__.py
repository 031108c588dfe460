"""Whether differences are more than chance."""
