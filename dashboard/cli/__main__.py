"""``python -m dashboard.cli`` is the command ``bleuscope``."""

from dashboard.cli import main

if __name__ == "__main__":
    main()
