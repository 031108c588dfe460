"""Kinds of errors: what BLEU was lost to, and what makes the difference of two systems, by kind."""
