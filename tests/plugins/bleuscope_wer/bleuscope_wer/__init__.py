"""An example of a package that adds a metric and a check to bleuscope."""
