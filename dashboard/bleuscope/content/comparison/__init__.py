"""One comparison: where texts come from, what was asked, two systems and their differences."""
