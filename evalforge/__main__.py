"""Run the game: ``evalforge``, or ``python -m evalforge``."""

import os
import sys
from contextlib import suppress

from evalforge import __version__


def main() -> int:
    """Run the command that the arguments name.

    Returns:
        The exit status.
    """
    if sys.argv[1:] == ["--version"] and sys.stdout is not None:
        # Printed before the slow imports; if it can't be printed, the command line below says why.
        with suppress(OSError):
            os.write(sys.stdout.fileno(), f"evalforge {__version__}\n".encode())
            return 0
    try:
        # Imported here, because Ctrl+C may come while modules are still loading.
        from evalforge.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        if sys.stderr is not None:  # None if it was closed at startup
            print("evalforge: stopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
