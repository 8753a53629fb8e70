"""The steps of a claim, one line each: a command line of the program, or one statement in Python's syntax.

    titan.py take journal --now 0 < batch.json
    my_ledger = ledger.Ledger()
    my_ledger.post('t1', [('cash', Decimal('5')), ('bank', Decimal('-5'))])

Nothing is run here. Statements become syntax trees of limited size, and only a fixed set of nodes is allowed
(``claim_runner``).
"""

import ast
import shlex
import warnings
from dataclasses import dataclass

from evalforge.model.text import clean_line

MAX_STEPS = 30
MAX_STEP_CHARS = 1_000
_MAX_DEPTH = 40
_PYTHON = ("python", "python3")


class ClaimError(Exception):
    """A claim can't be run as written. The message says why."""


@dataclass(frozen=True)
class CommandStep:
    """A run of the program.

    Attributes:
        args: The command-line arguments.
        stdin_name: The file to read as standard input; empty for none.
    """

    args: tuple[str, ...]
    stdin_name: str = ""


Step = CommandStep | ast.stmt


def parse_step(text: str, entry_files: tuple[str, ...]) -> Step:
    """Parse a step into a command or a statement.

    Raises:
        ClaimError: The line is neither a command line of the program nor one statement.
    """
    if len(text) > MAX_STEP_CHARS:
        raise ClaimError(f"a step is longer than {MAX_STEP_CHARS:,} characters")
    return _parse_command(text, entry_files) or parse_statement(text)


def _parse_command(text: str, entry_files: tuple[str, ...]) -> CommandStep | None:
    try:
        arguments = shlex.split(text.removeprefix("$ "))
    except ValueError:  # unclosed quotes, as a statement may have
        return None
    if arguments and arguments[0] in _PYTHON:
        arguments = arguments[1:]
    if arguments[:1] == ["-m"]:
        arguments = [f"{word}.py" if number == 0 else word for number, word in enumerate(arguments[1:])]
    if not arguments or arguments[0] not in entry_files:
        return None
    if len(arguments) > 2 and arguments[-2] == "<":
        return CommandStep(tuple(arguments[1:-2]), arguments[-1])
    return CommandStep(tuple(arguments[1:]))


def parse_statement(text: str) -> ast.stmt:
    """Parse one statement of limited depth.

    Raises:
        ClaimError: The text isn't one.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            statements = ast.parse(text.strip()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ClaimError(f"{clean_line(text, 80)} is neither a call nor a command line of the program") from None
    if len(statements) != 1:
        raise ClaimError(f"{clean_line(text, 80)} is not one statement")
    if not _is_shallow(statements[0]):
        raise ClaimError("a step is nested too deeply")
    return statements[0]


def _is_shallow(tree: ast.AST) -> bool:
    level: list[ast.AST] = [tree]
    for _ in range(_MAX_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return True
    return False
