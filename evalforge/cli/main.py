"""The command line's entry point. Imports only the module of the command that runs."""

import os
from argparse import Namespace
from collections.abc import Sequence

from evalforge.cli import streams
from evalforge.cli.exit_status import ExitStatus
from evalforge.cli.options import check_trust
from evalforge.cli.parser import command_line
from evalforge.model.errors import EvalForgeError, PackError, SandboxError
from evalforge.model.text import clean


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name.

    Returns:
        The exit status.
    """
    streams.prepare_streams()
    status = ExitStatus.SUCCESS
    try:
        status = _run_command_line(argv)
        streams.flush()
    except KeyboardInterrupt:
        streams.print_error("evalforge: stopped")
        return ExitStatus.INTERRUPTED
    except Exception as error:  # noqa: BLE001 - users never see a traceback: unexpected errors go to a log
        from evalforge.own_failure import first_cause

        reason = first_cause(error)
        if isinstance(reason, streams.ReaderGoneError):
            return status
        streams.print_error(f"evalforge: {clean(_error_message(reason))}")
        is_usage = isinstance(reason, EvalForgeError | OSError) and not isinstance(reason, SandboxError)
        return ExitStatus.UNUSABLE if is_usage else ExitStatus.UNGRADED
    finally:
        streams.silence_streams()
    return status


def _error_message(error: BaseException) -> str:
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return reason if error.filename is None else f"{error.filename}: {reason}"
    if isinstance(error, PackError):
        return error.report
    from evalforge.own_failure import error_words

    return error_words(error)


_COMMANDS = {
    "bosses": ("bosses",),
    "boss_pages": ("codex", "rubric", "new"),
    "judge": ("judge",),
    "impostors": ("impostors",),
    "watch": ("watch",),
    "attempts": ("attempts", "attempt"),
    "instructor": ("override", "comment"),
    "attempt_reports": ("compare", "replay", "card", "progress"),
    "batch": ("batch",),
    "evaluate": ("evaluate",),
    "serve": ("serve",),
    "mcp": ("mcp",),
    "check": ("check",),
    "pack": ("pack",),
    "autograder": ("export-autograder",),
    "authoring": ("lint", "calibrate", "new-boss"),
    "lab": ("lab",),
    "doctor": ("doctor", "schema"),
    "completion": ("completion",),
    "add": ("add", "packs"),
}
"""The commands of each module, named like their functions; all other commands are in modules that open the game."""


def _run_command_line(argv: Sequence[str] | None) -> int:
    parser = command_line()
    if "_ARGCOMPLETE" in os.environ:  # a shell asks for completions
        from evalforge.cli.completion import complete

        complete(parser)
    try:
        arguments = parser.parse_args(argv)
    except SystemExit as exit_request:  # help, the version, or a usage error
        return int(exit_request.code or ExitStatus.SUCCESS)
    check_trust(arguments)
    return _dispatch(arguments)


def _dispatch(arguments: Namespace) -> int:
    """Import the module of the requested command and run it; without a command, run the game."""
    from importlib import import_module

    command = arguments.command or "play"
    module = next((module for module, commands in _COMMANDS.items() if command in commands), "play")
    return getattr(import_module(f"evalforge.cli.commands.{module}"), command.replace("-", "_"))(arguments)
