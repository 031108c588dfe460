"""N-grams that are won and lost, generated too often and missed."""
