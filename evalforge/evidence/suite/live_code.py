"""Live code: the lines of functions that the trials call, and of files that they run."""

import ast
from collections.abc import Mapping

from evalforge.evidence.forked_task import parsing
from evalforge.evidence.static.scopes import head_lines
from evalforge.evidence.suite.jobs import PassingTest
from evalforge.sandbox.execution import Execution


class LiveCode:
    """Finds the code that the trials of a submission have run, function by function."""

    def __init__(self, files: Mapping[str, str], execution: Execution) -> None:
        self._alive = {path: _alive(path, files[path], execution) for path in sorted(execution.files & files.keys())}

    def is_alive(self, path: str, line: int) -> bool:
        """Whether the trials run the code of this line."""
        alive = self._alive.get(path)
        return line > 0 and bool(alive) and alive[min(line, len(alive) - 1)]

    def is_reached_by(self, test: PassingTest) -> bool:
        """Whether a test runs any code that the trials run too."""
        return any(self.is_alive(path, line) for path, lines in test.lines.items() for line in lines)


def _alive(path: str, content: str, execution: Execution) -> list[bool]:
    """Whether each line is alive, by its number; those after the last are like the last."""
    try:
        with parsing():
            tree = ast.parse(content.encode("utf-8", "surrogatepass"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    alive = [True] * (content.count("\n") + 3)
    # From the outside in, because an inner function may be called when the outer one isn't, and vice versa.
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for node in functions:
        was_called = execution.was_entered(path, head_lines(node))
        for line in range(node.body[0].lineno, min(node.end_lineno or node.lineno, len(alive) - 1) + 1):
            alive[line] = was_called
    return alive
