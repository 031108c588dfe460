"""Does a metric say what people say? Statistics of judgements and scores of the same systems and segments."""
