"""Text to syntax tree, without running anything and without trusting the text."""

import ast
import re
import warnings
from pathlib import PurePosixPath

from evalforge.model.text import clean_line

MAX_CHARS = 750_000
"""Python source read per submission. At this size reading takes two to four seconds."""
MAX_BRACES = 20_000
"""Opening braces read per submission: Python 3.11 parses a long f-string in quadratic time."""

_NEWLINE = re.compile(r"\r\n?|\n")
_TEST_FOLDERS = frozenset({"test", "tests"})
_TEST_NAMES = frozenset({"conftest.py", "test.py", "tests.py"})
_TOO_DEEP = "too deeply nested to read"


class UnreadableError(Exception):
    """Source text that holds no readable Python; ``line`` counts from 1 and may be unknown."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def is_test_file(path: str) -> bool:
    """Whether a Python file belongs to the player's tests, by its name or the folder it lies in.

    Test modules (``test_*.py``, ``*_test.py``), ``conftest.py``, and every Python file below ``tests/`` or
    ``test/``. Files of other types are data, never tests.
    """
    parts = PurePosixPath(path.lower()).parts
    if not parts or not parts[-1].endswith(".py"):
        return False
    name = parts[-1]
    has_test_name = name in _TEST_NAMES or name.startswith("test_") or name.endswith("_test.py")
    return has_test_name or not _TEST_FOLDERS.isdisjoint(parts[:-1])


def split_lines(text: str) -> list[str]:
    """The lines as Python counts them: form feeds and Unicode separators don't end one."""
    return _NEWLINE.split(text.removeprefix("\ufeff"))


def parse(text: str) -> ast.Module:
    """The syntax tree of one file.

    Raises:
        UnreadableError: It isn't Python as this interpreter knows it, or no sane reader would go on.
    """
    text = text.removeprefix("\ufeff")
    if "\0" in text:
        line = len(_NEWLINE.findall(text[: text.index("\0")])) + 1
        raise UnreadableError("holds a null byte", line)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        message = clean_line(error.msg or "invalid syntax", cap=120)
        raise UnreadableError(message, error.lineno or None) from error
    except UnicodeEncodeError as error:
        line = len(_NEWLINE.findall(text[: error.start])) + 1
        raise UnreadableError("holds characters that are not valid text", line) from error
    except (RecursionError, MemoryError, ValueError, OverflowError, SystemError) as error:
        raise UnreadableError(_TOO_DEEP) from error


def too_deep_error() -> UnreadableError:
    """The refusal of a tree that parses, but is nested beyond what anyone writes."""
    return UnreadableError(_TOO_DEEP)
