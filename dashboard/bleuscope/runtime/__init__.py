"""What runs beneath every page and command: values that are kept, and work in the background."""
