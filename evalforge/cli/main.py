"""The command line: who answers what is asked. Loads only what the command needs."""

from argparse import Namespace
from collections.abc import Sequence
from typing import cast

from evalforge.cli import streams
from evalforge.cli.parser import command_line
from evalforge.model.errors import EvalForgeError
from evalforge.model.text import clean

DONE, NOT_PASSED, UNUSABLE, UNGRADED, INTERRUPTED = 0, 1, 2, 3, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Returns:
        The exit status.
    """
    streams.prepare()
    status = DONE
    try:
        status = _answer(argv)
        streams.flush()
    except KeyboardInterrupt:
        streams.tell("evalforge: stopped")
        return INTERRUPTED
    except (EvalForgeError, OSError, ExceptionGroup) as error:
        reason = _first(error)
        if isinstance(reason, streams.UnreadError):
            return status
        words = _words(reason)
        if not words:
            raise
        streams.tell(f"evalforge: {clean(words)}")
        return UNUSABLE
    finally:
        streams.leave()
    return status


def _first(error: Exception) -> Exception:
    """Of several tasks that failed together, why the first did."""
    while isinstance(error, ExceptionGroup):
        error = cast("ExceptionGroup[Exception]", error).exceptions[0]
    return error


def _words(error: Exception) -> str:
    """What a person is told of an error; empty if it is a fault of ours."""
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return reason if error.filename is None else f"{error.filename}: {reason}"
    return str(error) if isinstance(error, EvalForgeError) else ""


_COMMANDS = {
    "bosses": ("packs", "bosses"),
    "codex": ("packs", "codex"),
    "rubric": ("packs", "rubric"),
    "new": ("packs", "new"),
    "judge": ("judging", "judge"),
    "watch": ("watching", "watch"),
    "attempts": ("past", "attempts"),
    "attempt": ("past", "attempt"),
    "compare": ("telling", "compare"),
    "replay": ("telling", "replay"),
    "card": ("telling", "card"),
    "progress": ("telling", "progress"),
    "batch": ("classes", "batch"),
    "evaluate": ("evaluating", "evaluate"),
    "override": ("overriding", "override"),
    "serve": ("serving", "serve"),
    "lint": ("authoring", "lint"),
    "stage": ("staging", "stage"),
    "lab": ("lab", "lab"),
    "tour": ("touring", "tour"),
    "calibrate": ("authoring", "calibrate"),
    "new-boss": ("authoring", "new_boss"),
    "doctor": ("tools", "doctor"),
    "schema": ("tools", "schema"),
}


def _answer(argv: Sequence[str] | None) -> int:
    try:
        arguments = command_line().parse_args(argv)
    except SystemExit as told:  # help, the version, or wrong usage
        return int(told.code or DONE)
    return _dispatch(arguments)


def _dispatch(arguments: Namespace) -> int:
    """Load the module of the one command that was asked for; without one, the game."""
    from importlib import import_module

    module, function = _COMMANDS.get(arguments.command, ("play", "play"))
    return getattr(import_module(f"evalforge.cli.{module}"), function)(arguments)
