"""Functions that mix IO with decisions or computation.

Points measure how much a function itself decides and computes. Reading, checking input, calling other functions and
turning a result into an exit code get few points or none, because they belong at the edge of a program.
"""

import ast
from collections.abc import Iterator

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.input_output import io_places
from evalforge.evidence.static.module import Module
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import Scope, called, root_name, simple_name

MIN_MIXED_POINTS = 5
"""From this number of points on it is more than trivial: a threshold and a formula, or two thresholds."""

_ORDERING, _FORMULA, _SLIGHT, _ACCUMULATION = 3, 2, 1, 4
_UNDERSTANDING = 4
_MATCHERS = frozenset({"fullmatch", "match", "search", "finditer"})
_MAX_GUARD_POINTS = 2
_READERS = frozenset({"load", "reader", "DictReader", "read_text", "read_bytes", "read", "readline", "readlines"})
_WRITERS = frozenset({"dump", "writer", "DictWriter", "write_text", "write_bytes", "write", "writelines"})
_MAX_IDLE_STATEMENTS = 3
"""A loop with at most this many statements, including its header, only passes things on."""
_ARITHMETIC_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_ORDER_OPERATORS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_AGGREGATES = frozenset({"builtins.sum", "builtins.min", "builtins.max", "math.fsum"})
_TEXT_NODES = (ast.JoinedStr, ast.List, ast.ListComp, ast.Tuple, ast.Dict)
_PATH_ATTRIBUTES = frozenset({"parent", "home", "cwd", "name", "stem", "relative_to", "Path"})


def mixed_functions(program: Program) -> Iterator[Observation]:
    """Find every function, and every body of a module or class, that mixes IO with decisions or computation."""
    for module, scope in program.scopes:
        places = io_places(module, scope)
        if places and _decision_points(module, scope) >= MIN_MIXED_POINTS:
            line, what = places[0]
            where = "" if scope.function else " outside any function"
            message = f"decides or computes and also uses {what} (line {line}){where}"
            yield Observation(module.path, scope.line or line, message, scope.name or module.name)


def _decision_points(module: Module, scope: Scope) -> int:
    """The points for what a scope itself decides and computes."""
    formatted = {node for text in scope.nodes(ast.JoinedStr) for node in ast.walk(text)}
    guards = _guard_comparisons(scope)
    comparisons = [node for node in scope.nodes(ast.Compare) if node not in formatted and node not in guards]
    points = min(len(guards), _MAX_GUARD_POINTS)
    points += sum(_comparison_points(node, module, scope) for node in comparisons)
    points += _formula_points([node for node in scope.nodes(ast.BinOp) if node not in formatted], scope)
    points += sum(_change_points(placed.node, placed.in_loop) for placed in scope.statements)
    points += sum(
        _FORMULA
        for call, name in scope.calls
        if (name in _AGGREGATES or name.startswith("statistics.")) and call not in formatted
    )
    return points + _understanding_points(scope) + _conversion_points(module, scope)


def _guard_comparisons(scope: Scope) -> set[ast.AST]:
    """The comparisons that only refuse bad input, because the branch raises."""
    return {
        node
        for guard in scope.nodes(ast.If)
        if isinstance(guard.body[-1], ast.Raise)
        for node in ast.walk(guard.test)
        if isinstance(node, ast.Compare)
    }


def _comparison_points(node: ast.Compare, module: Module, scope: Scope) -> int:
    """The points of a comparison: thresholds count; equality, membership and identity only map values."""
    if not any(isinstance(op, _ORDER_OPERATORS) for op in node.ops):
        return 0
    operands = [node.left, *node.comparators]
    numbers = [side.value for side in operands if isinstance(side, ast.Constant)]
    measured = any(
        isinstance(side, ast.Call) and module.dotted_name(side.func, scope) == "builtins.len" for side in operands
    )
    emptiness = len(operands) == 2 and bool(numbers) and (measured or numbers[0] in (0, 1))
    return _SLIGHT if emptiness else _ORDERING


