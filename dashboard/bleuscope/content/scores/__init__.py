"""The scores of systems."""
