"""What surrounds every page."""
