"""The standard streams: opens missing ones, lets them print every character, and handles a reader that is gone."""

import codecs
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import TextIO

from evalforge.model.errors import EvalForgeError
from evalforge.model.text import ASCII_TWINS, is_ascii_only

_BY_TWINS = "evalforge-twins"
"""The name of our error handler for characters that a stream can't encode."""


class OutputError(EvalForgeError):
    """Standard output can't be written."""


class ReaderGoneError(OutputError):
    """The reader of standard output is gone (``| head``): not an error, but nothing more can be printed."""


def prepare_streams() -> None:
    """Open missing streams, and let both print unencodable characters as an ASCII twin or a question mark."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            # In this order each gets its own closed descriptor; otherwise some other file would receive the output.
            setattr(sys, name, _substitute(name))
    codecs.register_error(_BY_TWINS, _twins)
    for stream in (sys.stdout, sys.stderr):
        # A test may have replaced it with something simpler.
        if (reconfigure := getattr(stream, "reconfigure", None)) is not None:
            reconfigure(encoding=_encoding(stream.encoding), errors=_BY_TWINS)


def _substitute(name: str) -> TextIO:
    """Open something in place of a closed stream. Writing to standard output fails, as it does without a substitute."""
    # An error that standard error can't be told about has no other place, so that one takes everything.
    access = os.O_WRONLY if name == "stderr" else os.O_RDONLY
    return os.fdopen(os.open(os.devnull, access), "r" if name == "stdin" else "w")


def _encoding(encoding: str) -> str:
    """Return ASCII if the locale knows no more: for ``LC_ALL=C`` Python itself would print UTF-8."""
    is_chosen = "PYTHONIOENCODING" in os.environ
    return "ascii" if not is_chosen and is_utf(encoding) and is_ascii_only(os.environ) else encoding


def is_utf(encoding: str) -> bool:
    """Whether an encoding has every character."""
    return codecs.lookup(encoding).name.startswith("utf")


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
