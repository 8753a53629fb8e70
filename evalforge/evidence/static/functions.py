"""Measurements of functions, and of code outside them: size and complexity."""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.import_work import ImportWork
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import DEFINITIONS, Scope, lines_of

# Cognitive complexity: how hard control flow is to follow, by G. Ann Campbell's definition (SonarSource, 2018, 2023).
# Recursion costs nothing.

_Parts = list[tuple[ast.AST, int]]
_LEAVES = (ast.Name, ast.Constant, ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)
"""The nodes that cost nothing and have no children that could: most nodes of a tree."""
_PASSED = (*_LEAVES, *DEFINITIONS)


def _complexity(statements: Iterable[ast.AST]) -> int:
    """The points of some statements, without functions and classes among them."""
    points = 0
    pending = _at(0, statements)
    while pending:  # not recursive, because a sum of a thousand terms is nested a thousand deep
        node, level = pending.pop()
        if not isinstance(node, _PASSED):
            own_points, parts = _points(node, level)
            points += own_points
            pending += parts
    return points


def _points(node: ast.AST, level: int) -> tuple[int, _Parts]:
    """The points of a node alone, and its parts, each with its nesting level."""
    match node:
        case ast.If():
            return _branches(node, level)
        case ast.For() | ast.AsyncFor():
            return 1 + level, _at(level, [node.target, node.iter, *node.orelse]) + _at(level + 1, node.body)
        case ast.While():
            return 1 + level, _at(level, [node.test, *node.orelse]) + _at(level + 1, node.body)
        case ast.ExceptHandler():
            return 1 + level, _at(level + 1, node.body)
        case ast.Match():
            return 1 + level, [(node.subject, level), *_at(level + 1, node.cases)]
        case ast.IfExp():
            return 1 + level, [(node.test, level), *_at(level + 1, (node.body, node.orelse))]
        case ast.Lambda():
            return 0, [(node.body, level + 1)]
        case ast.BoolOp():
            like = (isinstance(value, ast.BoolOp) and type(value.op) is type(node.op) for value in node.values)
            return 1 - sum(like), _at(level, node.values)  # `a and (b and c)` is one sequence
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            loops = sum(1 + level + len(part.ifs) for part in node.generators)
            return loops, _at(level, ast.iter_child_nodes(node))
        case _:
            return 0, _at(level, ast.iter_child_nodes(node))


def _at(level: int, nodes: Iterable[ast.AST]) -> _Parts:
    return [(node, level) for node in nodes]


def _branches(node: ast.If, level: int) -> tuple[int, _Parts]:
    """The points of a condition including all ``elif`` and ``else``, and its parts."""
    points, parts = 1 + level, _at(level, ())
    while True:
        parts += [(node.test, level), *_at(level + 1, node.body)]
        match node.orelse:
            case []:
                return points, parts
            case [ast.If() as other] if other.col_offset == node.col_offset:  # `elif`; after `else:` it is indented
                points, node = points + 1, other
            case _:
                return points + 1, parts + _at(level + 1, node.orelse)


def lengths(program: Program, import_work: ImportWork) -> Iterator[tuple[int, Observation]]:
    """Lines of code of every function, from ``def`` on, and of code outside functions that does work.

    Comments, blank lines, docstrings and inner functions don't count; inner functions are measured separately.
    """
    own_lines = Counter[Scope]()
    for module, scope in program.functions:
        if scope.function is not None:
            lines = module.code_lines(scope.function)
            own_lines[scope] += lines
            maker = next((outer for outer in scope.enclosing() if outer is not scope and outer.function), None)
            if maker is not None:
                own_lines[maker] -= lines
    for module, scope in program.functions:
        if scope.function is not None:
            lines = own_lines[scope]
            message = f"is {lines} lines long"
            if lines > len(lines_of(scope.function)):
                message = f"would be {lines} lines long with one statement on each"
            yield lines, Observation(module.path, scope.line, message, scope.name)
    for module, name, statements in import_work.bodies:
        lines = sum(map(module.code_lines, statements))
        message = f"does {lines} lines of work on import"
        yield lines, Observation(module.path, statements[0].lineno, message, name or module.name)


def complexities(program: Program, import_work: ImportWork) -> Iterator[tuple[int, Observation]]:
    """Cognitive complexity of every function, of module bodies, and of work in class bodies."""
    for module, scope in program.functions:
        points = _complexity(scope.node.body)
        message = f"has a cognitive complexity of {points}"
        yield points, Observation(module.path, scope.line, message, scope.name)
    for module in program.modules:
        points = _complexity(module.tree.body)
        message = f"has a cognitive complexity of {points} outside its functions"
        yield points, Observation(module.path, 0, message, module.name)
    for module, name, statements in import_work.bodies:
        if name:
            points = _complexity(statements)
            message = f"has a cognitive complexity of {points} in its body"
            yield points, Observation(module.path, statements[0].lineno, message, name)
