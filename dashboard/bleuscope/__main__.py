"""``python -m bleuscope`` is the command ``bleuscope``."""

from bleuscope.cli import main

if __name__ == "__main__":
    main()
