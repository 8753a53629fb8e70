"""Training Dummy: the door to the package `striking`."""

from striking.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
