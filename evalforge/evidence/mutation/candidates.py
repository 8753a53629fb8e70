"""Every fault that could be seeded into a file, from its syntax tree.

Left alone is what no test should have to notice: docstrings, annotations, decorators, log calls, the words of messages
and of help texts, ``__version__`` and its like, assertions, and the block below the main guard.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple, cast

from evalforge.evidence.mutation.fault import Fault
from evalforge.evidence.mutation.operators import changed, negated

_NEWLINE = re.compile(rb"\r\n?|\n")
_LOG_METHODS = frozenset({"debug", "info", "warning", "warn", "error", "exception", "critical", "log"})
_LOGGERS = re.compile(r"(^|_|\.)(log|logger|logging)$", re.IGNORECASE)
_LEFT_ALONE = frozenset(
    {"basicConfig", "getLogger", "ArgumentParser", "add_subparsers", "add_parser", "add_argument_group", "warn"}
    | {"TypeVar", "NewType", "cast", "sleep", "filterwarnings", "simplefilter"}
)
# Arguments by name that change how something reads or how fast it goes, not what it does.
_COSMETIC = frozenset(
    {"help", "description", "prog", "metavar", "epilog", "usage", "indent", "encoding", "errors", "newline", "level"}
    | {"format", "stacklevel", "width", "timeout", "maxsize", "buffering", "ensure_ascii", "sort_keys", "dest"}
)
_OPTION_KEYWORDS = frozenset({"required", "default", "nargs", "choices"})
_WIDEST = 70
# The same value, from other source and mostly from other bytecode. Many ways, and a fault in an arm that is never
# taken, or a few lines could tell these from faults.
_REWORDED = (
    *("({same})", "({same}) if 1 else ({other})", "({other}) if 0 else ({same})"),
    *("[({same})][0]", "(({same}),)[-1]", "(None, ({same}))[1]", "{{0: ({same})}}[0]", "[0, ({same})].pop()"),
)
_CODE_INSIDE = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class _Scope(NamedTuple):
    """Where code stands: in which function or class, and whether it runs when a function is called or on import."""

    name: str = ""
    is_called: bool = False

    def inside(self, name: str, *, is_called: bool) -> "_Scope":
        return _Scope(f"{self.name}.{name}".lstrip("."), is_called)


def candidates(path: str, content: str) -> tuple[list[Fault], list[Fault]]:
    """All faults for a file, and all places where it can be rewritten without changing what it does.

    Args:
        path: The file.
        content: Its text.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: It can't be parsed.
    """
    finder = _Finder(path, content)
    finder.block(ast.parse(content.encode("utf-8", "surrogatepass")).body, _Scope())
    return finder.faults, finder.rewordings


class _Finder:
    """Walks a tree and collects."""

    def __init__(self, path: str, content: str) -> None:
        self.faults: list[Fault] = []
        self.rewordings: list[Fault] = []
        self._path = path
        self._bytes = content.encode("utf-8", "surrogatepass")
        self._starts = [0, *(match.end() for match in _NEWLINE.finditer(self._bytes))]
        # A byte order mark is not counted in the columns of the first line.
        self._starts[0] = 3 if self._bytes.startswith(b"\xef\xbb\xbf") else 0

    def block(self, body: list[ast.stmt], scope: _Scope) -> None:
        """A list of statements."""
        for node in body:
            if not _is_left_alone(node, scope):
                self._statement(node, scope)

    def _statement(self, node: ast.stmt, scope: _Scope) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                for default in (*node.args.defaults, *(item for item in node.args.kw_defaults if item)):
                    self._expression(default, scope, text_matters=True)
                self.block(node.body, scope.inside(node.name, is_called=True))
            case ast.ClassDef():
                self.block(node.body, scope.inside(node.name, is_called=scope.is_called))
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value) | ast.AugAssign(value=value):
                self._expression(value, scope, text_matters=_keeps_text(value))
                if scope.is_called and not _binds_a_name(node):
                    self._take_away(node, scope)
                self._reword(value, scope)
            case ast.Return(value=ast.expr() as value):
                self._expression(value, scope, text_matters=True)
                if not (isinstance(value, ast.Constant) and value.value is None):
                    self._exchange(value, ast.Constant(None), scope)
                self._reword(value, scope)
            case _:
                self._step(node, scope)

    def _step(self, node: ast.stmt, scope: _Scope) -> None:
        match node:
            case ast.Expr(value=value):
                self._expression(value, scope)
                if isinstance(value, ast.Call | ast.Await) and not _starts_super(value):
                    self._take_away(node, scope)
            case ast.Raise():
                self._take_away(node, scope)
            case ast.Break():
                self._exchange(node, ast.Pass(), scope)
            case ast.Continue():
                self._exchange(node, ast.Break(), scope)
            case _:
                self._compound(node, scope)

    def _compound(self, node: ast.stmt, scope: _Scope) -> None:
        if isinstance(node, ast.If | ast.While):
            if isinstance(node, ast.If) and (other := negated(node.test)):
                self._exchange(node.test, other, scope)
            self._reword(node.test, scope)
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and name not in ("target", "msg"):
                self._expression(value, scope, text_matters=True)
            elif isinstance(value, list):
                for part in cast("list[ast.AST]", value):
                    self._part(part, scope)

    def _part(self, part: ast.AST, scope: _Scope) -> None:
        """A part of a compound statement: a statement, a handler, a case, a context manager."""
        match part:
            case ast.stmt():
                self.block([part], scope)
            case ast.ExceptHandler(body=body):
                self.block(body, scope)
            case ast.match_case(guard=guard, body=body):
                if guard:
                    self._expression(guard, scope)
                self.block(body, scope)
            case ast.withitem(context_expr=value):
                self._expression(value, scope)
            case _:
                return

    def _expression(self, node: ast.expr, scope: _Scope, text_matters: bool = False) -> None:
        if isinstance(node, ast.JoinedStr | ast.Lambda) or (isinstance(node, ast.Call) and _is_log_call(node)):
            return
        for other in changed(node, text_matters):
            self._exchange(node, other, scope)
        if isinstance(node, ast.Call):
            self._call(node, scope)
            return
        inner = text_matters and isinstance(node, ast.Dict | ast.List | ast.Tuple | ast.Set | ast.IfExp)
        for child, matters in _parts(node, inner):
            self._expression(child, scope, text_matters=matters)

    def _call(self, node: ast.Call, scope: _Scope) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in _LEFT_ALONE:
            return
        options = name == "add_argument"
        if isinstance(node.func, ast.Attribute):
            self._expression(node.func.value, scope)
        for argument in () if options else node.args:
            self._expression(argument, scope, text_matters=name in ("get", "getattr", "setdefault", "pop"))
        for keyword in node.keywords:
            if keyword.arg in _COSMETIC or (options and keyword.arg not in _OPTION_KEYWORDS):
                continue
            self._expression(keyword.value, scope)

    def _exchange(self, node: ast.expr | ast.stmt, other: ast.expr | ast.stmt, scope: _Scope) -> None:
        try:
            text = ast.unparse(ast.fix_missing_locations(other))
        except (ValueError, RecursionError):
            return
        self._add(node, scope, text, _short(text))

    def _take_away(self, node: ast.stmt, scope: _Scope) -> None:
        self._add(node, scope, "None", "")

    def _reword(self, node: ast.expr, scope: _Scope) -> None:
        """The same value by other bytecode, and by the same: neither may be noticed."""
        if not scope.is_called or isinstance(node, ast.Yield | ast.YieldFrom | ast.Await | ast.NamedExpr | ast.Starred):
            return
        plain = self._fault(node, scope, "")
        other = _faulty(node)
        for form in _REWORDED:
            # In brackets, because the value may be part of something that binds more tightly.
            self.rewordings.append(replace(plain, text=f"({form.format(same=plain.original, other=other)})"))

    def _add(self, node: ast.expr | ast.stmt, scope: _Scope, text: str, becomes: str) -> None:
        """A fault with this text in a node's place, on as many lines as before: all others keep their number."""
        start, end = self._span(node)
        missing = len(_NEWLINE.findall(self._bytes[start:end])) - text.count("\n")
        if text in ("pass", "break"):
            self.faults.append(self._fault(node, scope, text, becomes))
        elif missing >= 0:
            self.faults.append(self._fault(node, scope, f"({text}{chr(10) * missing})", becomes))

    def _fault(self, node: ast.expr | ast.stmt, scope: _Scope, text: str, becomes: str = "") -> Fault:
        start, end = self._span(node)
        original = self._bytes[start:end].decode("utf-8", "surrogatepass")
        return Fault(
            path=self._path,
            line=node.lineno,
            last=node.end_lineno or node.lineno,
            scope=scope.name,
            is_called=scope.is_called,
            start=start,
            end=end,
            text=text,
            original=original,
            was=_short(original),
            becomes=becomes,
        )

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._starts[node.lineno - 1] + node.col_offset,
            self._starts[node.end_lineno - 1] + node.end_col_offset,
        )


