"""Measurements of functions, and of code outside them: size and complexity."""

from collections import Counter
from collections.abc import Iterator

from evalforge.evidence.static.cognitive import body_complexity, function_complexity
from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.import_work import ImportWork
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import Scope, lines_of


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
        points = function_complexity(scope.node.body, scope.last_name)
        message = f"has a cognitive complexity of {points}"
        yield points, Observation(module.path, scope.line, message, scope.name)
    for module in program.modules:
        points = body_complexity(module.tree.body)
        message = f"has a cognitive complexity of {points} outside its functions"
        yield points, Observation(module.path, 0, message, module.name)
    for module, name, statements in import_work.bodies:
        if name:
            points = body_complexity(statements)
            message = f"has a cognitive complexity of {points} in its body"
            yield points, Observation(module.path, statements[0].lineno, message, name)
