"""A copy of the program whose functions pass their answers through our module."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evalforge.evidence.mutation.source_bytes import SourceBytes
from evalforge.model.base import Frozen
from evalforge.model.submission import Submission, SubmissionFile
from evalforge.sandbox.host.answers import noting

HELPER = "evalforge_answers"
_HELPER_FOLDER = Path(noting.__file__).parent
_START = "from .noting import answer, answers_of, start\nstart()\n"
_MAKERS = frozenset({"partial", "methodcaller"})
_FORMATTERS = frozenset({"format", "format_map", "substitute", "safe_substitute"})
_TEXT_METHODS = frozenset({"__str__", "__repr__", "__format__", "__call__"})
_FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class MarkedFunction(Frozen):
    """A function whose answers are marked; its number is its place in the list.

    Attributes:
        path: Its file.
        line: Its first line, decorators included.
        marked_line: The same line in the copy.
        code_name: The name of its code, such as ``<lambda>``.
        title: Its qualified name.
        has_parameters: Whether it takes anything, ``self`` included.
    """

    path: str
    line: int
    marked_line: int
    code_name: str
    title: str
    has_parameters: bool


class MarkedProgram(Frozen):
    """The changed files of a program, by path, and its functions."""

    files: dict[str, str]
    functions: tuple[MarkedFunction, ...]

    def put_into(self, submission: Submission) -> Submission:
        """The submission with these files, and our module beside them."""
        files = [
            SubmissionFile(path=file.path, content=self.files.get(file.path, file.content)) for file in submission.files
        ]
        helpers = [
            SubmissionFile(path=f"{HELPER}/{path.name}", content=path.read_text("utf-8"))
            for path in sorted(_HELPER_FOLDER.glob("[a-z]*.py"))
        ]
        start = SubmissionFile(path=f"{HELPER}/__init__.py", content=_START)
        return Submission(files=(*files, *helpers, start))


def mark_answers(submission: Submission, paths: Sequence[str]) -> MarkedProgram:
    """Mark the answers of all functions in some files; files that can't be parsed stay as they are.

    The files are the player's, so call this in a ``ForkedTask``, in ``parsing``.
    """
    files: dict[str, str] = {}
    functions: list[MarkedFunction] = []
    for file in sorted(submission.files, key=lambda file: file.path):
        if file.path in paths:
            try:
                marking = _Marking(file, len(functions))
                files[file.path] = marking.text()
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            functions += marking.functions
    return MarkedProgram(files=files, functions=tuple(functions))


@dataclass
class _Around:
    """What surrounds a node: names, and the number of the function."""

    names: tuple[str, ...] = ()
    number: int | None = None


@dataclass
class _Marking:
    """The marks of one file."""

    file: SubmissionFile
    first_number: int
    functions: list[MarkedFunction] = field(default_factory=list[MarkedFunction])
    _inserted: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    _shift: int = 0

    def text(self) -> str:
        """The file with its marks."""
        tree = ast.parse(self.file.content)
        self._source = SourceBytes(self.file.content)
        self._insert_start(tree)
        waiting: list[tuple[ast.AST, _Around]] = [(tree, _Around())]
        while waiting:
            node, around = waiting.pop()
            if not isinstance(node, ast.JoinedStr):  # its positions are wrong before Python 3.12
                waiting += reversed(list(self._visit(node, around)))
        content = self._source.content
        for offset, text in sorted(self._inserted, key=lambda inserted: inserted[0], reverse=True):
            content = content[:offset] + text.encode() + content[offset:]
        return content.decode("utf-8", "surrogatepass")

    def _insert_start(self, tree: ast.Module) -> None:
        """Import our module before anything runs, but after what has to come first."""
        load = f'__import__("{HELPER}")'
        last_heading: ast.stmt | None = None
        for statement in tree.body:
            is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            is_future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
            if not (is_text or is_future):
                break
            last_heading = statement
        if last_heading is not None:
            self._inserted.append((self._source.span(last_heading)[1], f"; {load}"))
        elif tree.body:
            first = tree.body[0]
            decorators = getattr(first, "decorator_list", [])
            line = min(node.lineno for node in (first, *decorators))
            self._inserted.append((self._source.line_start(line), f"{load}\n"))
            self._shift = 1

    def _visit(self, node: ast.AST, around: _Around) -> Iterator[tuple[ast.AST, _Around]]:
        inside = around
        if isinstance(node, ast.ClassDef):
            inside = _Around((*around.names, node.name))
        elif isinstance(node, ast.keyword) and node.arg == "key" and isinstance(node.value, ast.Lambda):
            return  # how to sort is no answer
        elif isinstance(node, _FunctionNode):
            inside = self._enter(node, around)
        elif isinstance(node, ast.Return | ast.Yield) and node.value is not None and around.number is not None:
            self._mark(node.value, "answer", around.number)
        elif isinstance(node, ast.Assign) and _is_made_callable(node.value) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            self._mark(node.value, "answers_of", self._add(node, name, (*around.names, name), has_parameters=True))
        for child in ast.iter_child_nodes(node):
            yield child, (around if _is_outside(node, child) else inside)

    def _enter(self, node: _FunctionNode, around: _Around) -> _Around:
        parameters = node.args
        has_parameters = bool(
            parameters.posonlyargs or parameters.args or parameters.kwonlyargs or parameters.vararg or parameters.kwarg
        )
        name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
        names = (*around.names, name.strip("<>"))
        if name[:2] == "__" == name[-2:] and name not in _TEXT_METHODS:
            return _Around(names)
        number = self._add(node, name, names, has_parameters=has_parameters)
        if isinstance(node, ast.Lambda):
            self._mark(node.body, "answer", number)
        return _Around(names, number)

    def _add(self, node: ast.stmt | ast.expr, name: str, names: tuple[str, ...], *, has_parameters: bool) -> int:
        line = min(each.lineno for each in (node, *getattr(node, "decorator_list", ())))
        title = ".".join(names)
        self.functions.append(
            MarkedFunction(
                path=self.file.path,
                line=line,
                marked_line=line + self._shift,
                code_name=name,
                title=title,
                has_parameters=has_parameters,
            )
        )
        return self.first_number + len(self.functions) - 1

    def _mark(self, value: ast.expr, function: str, number: int) -> None:
        start, end = self._source.span(value)
        self._inserted += [(start, f'__import__("{HELPER}").{function}({number}, ('), (end, "))")]


def _is_outside(node: ast.AST, child: ast.AST) -> bool:
    """Whether a part of a function runs outside of it: decorators, default values, annotations."""
    if isinstance(node, ast.Lambda):
        return child is node.args
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return child not in node.body
    return False


def _is_made_callable(value: ast.expr) -> bool:
    """Whether an expression makes a callable of another one: a bound ``format``, or a ``partial``."""
    if isinstance(value, ast.Attribute):
        return value.attr in _FORMATTERS
    function = value.func if isinstance(value, ast.Call) else None
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    return name in _MAKERS