def _faulty(node: ast.expr) -> str:
    """What could stand in an expression's place by mistake, on one line; nothing that code is compiled apart for."""
    if any(isinstance(part, _CODE_INSIDE) for part in ast.walk(node)):
        return "None"
    try:
        return ast.unparse(ast.fix_missing_locations(next(changed(node, text_matters=True), ast.Constant(None))))
    except (ValueError, RecursionError):
        return "None"


def _parts(node: ast.expr, text_matters: bool) -> Iterator[tuple[ast.expr, bool]]:
    """The expressions directly inside one, and whether their strings decide something."""
    decisive = isinstance(node, ast.Compare) or text_matters
    for name, value in ast.iter_fields(node):
        for part in cast("list[object]", value if isinstance(value, list) else [value]):
            if isinstance(part, ast.expr):
                yield part, decisive or (isinstance(node, ast.Subscript) and name == "slice")
            elif isinstance(part, ast.comprehension):
                yield part.iter, False
                yield from ((test, False) for test in part.ifs)


def _keeps_text(value: ast.expr) -> bool:
    """Whether assigned strings are data: in a table they are, a single one may as well be a message."""
    return isinstance(value, ast.Dict | ast.Set | ast.List | ast.Tuple)


def _binds_a_name(node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> bool:
    """Whether taking an assignment away would leave a name unknown, which any test would notice."""
    if isinstance(node, ast.AugAssign):
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(not isinstance(target, ast.Attribute | ast.Subscript) for target in targets)


def _is_left_alone(node: ast.stmt, scope: _Scope) -> bool:
    match node:
        case ast.Assert() | ast.Import() | ast.ImportFrom():
            return True
        case ast.Expr(value=ast.Constant()) | ast.AnnAssign(value=None):
            return True
        case ast.Expr(value=ast.Call() as call) if _is_log_call(call):
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name))) if name in _LEFT_ALONE:
            return True
        case ast.If(test=test) if not scope.is_called:
            named = {getattr(part, "id", getattr(part, "attr", "")) for part in ast.walk(test)}
            return not named.isdisjoint({"__name__", "TYPE_CHECKING"})
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name.startswith("__") and name.endswith("__")
        case _:
            return False


def _is_log_call(call: ast.Call) -> bool:
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _LOG_METHODS:
        return False
    return bool(_LOGGERS.search(ast.unparse(call.func.value)))


def _starts_super(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func).startswith("super()")


def _short(text: str) -> str:
    line = " ".join(text.split()).replace("`", "'")
    return line if len(line) <= _WIDEST else line[: _WIDEST - 1] + "…"
