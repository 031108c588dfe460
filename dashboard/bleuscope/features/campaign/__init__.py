"""Campaign: many test sets at once, and what holds over all of them."""
