"""Run the game with ``python -m evalforge``."""

from evalforge.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
