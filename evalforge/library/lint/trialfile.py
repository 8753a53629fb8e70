"""Trial files read, never run: which trials there are, their groups and titles, and where each could fail."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from evalforge.library.looking import no_folder

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Trial:
    """One trial function.

    Attributes:
        name: As pytest names it, with its class if it has one.
        line: Where it is defined.
        title: The first line of its docstring; empty if it has none.
        group: Empty if it has none.
        bare: Lines of assertions without words, in the trial and in the helpers of its file that it calls.
        checks: Whether anything in it, or in what it calls, can fail.
        unnamed_cases: The line of a parametrisation whose cases have no names; None if all have.
    """

    name: str
    line: int
    title: str
    group: str
    bare: tuple[int, ...]
    checks: bool
    unnamed_cases: int | None


@dataclass(frozen=True)
class TrialFile:
    """One file of trials. ``error`` and ``error_line`` say why it can't be read; ``shadowed`` are names used twice."""

    path: Path
    trials: tuple[Trial, ...] = ()
    shadowed: tuple[tuple[str, int], ...] = ()
    error: str = ""
    error_line: int | None = None


def read_trials(folder: Path) -> tuple[TrialFile, ...]:
    """Every file in which pytest looks for trials."""
    if no_folder(folder):
        return ()
    files = {path for pattern in ("test_*.py", "*_test.py") for path in folder.rglob(pattern)}
    return tuple(_read(path) for path in sorted(files))


def syntax_error(path: Path) -> tuple[str, int | None]:
    """Why a Python file can't be parsed, and the line; an empty reason if it can."""
    try:
        ast.parse(path.read_bytes(), path.name)
    except SyntaxError as error:
        return f"Python can't parse this ({error.msg})", error.lineno
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        return f"Python can't parse this ({type(error).__name__})", None
    return "", None


def _read(path: Path) -> TrialFile:
    why, line = syntax_error(path)
    if why:
        return TrialFile(path, error=why, error_line=line)
    tree = ast.parse(path.read_bytes(), path.name)
    module = _Module(tree)
    found = list(module.trials())
    first: set[str] = set()
    shadowed: list[tuple[str, int]] = []
    for trial in found:
        if trial.name in first:
            shadowed.append((trial.name, trial.line))
        first.add(trial.name)
    return TrialFile(path, tuple(found), tuple(shadowed))


@dataclass
class _Speech:
    """What a function and its helpers have to say when something is wrong."""

    bare: list[int] = field(default_factory=list[int])
    checks: bool = False


class _Module:
    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._helpers = {node.name: node for node in tree.body if isinstance(node, _Function)}
        self._names = {
            target.id: node.value
            for node in tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        self._group = self._group_in(self._names.get("pytestmark"))

    def trials(self) -> Iterator[Trial]:
        """Every trial, those in classes among them."""
        for node in self._tree.body:
            if isinstance(node, _Function) and node.name.startswith("test"):
                yield self._trial(node, node.name, self._group)
            elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
                group = self._group_of(node.decorator_list) or self._group
                for inner in node.body:
                    if isinstance(inner, _Function) and inner.name.startswith("test"):
                        yield self._trial(inner, f"{node.name}::{inner.name}", group)

    def _trial(self, node: _Function, name: str, inherited: str) -> Trial:
        speech = _Speech()
        self._listen(node, speech, set())
        document = (ast.get_docstring(node) or "").strip()
        return Trial(
            name=name,
            line=node.lineno,
            title=document.splitlines()[0].strip() if document else "",
            group=self._group_of(node.decorator_list) or inherited,
            bare=tuple(sorted(speech.bare)),
            checks=speech.checks,
            unnamed_cases=next((each.lineno for each in node.decorator_list if self._tells_values(each)), None),
        )

    def _group_of(self, decorators: list[ast.expr]) -> str:
        return next((group for group in map(self._group_in, decorators) if group), "")

    def _group_in(self, node: ast.expr | None) -> str:
        """The group a marker names: as it stands, in a list, or under a name of the module."""
        if isinstance(node, ast.Name) and node.id in self._names and node.id != "pytestmark":
            node = self._names[node.id]
        if isinstance(node, ast.List | ast.Tuple):
            return self._group_of(node.elts)
        if isinstance(node, ast.Call) and node.args and ast.unparse(node.func).endswith("mark.group"):
            argument = node.args[0]
            return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else ""
        return ""

    def _tells_values(self, decorator: ast.expr) -> bool:
        """Whether cases are named after their values, which a title would tell the player."""
        if not isinstance(decorator, ast.Call) or not ast.unparse(decorator.func).endswith("mark.parametrize"):
            return False
        if any(keyword.arg == "ids" for keyword in decorator.keywords):
            return False
        values = decorator.args[1] if len(decorator.args) > 1 else None
        if isinstance(values, ast.Name) and isinstance(self._names.get(values.id), ast.Dict):
            return False  # the keys of a table are names, and were made to be read
        if not isinstance(values, ast.List | ast.Tuple):
            return True
        return not all(isinstance(case, ast.Call) and any(k.arg == "id" for k in case.keywords) for case in values.elts)

    def _listen(self, function: _Function, speech: _Speech, heard: set[str]) -> None:
        heard.add(function.name)
        own = {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}
        for node in ast.walk(function):
            if isinstance(node, ast.Assert):
                speech.checks = True
                if node.msg is None:
                    speech.bare.append(node.lineno)
            elif isinstance(node, ast.Raise):
                speech.checks = True
            elif isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                if called in self._helpers and called not in own:
                    if called not in heard:
                        self._listen(self._helpers[called], speech, heard)
                elif called in ("pytest.raises", "pytest.fail") or _is_foreign(node, own, self._tree):
                    speech.checks = True


def _is_foreign(node: ast.Call, own: set[str], tree: ast.Module) -> bool:
    """Whether a call goes to a helper imported from another file of the author's, which may well check."""
    if not isinstance(node.func, ast.Name) or node.func.id in own:
        return False
    return any(
        isinstance(statement, ast.ImportFrom)
        and (statement.module or "").partition(".")[0] not in sys.stdlib_module_names
        and any((name.asname or name.name) == node.func.id for name in statement.names)
        for statement in tree.body
    )
