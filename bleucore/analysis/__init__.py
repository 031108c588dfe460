"""What a difference is made of: n-grams, segments, slices, settings."""
