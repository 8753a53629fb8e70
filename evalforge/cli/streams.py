"""The standard streams: opens missing ones, lets them print every character, and handles a reader that is gone."""

import codecs
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from evalforge.model.errors import EvalForgeError
from evalforge.model.text import ASCII_TWINS

_BY_TWINS = "evalforge-twins"
"""The name of our error handler for characters that a stream can't encode."""


class OutputError(EvalForgeError):
    """Standard output can't be written."""


class ReaderGoneError(OutputError):
    """The reader of standard output is gone (``| head``): not an error, but nothing more can be printed."""


def prepare_streams() -> None:
    """Open missing streams, and let both print unencodable characters as an ASCII twin or a question mark."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # In this order each gets its own closed descriptor; otherwise some other file would receive the output.
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115 - stays open until exit
    codecs.register_error(_BY_TWINS, _twins)
    for stream in (sys.stdout, sys.stderr):
        # A test may have replaced it with something simpler.
        if (reconfigure := getattr(stream, "reconfigure", None)) is not None:
            reconfigure(errors=_BY_TWINS)


def _twins(error: UnicodeError) -> tuple[str, int]:
    """Return replacements for characters that an encoding lacks."""
    assert isinstance(error, UnicodeEncodeError)
    twins = error.object[error.start : error.end].translate(ASCII_TWINS)
    return "".join(character if character.isascii() else "?" for character in twins), error.end


@contextmanager
def translate_write_errors() -> Generator[None]:
    """Turn errors when writing to standard output into ``OutputError``.

    Raises:
        ReaderGoneError: The reader of standard output is gone.
        OutputError: Standard output can't be written.
    """
    try:
        yield
    except BrokenPipeError:
        raise ReaderGoneError("nothing reads standard output any more") from None
    except OSError as error:
        raise OutputError(f"standard output can't be written ({error.strerror})") from None


def flush() -> None:
    """Write out the buffer of standard output.

    Raises:
        OutputError: It can't be written.
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
