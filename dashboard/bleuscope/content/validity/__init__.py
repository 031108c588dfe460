"""Does a metric say what people say? Results of the agreement as tables and words."""
