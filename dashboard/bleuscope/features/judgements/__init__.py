"""Human judgements: whether metrics agree with them, and which segments to have judged."""
