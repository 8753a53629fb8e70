"""The standard streams: make sure they exist and accept every character, and handle a reader that has gone."""

import codecs
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from evalforge.model.errors import EvalForgeError
from evalforge.model.text import ASCII_TWINS

_BY_TWINS = "evalforge-twins"
"""The name of our way to print what a stream can't encode."""


class OutputError(EvalForgeError):
    """Standard output can't be written."""


class ReaderGoneError(OutputError):
    """The reader of standard output has gone (``| head``): no error, but nothing more can be printed."""


def prepare_streams() -> None:
    """Open missing streams, and let both print what they can't encode by its twin in ASCII, or as a question mark."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # In this order each gets the number that was closed, or some other file would get what is printed.
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115 - for good
    codecs.register_error(_BY_TWINS, _twins)
    for stream in (sys.stdout, sys.stderr):
        # A test may have put something simpler in its place.
        if (reconfigure := getattr(stream, "reconfigure", None)) is not None:
            reconfigure(errors=_BY_TWINS)


def _twins(error: UnicodeError) -> tuple[str, int]:
    """What is printed in place of characters that an alphabet doesn't have."""
    assert isinstance(error, UnicodeEncodeError)
    twins = error.object[error.start : error.end].translate(ASCII_TWINS)
    return "".join(character if character.isascii() else "?" for character in twins), error.end


@contextmanager
def translate_write_errors() -> Generator[None]:
    """Turn errors of writing to standard output into ``OutputError``.

    Raises:
        OutputError: It can't be written.
    """
    try:
        yield
    except BrokenPipeError:
        raise ReaderGoneError("nothing reads standard output any more") from None
    except OSError as error:
        raise OutputError(f"standard output can't be written ({error.strerror})") from None


def flush() -> None:
    """Write out what standard output still holds.

    Raises:
        OutputError: It can't be.
    """
    with translate_write_errors():
        sys.stdout.flush()


def print_error(text: str) -> None:
    """Print a line on standard error; if that fails, there is nowhere to report it."""
    with suppress(OSError):
        print(text, file=sys.stderr)


def silence_streams() -> None:
    """Flush both streams; one that can't be written goes to /dev/null, or Python would change the exit status."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
