"""Where arguments come in, and words and status go out."""

import sys

from .arguments import RefusedError, read
from .words import spoken


def enter(arguments):
    """Strike as asked; the exit status."""
    try:
        name, blows = read(arguments)
    except RefusedError as refusal:
        sys.stderr.write(f"dummy.py: {refusal}\n")
        return 2
    sys.stdout.write(spoken(name, blows))
    return 0
