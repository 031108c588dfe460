"""The test set in slices."""
