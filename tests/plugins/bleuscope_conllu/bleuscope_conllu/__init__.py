"""An example of a package that adds a format of files to bleuscope."""
