"""Parsing of untrusted text to a syntax tree, without running anything."""

import ast
import codecs
import io
import re
import sys
import tokenize
import warnings
from collections.abc import Iterable
from pathlib import PurePosixPath

from evalforge.evidence.forked_task import parsing
from evalforge.model.text import clean_line
from evalforge.sandbox.execution import FoundSuite

MAX_CHARS = 750_000
"""The most Python source read per submission, in characters. Reading that takes two to four seconds."""
MAX_BRACES = 20_000
"""The most opening braces read per submission: Python 3.11 parses a long f-string in quadratic time."""

_LONG_NUMBER = re.compile(r"0[xXoObB][\da-fA-F_]{3000}")
"""A number whose decimal digits may be more than ``sys.get_int_max_str_digits()``."""
_NEWLINE = re.compile(r"\r\n?|\n")
_ENCODINGS = frozenset({"utf-8", "utf-8-sig", "ascii", "iso8859-1", "iso8859-15", "cp1252"})
"""Encodings in which the characters that code consists of are the same."""
_NEWER_SYNTAX = (
    ((3, 12), re.compile(r"^\s*type\s+\w+\s*(?:\[.*\]\s*)?=")),
    ((3, 12), re.compile(r"^\s*(?:(?:async\s+)?def|class)\s+\w+\s*\[")),
    ((3, 13), re.compile(r"^\s*(?:type|(?:async\s+)?def|class)\s+\w+\s*\[[^\]]*=")),
    ((3, 14), re.compile(r"^\s*except\*?\s+[\w.]+\s*(?:,\s*[\w.]+\s*)+:")),
    ((3, 14), re.compile(r"(?<![\w\"'])(?:t|tr|rt)[\"']", re.IGNORECASE)),
)
"""Syntax by the Python that brought it (PEP 695, 696, 758 and 750). What an f-string may hold since 3.12 looks like a
mistake of before, so it isn't here."""
_TEST_FOLDERS = frozenset({"test", "tests"})
_TEST_NAMES = frozenset({"conftest.py", "test.py", "tests.py"})
TOO_DEEP = "too deeply nested to read"
"""The message about a tree that is nested more deeply than anyone writes."""


class _HexadecimalNumber(int):
    """A number that is written in hexadecimal, because Python refuses to write a very long one in decimal."""

    def __repr__(self) -> str:
        return hex(self)


class UnreadableError(Exception):
    """Source text that isn't readable Python; ``line`` counts from 1 and may be unknown."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def is_test_file(path: str) -> bool:
    """Whether a Python file belongs to the player's tests, by its name or folder.

    These are test modules (``test_*.py``, ``*_test.py``), ``conftest.py``, and every Python file below ``tests/`` or
    ``test/``. Files of other types are data, never tests.
    """
    parts = PurePosixPath(path.lower()).parts
    if not parts or not parts[-1].endswith(".py"):
        return False
    name = parts[-1]
    has_test_name = name in _TEST_NAMES or name.startswith("test_") or name.endswith("_test.py")
    return has_test_name or not _TEST_FOLDERS.isdisjoint(parts[:-1])


def test_files(paths: Iterable[str], suite: FoundSuite | None) -> tuple[str, ...]:
    """Those of some Python files that belong to the tests: because they hold some, or by their names."""
    holders = suite.files if suite else frozenset[str]()
    return tuple(path for path in paths if path in holders or is_test_file(path))


def split_lines(text: str) -> list[str]:
    """Split a text into lines as Python counts them: form feeds and Unicode separators don't end a line."""
    return _NEWLINE.split(text.removeprefix("\ufeff"))


def parse(text: str) -> ast.Module:
    """Parse one file into its syntax tree.

    Raises:
        UnreadableError: It isn't valid Python for this interpreter, or exceeds a limit.
    """
    text = text.removeprefix("\ufeff")
    _check_encoding(text)
    if "\0" in text:
        line = len(_NEWLINE.findall(text[: text.index("\0")])) + 1
        raise UnreadableError("holds a null byte", line)
    try:
        with warnings.catch_warnings(), parsing():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except SyntaxError as error:
        message = clean_line(error.msg or "invalid syntax", cap=120) + _needed_python(text, error.lineno)
        raise UnreadableError(message, error.lineno or None) from error
    except UnicodeEncodeError as error:
        line = len(_NEWLINE.findall(text[: error.start])) + 1
        raise UnreadableError("holds characters that are not valid text", line) from error
    except (RecursionError, MemoryError, ValueError, OverflowError, SystemError) as error:
        raise UnreadableError(TOO_DEEP) from error
    if _LONG_NUMBER.search(text):
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and type(node.value) is int:
                node.value = _HexadecimalNumber(node.value)
    return tree


def _needed_python(text: str, number: int | None) -> str:
    """The Python that a line needs, in words, if it is newer than ours and the line's syntax shows it."""
    lines = split_lines(text)
    line = lines[number - 1] if number and number <= len(lines) else ""
    needed = [version for version, syntax in _NEWER_SYNTAX if version > sys.version_info[:2] and syntax.search(line)]
    return f" (this syntax needs Python {max(needed)[0]}.{max(needed)[1]})" if needed else ""


def _check_encoding(text: str) -> None:
    """Refuse a file whose first lines name an encoding in which Python would read other code."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(text.encode("utf-8", "surrogatepass")).readline)
    except SyntaxError as error:
        raise UnreadableError(clean_line(str(error), cap=120), 1) from error
    if codecs.lookup(encoding).name not in _ENCODINGS:
        raise UnreadableError(f"differs for Python, which reads it as {clean_line(encoding, cap=40)}", 1)
