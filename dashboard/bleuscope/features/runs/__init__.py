"""What settings do to the order of systems: words, figures and sheets."""
