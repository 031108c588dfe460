"""Features: each folder here is one, declared in its ``feature.py``. The program starts without any of them."""