def _formula_points(nodes: list[ast.BinOp], scope: Scope) -> int:
    points, unclear = 0, 0
    paths = _path_names(scope)
    for node in nodes:
        operands = (node.left, node.right)
        if not isinstance(node.op, _ARITHMETIC_OPERATORS) or any(_is_textual(side) for side in operands):
            continue
        if isinstance(node.op, ast.Div) and any(_is_path(side, paths) for side in operands):
            continue
        if isinstance(node.op, ast.Div) and all(isinstance(side, ast.Name | ast.Attribute) for side in operands):
            unclear = _FORMULA  # may join paths; many of them are no more evidence than one
        else:
            points += _SLIGHT if any(_is_one(side) for side in operands) else _FORMULA
    return points + unclear


def _change_points(node: ast.stmt, in_loop: bool) -> int:
    """The points for totals that grow in a loop, and for grouping by key."""
    match node:
        case ast.AugAssign(op=op, value=value):
            if not isinstance(op, _ARITHMETIC_OPERATORS) or _is_textual(value):
                return 0
            if _is_one(value):
                return _SLIGHT
            return _ACCUMULATION if in_loop else _FORMULA
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append" | "add", value=ast.Subscript() | ast.Call()))):
            return _FORMULA if in_loop else 0
        case _:
            return 0


def _understanding_points(scope: Scope) -> int:
    """The points for parsing line after line with a pattern."""
    nodes = (node for placed in scope.statements if placed.in_loop for node in ast.walk(placed.node))
    calls = (node.func for node in nodes if isinstance(node, ast.Call))
    is_pattern = any(isinstance(function, ast.Attribute) and function.attr in _MATCHERS for function in calls)
    return _UNDERSTANDING if is_pattern else 0


def _conversion_points(module: Module, scope: Scope) -> int:
    """The points for reading one file, processing it and writing another in one place, or for opening two at all."""
    opens_two = len(module.touching_lines.get(scope, ())) > 1
    called_names = {name.rsplit(".", 1)[-1] for _, name in scope.calls if not name.startswith("sys.")}
    writes = not called_names.isdisjoint(_WRITERS) or any(_opens_to_write(call) for call, _ in scope.calls)
    if not opens_two and (not writes or called_names.isdisjoint(_READERS)):
        return 0
    loops = (ast.walk(placed.node) for placed in scope.statements if isinstance(placed.node, ast.For | ast.While))
    busy = sum(sum(isinstance(node, ast.stmt) for node in within) > _MAX_IDLE_STATEMENTS for within in loops)
    return _ORDERING + busy if busy else 0


def _opens_to_write(call: ast.Call) -> bool:
    modes = [*call.args[:2], *(keyword.value for keyword in call.keywords if keyword.arg == "mode")]
    return root_name(call.func) == "open" and any(
        isinstance(mode, ast.Constant) and mode.value in {"w", "a", "x", "wb", "wt", "w+"} for mode in modes
    )


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


def _is_textual(node: ast.expr) -> bool:
    """Whether an operand shows that an operator joins text or lists."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in {"str", "list", "repr", "tuple"}
    return isinstance(node, _TEXT_NODES) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def _is_path(node: ast.expr, paths: set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in paths
    match called(node):
        case ast.BinOp(op=ast.Div(), left=left, right=right):
            return _is_textual(right) or (isinstance(left, ast.Name) and left.id in paths)
        case maker:
            return simple_name(maker) in _PATH_ATTRIBUTES


def _path_names(scope: Scope) -> set[str]:
    """The names of parameters annotated as paths, and of locals made by ``Path(...)``."""
    names = set[str]()
    for parameter in scope.parameters:
        declared = ast.walk(parameter.annotation) if parameter.annotation is not None else ()
        if any(simple_name(node) in {"Path", "PurePath"} for node in declared):
            names.add(parameter.arg)
    for node in scope.nodes(ast.Assign):
        makes_path = isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name)
        if makes_path and simple_name(called(node.value)) in _PATH_ATTRIBUTES:
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return names
