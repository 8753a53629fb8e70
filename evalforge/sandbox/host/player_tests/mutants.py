"""Mutants of the player's code in memory. Files are never changed.

A change inside a function replaces the code of the live function objects. Modules loaded later, and programs that tests
start, get the changed source from the loader under the same file name.
"""

from __future__ import annotations

import gc
import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from importlib.machinery import SourceFileLoader
from types import CodeType, FunctionType
from typing import Any, Optional

from protocol.player_test_messages import Edit, FileChange

from .program_files import ProgramFiles

UNREADABLE_CODE_ERRORS = (SyntaxError, ValueError, OSError, RecursionError, MemoryError)
"""The exceptions that reading and compiling a foreign file may raise."""

_CodeKey = tuple[str, int, str]
"""A code object's name, its first line, and its qualified name if this Python version has one."""
_CodePairs = dict[_CodeKey, list[tuple[CodeType, Optional[CodeType]]]]
"""Code before and after a change, by key; several pairs if the key is ambiguous. None if the code is gone."""
_LINE_TABLE = "co_linetable" if hasattr(CodeType, "co_linetable") else "co_lnotab"


class CannotPatchError(Exception):
    """The change can't be made in live objects, so the code has to be loaded again."""


def apply_edits(content: bytes, edits: list[Edit]) -> bytes:
    """Replace spans of bytes in a file's content; edits are in ascending order and don't overlap."""
    for edit in reversed(edits):
        content = content[: edit.start] + edit.text.encode("utf-8") + content[edit.end :]
    return content


class SourceOverlay:
    """The source that loaders read and compile: the original files, or those of a mutant. Nothing is compiled twice.

    Args:
        contents: Content that replaces files on disk, by full path.
        files: The program's files; a copy of one has the original's code.

    Attributes:
        before_load: Called with the full path of each file whose code is asked for.
    """

    def __init__(self, contents: Mapping[str, bytes], files: ProgramFiles) -> None:
        self._contents = contents
        self.original_of = files.original_of
        self._mutants: dict[str, bytes] = {}
        self._codes: dict[tuple[str, bytes], CodeType] = {}
        self.before_load: Callable[[str], object] = lambda path: None

    def install(self) -> None:
        """Make every loader of source files use this overlay, in this process and its forks."""
        contents, mutants, compile_content = self._contents, self._mutants, self.compile_content

        def source_to_code(_loader: SourceFileLoader, data: bytes, path: Any, **_options: Any) -> CodeType:
            full_path = self.original_of(os.path.abspath(os.fsdecode(path)))
            return compile_content(full_path, mutants.get(full_path, contents.get(full_path, data)))

        SourceFileLoader.source_to_code = source_to_code  # pyright: ignore[reportAttributeAccessIssue]

    def mutate(self, path: str, edits: list[Edit]) -> None:
        """Apply these edits to the file at ``path`` in every load from now on."""
        self._mutants[path] = apply_edits(self.read(path), edits)

    def compile_original(self, path: str) -> CodeType:
        """The code of a file without its changes."""
        return self.compile_content(path, self.read(path))

    def compile_mutants(self) -> None:
        """Compile all changed files for the forks that may load them."""
        for path in self._mutants:
            self.compile_file(path)

    def compile_file(self, path: str) -> CodeType:
        """The code of a file, with its changes if it is a mutant."""
        path = self.original_of(path)
        content = self._mutants.get(path)
        return self.compile_content(path, self.read(path) if content is None else content)

    def compile_content(self, path: str, content: bytes) -> CodeType:
        """The code of this content, as an import of the file would compile it."""
        self.before_load(path)
        key = path, bytes(content)
        if key not in self._codes:
            self._codes[key] = compile(content, path, "exec", dont_inherit=True)
        return self._codes[key]

    def read(self, path: str) -> bytes:
        """The original content of a file."""
        if path in self._contents:
            return self._contents[path]
        with open(path, "rb") as file:
            return file.read()


def live_functions(root: str) -> dict[str, list[FunctionType]]:
    """All function objects whose code comes from a file below ``root``, by file."""
    by_file: dict[str, list[FunctionType]] = {}
    for candidate in gc.get_objects():
        if type(candidate) is FunctionType and candidate.__code__.co_filename.startswith(root):
            by_file.setdefault(candidate.__code__.co_filename, []).append(candidate)
    return by_file


def patch_loaded_files(
    sources: SourceOverlay, functions: Mapping[str, list[FunctionType]], changes: Iterable[FileChange]
) -> None:
    """Put the mutants of ``sources`` into loaded modules. The first file must be loaded; copies of it needn't be.

    Raises:
        CannotPatchError: See ``patch_functions``.
    """
    for index, (path, _) in enumerate(changes):
        if path in functions or index == 0:
            patch_functions(functions.get(path, ()), sources.compile_original(path), sources.compile_file(path))


def patch_functions(functions: Iterable[FunctionType], original: CodeType, mutant: CodeType) -> None:
    """Replace the code of live functions by that of a changed module, even if it is the same.

    Raises:
        CannotPatchError: The modules or their classes define different functions, no live function has the changed
            code, or the changed module no longer creates a live function.
    """
    pairs: _CodePairs = {}
    _collect_pairs(original, mutant, pairs)
    changed = {key for key, candidates in pairs.items() if any(_differ(*pair) for pair in candidates)}
    is_pending = bool(changed)
    for function in functions:
        key = _key_of(function.__code__)
        candidates = pairs.get(key, [])
        if len(candidates) > 1 and key in changed:  # ambiguous, as with two lambdas on one line
            raise CannotPatchError
        if len(candidates) == 1:
            new = candidates[0][1]
            if new is None or new.co_freevars != function.__code__.co_freevars:
                raise CannotPatchError
            function.__code__ = new
            is_pending = is_pending and key not in changed
    if is_pending:
        raise CannotPatchError


def _key_of(code: CodeType) -> _CodeKey:
    return code.co_name, code.co_firstlineno, getattr(code, "co_qualname", "")


def _collect_pairs(original: CodeType, mutant: CodeType, pairs: _CodePairs) -> None:
    """Pair the code objects in two versions of a module by name and order; lines may have moved."""
    before, after = _inner_codes(original), _inner_codes(mutant)
    if [code.co_name for code in before] == [code.co_name for code in after]:
        for old, new in zip(before, after):
            pairs.setdefault(_key_of(old), []).append((old, new))
            _collect_pairs(old, new, pairs)
    elif original.co_flags & inspect.CO_OPTIMIZED:  # a function, each call of which creates its inner functions
        _forbid_patching(before, pairs)
    else:
        raise CannotPatchError


def _forbid_patching(codes: Iterable[CodeType], pairs: _CodePairs) -> None:
    for code in codes:
        pairs.setdefault(_key_of(code), []).append((code, None))
        _forbid_patching(_inner_codes(code), pairs)


def _inner_codes(code: CodeType) -> list[CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _differ(old: CodeType, new: CodeType | None) -> bool:
    """Whether two versions of a function behave differently, ignoring line numbers."""
    return new is not None and _without_lines(old) != _without_lines(new)


def _without_lines(code: CodeType) -> CodeType:
    constants = tuple(
        _without_lines(co_const) if isinstance(co_const, CodeType) else co_const for co_const in code.co_consts
    )
    replaced: dict[str, Any] = {"co_consts": constants, "co_firstlineno": 1, _LINE_TABLE: b""}
    return code.replace(**replaced)
