"""How everything is written and drawn: numbers, terms, names of settings, HTML, one look for each system."""
