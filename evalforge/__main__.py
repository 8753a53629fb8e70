"""Run the game: ``evalforge``, or ``python -m evalforge``."""

import sys


def main() -> int:
    """Run one command.

    Returns:
        The exit status.
    """
    try:
        # Imported here, because Ctrl+C may come before all is loaded.
        from evalforge.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        if sys.stderr is not None:  # as it is where it was closed
            print("evalforge: stopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
