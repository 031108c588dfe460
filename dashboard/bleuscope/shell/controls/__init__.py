"""What several pages ask with, and the ways out of a table."""
