"""What people and metrics say about segments: read from the files of the field, aligned with a test set, averaged."""
