"""The page of segments."""
