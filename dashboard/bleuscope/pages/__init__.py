"""One thin script per screen."""
