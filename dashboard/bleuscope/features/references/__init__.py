"""What the choice of references does: words, figures and sheets."""
