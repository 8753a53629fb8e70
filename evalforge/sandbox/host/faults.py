"""Put a fault into the player's code as it lives in memory. Files are never touched.

A fault inside a function is put into the live function objects by exchanging their code; modules loaded later, and
programs that tests start, get the changed source from the loader under the same file name.
"""

from __future__ import annotations

import gc
import os
from importlib.machinery import SourceFileLoader
from types import CodeType, FunctionType

from statements import Statements

UNREADABLE = (SyntaxError, ValueError, OSError, RecursionError, MemoryError)
"""What reading and compiling a file of a stranger's may raise."""


class CantPatchError(Exception):
    """The change can't be made in live objects; the code has to be loaded anew."""


def with_edits(content, edits):
    """The content of a file with spans of bytes exchanged.

    Args:
        content: The content.
        edits: ``[start, end, text]`` each, in ascending order, not overlapping.
    """
    for start, end, text in reversed(edits):
        content = content[:start] + text.encode("utf-8") + content[end:]
    return content


class Sources:
    """What loaders get to read and compile: files as they are, or as a fault makes them. Nothing is compiled twice."""

    def __init__(self):
        self._changed = {}
        self._codes = {}
        self._statements = {}

    def install(self):
        """Have every loader of source files ask here, in this process and its forks."""
        sources = self

        def source_to_code(loader, data, where, **_):
            path = os.path.abspath(os.fsdecode(where))
            return sources.compiled(path, sources._changed.get(path, data))

        SourceFileLoader.source_to_code = source_to_code

    def survey(self, path):
        """Look at the file at ``path`` as it is, before any change to it."""
        content = read(path)
        self._statements[path] = Statements(content, self.compiled(path, content))

    def change(self, path, edits):
        """From here on every load of the file at ``path`` gets it with these edits (see ``with_edits``)."""
        statements = self._statements.get(path)
        self._changed[path] = with_edits(statements.content if statements else read(path), edits)

    def versions(self, path, edits):
        """The code of a file as it was and as ``change`` made it; of one statement if no more than that differs."""
        statements = self._statements.get(path)
        span = statements.around(edits[0][0], edits[-1][1]) if statements else None
        if span is None:
            return self.compiled(path, read(path)), self.code(path)
        return statements.compiled(span), statements.compiled(span, self._changed[path])

    def settle(self):
        """Compile what was changed, for all forks that may come to load it."""
        for path in self._changed:
            self.code(path)

    def code(self, path):
        """The code of a file, with its fault if it has one."""
        content = self._changed.get(path)
        return self.compiled(path, read(path) if content is None else content)

    def compiled(self, path, content):
        """The code of this content, as an import of the file would compile it."""
        key = path, bytes(content)
        if key not in self._codes:
            self._codes[key] = compile(content, path, "exec", dont_inherit=True)
        return self._codes[key]


def read(path):
    """A file's content."""
    with open(path, "rb") as file:
        return file.read()


def live_functions(root):
    """All function objects whose code comes from a file below ``root``, by file."""
    found = {}
    for thing in gc.get_objects():
        if type(thing) is FunctionType and thing.__code__.co_filename.startswith(root):
            found.setdefault(thing.__code__.co_filename, []).append(thing)
    return found


def patch(functions, original, changed):
    """Exchange the code of live functions for that of a changed module, also where both are equal.

    Args:
        functions: All functions of the file.
        original: The module's code as it was.
        changed: The changed module's code.

    Raises:
        CantPatchError: The two modules differ in shape, or no live function holds what was changed.
    """
    pairs = {}
    _pair(original, changed, pairs)
    pending = any(old != new for both in pairs.values() for old, new in both)
    for function in functions:
        both = pairs.get(_key(function.__code__), ())
        differ = any(old != new for old, new in both)
        if len(both) > 1 and differ:  # two lambdas on one line: which of them is this?
            raise CantPatchError
        if len(both) == 1:
            try:
                function.__code__ = both[0][1]
            except ValueError:  # it closes over other names than before
                raise CantPatchError from None
            pending = pending and not differ
    if pending:
        raise CantPatchError


def _key(code):
    return code.co_name, code.co_firstlineno, getattr(code, "co_qualname", "")


def _pair(old, new, pairs):
    """Pair the code inside two versions of a module by where it stands; those of one key are kept together."""
    inside_old = [constant for constant in old.co_consts if isinstance(constant, CodeType)]
    inside_new = [constant for constant in new.co_consts if isinstance(constant, CodeType)]
    if [_key(code) for code in inside_old] != [_key(code) for code in inside_new]:
        raise CantPatchError
    for before, after in zip(inside_old, inside_new):
        pairs.setdefault(_key(before), []).append((before, after))
        _pair(before, after, pairs)
