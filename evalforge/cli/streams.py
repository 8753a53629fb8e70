"""The standard streams: each is there, takes every letter, and is left in peace once it takes nothing more."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from evalforge.model.errors import EvalForgeError


class OutputError(EvalForgeError):
    """Standard output can't be written."""


class UnreadError(OutputError):
    """Whoever read standard output has left (``| head``): nothing is wrong, and nothing more can be told."""


def prepare() -> None:
    """See that every stream is there, and that standard output takes every letter, if only as a question mark."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # In this order each gets the number that was closed, or some other file would get what is printed.
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115 - for good
    # A test may have put something simpler in its place.
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")


@contextmanager
def writing() -> Generator[None]:
    """Around what writes to standard output.

    Raises:
        OutputError: It couldn't.
    """
    try:
        yield
    except BrokenPipeError:
        raise UnreadError("standard output is read no more") from None
    except OSError as error:
        raise OutputError(f"standard output can't be written ({error.strerror})") from None


def flush() -> None:
    """Have all that was printed written.

    Raises:
        OutputError: It can't be.
    """
    with writing():
        sys.stdout.flush()


def tell(words: str) -> None:
    """A line on standard error. Nobody can be told that it can't be written."""
    with suppress(OSError):
        print(words, file=sys.stderr)


def leave() -> None:
    """Let the end of the process find nothing that it can't write: it would complain, and change the exit status."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
