"""What works on this machine, and the formats."""

from argparse import Namespace
from contextlib import suppress

from evalforge.cli import output, settings
from evalforge.cli.exit_status import ExitStatus
from evalforge.cli.health import examine
from evalforge.cli.health_report import Check, CheckState
from evalforge.cli.settings import Settings
from evalforge.model.errors import EvalForgeError, UsageError

_STYLES = {CheckState.OK: "green", CheckState.OFF: "dim", CheckState.NOTE: "yellow", CheckState.FAILED: "bold red"}
_STATE_WIDTH = max(map(len, CheckState))
_NAME_WIDTH = len("forge+words judge")


def doctor(arguments: Namespace) -> int:
    """Check what a judging needs; the exit status is 0 if it is possible, else 1."""
    config = settings.load(arguments)
    if arguments.repair:
        _repair(config)
    report = examine(config)
    if arguments.json:
        output.print_json(report.model_dump(mode="json"))
    else:
        for check in report.checks:
            _print_check(check)
    return ExitStatus.SUCCESS if report.can_judge else ExitStatus.NOT_PASSED


def _repair(config: Settings) -> None:
    """Count the attempts in the history again; other damage is reported when it is examined."""
    from evalforge.history.store import History

    with suppress(EvalForgeError), History(config.history) as history:
        history.tallies.recount()


def _print_check(check: Check) -> None:
    out = output.console()
    state = (f"{check.state:<{_STATE_WIDTH}}", _STYLES[check.state])
    indent = " " * (_STATE_WIDTH + 2)
    output.print_line(out, state, f"  {check.name:<{_NAME_WIDTH}} ", check.message)
    if check.remedy:
        output.print_line(out, f"{indent}{'':<{_NAME_WIDTH}} ", (check.remedy, "bold"))


def schema(arguments: Namespace) -> int:
    """Print a JSON Schema.

    Raises:
        UsageError: There is no schema with this name.
    """
    from evalforge.cli.formats import FORMATS, schema_of

    if not arguments.name:
        output.print_line(output.console(), "\n".join(FORMATS))
        return ExitStatus.SUCCESS
    if arguments.name not in FORMATS:
        raise UsageError(f"There is no schema called {arguments.name!r}.", f"Schemas: {', '.join(FORMATS)}.")
    output.print_json(schema_of(arguments.name))
    return ExitStatus.SUCCESS
