"""Trial files, parsed but never run: the trials, their groups and titles, and whether each can fail."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from evalforge.packs.issue import Issue
from evalforge.packs.path_checks import folder_fault

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class TrialSource:
    """A trial function as written in a file.

    Attributes:
        path: Its file.
        name: Its name in pytest, such as ``TestParser::test_empty``.
        line: Where it is defined.
        title: The first line of its docstring; empty if it has none.
        group: Its group of trials; empty if it has none.
        clauses: Headings of the sections of the contract that it checks, by its ``clause`` marker.
        asserts_without_message: The lines of bare asserts, in the trial and in the helpers of its file that it calls.
        can_fail: Whether anything in it, or in what it calls, can fail.
        unnamed_cases: The line of a parametrisation without names for its cases; None if all cases have names.
        marks: The names of its markers, such as ``hidden``, including those of its class and file.
        arguments: The names of its parameters: fixtures, and the values of its cases.
        grants: The groups whose faults it can excuse.
        needs: The trials of its file that must pass for it to count.
    """

    path: Path
    name: str
    line: int
    title: str
    group: str
    clauses: tuple[str, ...]
    asserts_without_message: tuple[int, ...]
    can_fail: bool
    unnamed_cases: int | None
    marks: frozenset[str]
    arguments: frozenset[str]
    grants: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    def issue(self, message: str) -> Issue:
        """A problem with this trial."""
        return Issue(self.path, self.line, message)


@dataclass(frozen=True)
class TrialFile:
    """A file of trials. ``error`` and ``error_line`` say why it can't be parsed; ``duplicates`` are repeated names."""

    path: Path
    trials: tuple[TrialSource, ...] = ()
    duplicates: tuple[tuple[str, int], ...] = ()
    error: str = ""
    error_line: int | None = None


def read_trials(folder: Path) -> tuple[TrialFile, ...]:
    """Read every file in which pytest looks for trials."""
    if folder_fault(folder):
        return ()
    files = {path for pattern in ("test_*.py", "*_test.py") for path in folder.rglob(pattern)}
    return tuple(_read(path) for path in sorted(files))


def titles_by_group(folder: Path) -> dict[str, list[str]]:
    """The titles of a boss's trials by group, in file order."""
    groups: dict[str, list[str]] = {}
    for trial in (trial for file in read_trials(folder) for trial in file.trials):
        groups.setdefault(trial.group or "other", []).append(trial.title or trial.name.rpartition("::")[2])
    return groups


def syntax_error(path: Path) -> tuple[str, int | None]:
    """Why a Python file can't be parsed, and in which line; an empty reason if it can."""
    return parse_trial_file(path)[1:]


def parse_trial_file(path: Path) -> tuple[ast.Module, str, int | None]:
    """A file's syntax tree; if it can't be parsed, an empty tree with the reason and the line."""
    try:
        return ast.parse(path.read_bytes(), path.name), "", None
    except SyntaxError as error:
        return ast.Module([], []), f"Python can't parse this ({error.msg})", error.lineno
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        return ast.Module([], []), f"Python can't parse this ({type(error).__name__})", None


def _read(path: Path) -> TrialFile:
    tree, why, line = parse_trial_file(path)
    if why:
        return TrialFile(path, error=why, error_line=line)
    module = _Module(path, tree)
    trials = list(module.trials())
    names: set[str] = set()
    duplicates: list[tuple[str, int]] = []
    for trial in trials:
        if trial.name in names:
            duplicates.append((trial.name, trial.line))
        names.add(trial.name)
    return TrialFile(path, tuple(trials), tuple(duplicates))


@dataclass
class _Checks:
    """The assertions and other checks found in a function and its helpers."""

    asserts_without_message: list[int] = field(default_factory=list[int])
    can_fail: bool = False


@dataclass(frozen=True)
class _Inherited:
    """The markers of a file or class, which apply to each trial in it without markers of its own."""

    group: tuple[str, ...]
    clauses: tuple[str, ...]
    needs: tuple[str, ...]
    marks: frozenset[str]


