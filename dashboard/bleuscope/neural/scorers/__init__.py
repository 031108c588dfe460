"""The programs that score, each in the environment of its metric: nothing here imports them."""
