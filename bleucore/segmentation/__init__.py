"""Outputs that are cut otherwise than the references: cut again where they fit best."""