class _Module:
    def __init__(self, path: Path, tree: ast.Module) -> None:
        self._path = path
        self._tree = tree
        self._helpers = {node.name: node for node in tree.body if isinstance(node, _Function)}
        self._names = {
            target.id: node.value
            for node in tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        marks = self._names.get("pytestmark")
        self._inherited = _Inherited(
            group=self._words_in(marks, "group"),
            clauses=self._words_in(marks, "clause"),
            needs=self._words_in(marks, "needs"),
            marks=frozenset(self._marks_in(marks)),
        )

    def trials(self) -> Iterator[TrialSource]:
        """Yield every trial, including those in classes."""
        for node in self._tree.body:
            if isinstance(node, _Function) and node.name.startswith("test"):
                yield self._trial(node, node.name, self._inherited)
            elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
                inherited = _Inherited(
                    group=self._words_of(node.decorator_list, "group") or self._inherited.group,
                    clauses=self._words_of(node.decorator_list, "clause") or self._inherited.clauses,
                    needs=self._words_of(node.decorator_list, "needs") or self._inherited.needs,
                    marks=self._inherited.marks.union(*map(self._marks_in, node.decorator_list)),
                )
                for inner in node.body:
                    if isinstance(inner, _Function) and inner.name.startswith("test"):
                        yield self._trial(inner, f"{node.name}::{inner.name}", inherited)

    def _trial(self, node: _Function, name: str, inherited: _Inherited) -> TrialSource:
        checks = _Checks()
        self._collect_checks(node, checks, set())
        document = (ast.get_docstring(node) or "").strip()
        return TrialSource(
            path=self._path,
            name=name,
            line=node.lineno,
            title=document.splitlines()[0].strip() if document else "",
            group=next(iter(self._words_of(node.decorator_list, "group") or inherited.group), ""),
            clauses=self._words_of(node.decorator_list, "clause") or inherited.clauses,
            asserts_without_message=tuple(sorted(checks.asserts_without_message)),
            can_fail=checks.can_fail,
            unnamed_cases=next(
                (decorator.lineno for decorator in node.decorator_list if self._shows_case_values(decorator)), None
            ),
            marks=inherited.marks.union(*map(self._marks_in, node.decorator_list)),
            arguments=frozenset(arguments_of(node)),
            needs=self._words_of(node.decorator_list, "needs") or inherited.needs,
            grants=tuple(group for decorator in node.decorator_list for group in _granted_groups(decorator)),
        )

    def _words_of(self, decorators: list[ast.expr], mark: str) -> tuple[str, ...]:
        return next((text for text in (self._words_in(decorator, mark) for decorator in decorators) if text), ())

    def _words_in(self, node: ast.expr | None, mark: str) -> tuple[str, ...]:
        """The arguments of a marker, which may be written directly, in a list, or as a name of the module."""
        if isinstance(node, ast.Name) and node.id in self._names and node.id != "pytestmark":
            node = self._names[node.id]
        if isinstance(node, ast.List | ast.Tuple):
            return self._words_of(node.elts, mark)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(f"mark.{mark}"):
            values = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
            return tuple(value for value in values if isinstance(value, str))
        return ()

    def _marks_in(self, node: ast.expr | None) -> Iterator[str]:
        """The names of markers, which may be written directly, in a list, or as a name of the module."""
        if isinstance(node, ast.Name):
            yield from self._marks_in(self._names.get(node.id))
        elif isinstance(node, ast.List | ast.Tuple):
            for element in node.elts:
                yield from self._marks_in(element)
        elif isinstance(node, ast.Call):
            yield from self._marks_in(node.func)
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value).rpartition(".")[2] == "mark":
            yield node.attr

    def _shows_case_values(self, decorator: ast.expr) -> bool:
        """Whether cases are named after their values, which would reveal them to the player in titles."""
        if not isinstance(decorator, ast.Call) or not ast.unparse(decorator.func).endswith("mark.parametrize"):
            return False
        if any(keyword.arg == "ids" for keyword in decorator.keywords):
            return False
        values = decorator.args[1] if len(decorator.args) > 1 else None
        if isinstance(values, ast.Name) and isinstance(self._names.get(values.id), ast.Dict):
            return False  # the keys of a table are names written for readers
        if not isinstance(values, ast.List | ast.Tuple):
            return True
        return not all(isinstance(case, ast.Call) and any(k.arg == "id" for k in case.keywords) for case in values.elts)

    def _collect_checks(self, function: _Function, checks: _Checks, visited: set[str]) -> None:
        visited.add(function.name)
        own = arguments_of(function)
        for node in ast.walk(function):
            if isinstance(node, ast.Assert):
                checks.can_fail = True
                if node.msg is None:
                    checks.asserts_without_message.append(node.lineno)
            elif isinstance(node, ast.Raise):
                checks.can_fail = True
            elif isinstance(node, ast.Call):
                function_name = ast.unparse(node.func)
                if function_name in self._helpers and function_name not in own:
                    if function_name not in visited:
                        self._collect_checks(self._helpers[function_name], checks, visited)
                elif function_name in ("pytest.raises", "pytest.fail") or _is_foreign(node, own, self._tree):
                    checks.can_fail = True


def arguments_of(function: _Function) -> set[str]:
    """The names of a function's parameters."""
    return {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}


def _granted_groups(decorator: ast.expr) -> Iterator[str]:
    if isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith("mark.grants"):
        yield from (arg.value for arg in decorator.args if isinstance(arg, ast.Constant) and type(arg.value) is str)


def _is_foreign(node: ast.Call, own: set[str], tree: ast.Module) -> bool:
    """Whether a call goes to a helper imported from another file of the author's, which may well check something."""
    if not isinstance(node.func, ast.Name) or node.func.id in own:
        return False
    return any(
        isinstance(statement, ast.ImportFrom)
        and (statement.module or "").partition(".")[0] not in sys.stdlib_module_names
        and any((name.asname or name.name) == node.func.id for name in statement.names)
        for statement in tree.body
    )
