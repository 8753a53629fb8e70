"""Finding all mutants of a file in its syntax tree.

Parts that no test should have to cover are skipped: docstrings, annotations, decorators, log calls, the words of
messages and help texts, names such as ``__version__``, assertions, and the block below the main guard.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple, cast

from evalforge.evidence.forked_task import parsing
from evalforge.evidence.suite.mutant import Mutant, SourceBytes

# Mutation operators: the mistakes that people make in one node of the syntax tree.

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


def mutations_of(node: ast.expr, text_matters: bool) -> Iterator[ast.expr]:
    """Yield expressions that somebody could write by mistake instead of a node.

    Args:
        node: The expression.
        text_matters: Whether a string here affects behaviour, rather than being read by a person.
    """
    match node:
        case ast.Compare():
            yield from _other_comparisons(node)
        case ast.Constant(value=value):
            yield from (ast.Constant(other) for other in _other_values(value, text_matters))
        case ast.UnaryOp():
            yield from _other_signs(node)
        case ast.BoolOp(op=operator, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.BinOp(left=left, op=operator, right=right) if not (_is_text(left) or _is_text(right)):
            if other := _ARITHMETIC.get(type(operator)):
                yield ast.BinOp(left, other(), right)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield ast.IfExp(_negated(test), body, orelse)
        case _:
            return


def _other_comparisons(node: ast.Compare) -> Iterator[ast.expr]:
    """Similar comparisons in place of a single one; for a chain, one per link."""
    for index, operator in enumerate(node.ops):
        other_operators = _COMPARISONS[type(operator)]
        for other in other_operators if len(node.ops) == 1 else other_operators[:1]:
            yield ast.Compare(node.left, [*node.ops[:index], other(), *node.ops[index + 1 :]], node.comparators)


def _other_signs(node: ast.UnaryOp) -> Iterator[ast.expr]:
    if not isinstance(node.op, ast.UAdd) and not (
        isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant)
    ):
        yield node.operand


def negated_condition(test: ast.expr) -> ast.expr | None:
    """A negated condition; None if another operator gives the same mutant."""
    if isinstance(test, ast.Constant) or (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
        return None
    if (
        isinstance(test, ast.Compare)
        and len(test.ops) == 1
        and type(test.ops[0]) in (*(ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot),)
    ):
        return None
    return _negated(test)


def _negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _other_values(value: object, text_matters: bool) -> Iterator[bool | int | float | str]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield value + 1
    elif isinstance(value, str) and text_matters:
        yield value + "?" if value else "?"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


_LOG_METHODS = frozenset({"debug", "info", "warning", "warn", "error", "exception", "critical", "log"})
_LOGGERS = re.compile(r"(^|_|\.)(log|logger|logging)$", re.IGNORECASE)
_SKIPPED_CALLS = frozenset(
    {"basicConfig", "getLogger", "ArgumentParser", "add_subparsers", "add_parser", "add_argument_group", "warn"}
    | {"TypeVar", "NewType", "cast", "sleep", "filterwarnings", "simplefilter"}
)
# Keyword arguments that change how something reads or how fast it is, not what it does.
_COSMETIC_KEYWORDS = frozenset(
    {"help", "description", "prog", "metavar", "epilog", "usage", "indent", "encoding", "errors", "newline", "level"}
    | {"format", "stacklevel", "width", "timeout", "maxsize", "buffering", "ensure_ascii", "sort_keys", "dest"}
)
_OPTION_KEYWORDS = frozenset({"required", "default", "nargs", "choices"})
_MAX_EXCERPT_CHARS = 70
# The same value with other source and other bytecode. There are many forms, some with a mutant in a branch that never
# runs, but that no compiler removes. Otherwise a submission could recognize these with a few lines of code.
_EQUIVALENT_FORMS = (
    *("({same}) if [0] else ({other})", "({other}) if [] else ({same})", "({other}) if {{}} else ({same})"),
    *("[({same})][0]", "(({same}),)[-1]", "(None, ({same}))[1]", "{{0: ({same})}}[0]", "[0, ({same})].pop()"),
)
_NODES_WITH_OWN_CODE = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class _Scope(NamedTuple):
    """The scope of code: its function or class, and whether it runs when a function is called or on import."""

    name: str = ""
    is_called: bool = False

    def inner(self, name: str, *, is_called: bool) -> "_Scope":
        return _Scope(f"{self.name}.{name}".lstrip("."), is_called)


def find_mutants(path: str, content: str) -> tuple[list[Mutant], list[Mutant]]:
    """Find all mutants of a file, and all equivalent changes, which have no effect.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: The file can't be parsed.
    """
    finder = _MutantFinder(path, content)
    with parsing():
        tree = ast.parse(content.encode("utf-8", "surrogatepass"))
    finder.visit_block(tree.body, _Scope())
    return finder.mutants, finder.equivalents


class _MutantFinder:
    """Walks a syntax tree and collects mutants and equivalent changes."""

    def __init__(self, path: str, content: str) -> None:
        self.mutants: list[Mutant] = []
        self.equivalents: list[Mutant] = []
        self._path = path
        self._source = SourceBytes(content)

    def visit_block(self, body: list[ast.stmt], scope: _Scope) -> None:
        """Collect from a block of statements."""
        for node in body:
            if not _is_skipped(node, scope):
                self._visit_statement(node, scope)

    def _visit_statement(self, node: ast.stmt, scope: _Scope) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                for default in (*node.args.defaults, *(item for item in node.args.kw_defaults if item)):
                    self._visit_expression(default, scope, text_matters=True)
                self.visit_block(node.body, scope.inner(node.name, is_called=True))
            case ast.ClassDef():
                self.visit_block(node.body, scope.inner(node.name, is_called=scope.is_called))
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value) | ast.AugAssign(value=value):
                self._visit_expression(value, scope, text_matters=_is_table(value))
                if scope.is_called and not _binds_a_name(node):
                    self._add_removal(node, scope)
                self._add_equivalents(value, scope)
            case ast.Return(value=ast.expr() as value):
                self._visit_expression(value, scope, text_matters=True)
                if not (isinstance(value, ast.Constant) and value.value is None):
                    self._add_replacement(value, ast.Constant(None), scope)
                self._add_equivalents(value, scope)
            case _:
                self._visit_simple_statement(node, scope)

    def _visit_simple_statement(self, node: ast.stmt, scope: _Scope) -> None:
        match node:
            case ast.Expr(value=value):
                self._visit_expression(value, scope)
                if isinstance(value, ast.Call | ast.Await) and not _starts_super(value):
                    self._add_removal(node, scope)
            case ast.Raise():
                self._add_removal(node, scope)
            case ast.Break():
                self._add_replacement(node, ast.Pass(), scope)
            case ast.Continue():
                self._add_replacement(node, ast.Break(), scope)
            case _:
                self._visit_compound(node, scope)

    def _visit_compound(self, node: ast.stmt, scope: _Scope) -> None:
        if isinstance(node, ast.If | ast.While):
            if isinstance(node, ast.If) and (other := negated_condition(node.test)):
                self._add_replacement(node.test, other, scope)
            self._add_equivalents(node.test, scope)
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and name not in ("target", "msg"):
                self._visit_expression(value, scope, text_matters=True)
            elif isinstance(value, list):
                for part in cast("list[ast.AST]", value):
                    self._visit_part(part, scope)

    def _visit_part(self, part: ast.AST, scope: _Scope) -> None:
        """Collect from a part of a compound statement: a statement, a handler, a case, a context manager."""
        match part:
            case ast.stmt():
                self.visit_block([part], scope)
            case ast.ExceptHandler(body=body):
                self.visit_block(body, scope)
            case ast.match_case(guard=guard, body=body):
                if guard:
                    self._visit_expression(guard, scope)
                self.visit_block(body, scope)
            case ast.withitem(context_expr=value):
                self._visit_expression(value, scope)
            case _:
                return

    def _visit_expression(self, node: ast.expr, scope: _Scope, text_matters: bool = False) -> None:
        if isinstance(node, ast.JoinedStr | ast.Lambda) or (isinstance(node, ast.Call) and _is_log_call(node)):
            return
        for other in mutations_of(node, text_matters):
            self._add_replacement(node, other, scope)
        if isinstance(node, ast.Call):
            self._visit_call(node, scope)
            return
        inner = text_matters and isinstance(node, ast.Dict | ast.List | ast.Tuple | ast.Set | ast.IfExp)
        for child, matters in _inner_expressions(node, inner):
            self._visit_expression(child, scope, text_matters=matters)

    def _visit_call(self, node: ast.Call, scope: _Scope) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in _SKIPPED_CALLS:
            return
        options = name == "add_argument"
        if isinstance(node.func, ast.Attribute):
            self._visit_expression(node.func.value, scope)
        for argument in () if options else node.args:
            self._visit_expression(argument, scope, text_matters=name in ("get", "getattr", "setdefault", "pop"))
        for keyword in node.keywords:
            if keyword.arg in _COSMETIC_KEYWORDS or (options and keyword.arg not in _OPTION_KEYWORDS):
                continue
            self._visit_expression(keyword.value, scope)

    def _add_replacement(self, node: ast.expr | ast.stmt, other: ast.expr | ast.stmt, scope: _Scope) -> None:
        try:
            text = ast.unparse(ast.fix_missing_locations(other))
        except (ValueError, RecursionError):
            return
        self._add_mutant(node, scope, text, _excerpt(text))

    def _add_removal(self, node: ast.stmt, scope: _Scope) -> None:
        self._add_mutant(node, scope, "None", "")

    def _add_equivalents(self, node: ast.expr, scope: _Scope) -> None:
        """Add equivalent changes, which no test can notice."""
        if not scope.is_called or isinstance(node, ast.Yield | ast.YieldFrom | ast.Await | ast.NamedExpr | ast.Starred):
            return
        unchanged = self._make_mutant(node, scope, "")
        other = _wrong_expression(node)
        for form in _EQUIVALENT_FORMS:
            # In brackets, because the value may be part of an expression with a higher precedence.
            self.equivalents.append(
                replace(unchanged, replacement=f"({form.format(same=unchanged.original, other=other)})")
            )

    def _add_mutant(self, node: ast.expr | ast.stmt, scope: _Scope, text: str, becomes: str) -> None:
        """Add a mutant that replaces a node by this text, padded to the same number of lines."""
        missing = self._source.newlines(*self._source.span(node)) - text.count("\n")
        if text in ("pass", "break"):
            self.mutants.append(self._make_mutant(node, scope, text, becomes))
        elif missing >= 0:
            self.mutants.append(self._make_mutant(node, scope, f"({text}{chr(10) * missing})", becomes))

    def _make_mutant(self, node: ast.expr | ast.stmt, scope: _Scope, text: str, becomes: str = "") -> Mutant:
        start, end = self._source.span(node)
        original = self._source.text(start, end)
        return Mutant(
            path=self._path,
            line=node.lineno,
            last_line=node.end_lineno or node.lineno,
            scope=scope.name,
            is_called=scope.is_called,
            start=start,
            end=end,
            replacement=text,
            original=original,
            original_excerpt=_excerpt(original),
            replacement_excerpt=becomes,
        )


def _wrong_expression(node: ast.expr) -> str:
    """A wrong expression on one line; ``None`` in place of an expression with code of its own, such as a lambda."""
    if any(isinstance(part, _NODES_WITH_OWN_CODE) for part in ast.walk(node)):
        return "None"
    try:
        return ast.unparse(ast.fix_missing_locations(next(mutations_of(node, text_matters=True), ast.Constant(None))))
    except (ValueError, RecursionError):
        return "None"


def _inner_expressions(node: ast.expr, text_matters: bool) -> Iterator[tuple[ast.expr, bool]]:
    """The direct subexpressions of an expression, each with whether its strings matter."""
    decisive = isinstance(node, ast.Compare) or text_matters
    for name, value in ast.iter_fields(node):
        for part in cast("list[object]", value if isinstance(value, list) else [value]):
            if isinstance(part, ast.expr):
                yield part, decisive or (isinstance(node, ast.Subscript) and name == "slice")
            elif isinstance(part, ast.comprehension):
                yield part.iter, False
                yield from ((test, False) for test in part.ifs)


def _is_table(value: ast.expr) -> bool:
    """Whether a value is a table, whose strings are data; a single string may just as well be a message."""
    return isinstance(value, ast.Dict | ast.Set | ast.List | ast.Tuple)


def _binds_a_name(node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> bool:
    """Whether removing an assignment would leave a name undefined, which any test would notice."""
    if isinstance(node, ast.AugAssign):
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(not isinstance(target, ast.Attribute | ast.Subscript) for target in targets)


def _is_skipped(node: ast.stmt, scope: _Scope) -> bool:
    match node:
        case ast.Assert() | ast.Import() | ast.ImportFrom():
            return True
        case ast.Expr(value=ast.Constant()) | ast.AnnAssign(value=None):
            return True
        case ast.Expr(value=ast.Call() as call) if _is_log_call(call):
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name))) if name in _SKIPPED_CALLS:
            return True
        case ast.If(test=test) if not scope.is_called:
            names_asked_for = {getattr(part, "id", getattr(part, "attr", "")) for part in ast.walk(test)}
            return not names_asked_for.isdisjoint({"__name__", "TYPE_CHECKING"})
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


def _excerpt(text: str) -> str:
    line = " ".join(text.split()).replace("`", "'")
    return line if len(line) <= _MAX_EXCERPT_CHARS else line[: _MAX_EXCERPT_CHARS - 1] + "…"
