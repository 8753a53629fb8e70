"""The command line: who answers what is asked. Loads only what the command needs."""

import os
import sys
from argparse import Namespace
from collections.abc import Sequence

from evalforge.cli.parser import command_line

DONE, NOT_PASSED, UNUSABLE, UNGRADED, INTERRUPTED = 0, 1, 2, 3, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Returns:
        The exit status.
    """
    arguments = command_line().parse_args(argv)
    from evalforge.model.errors import EvalForgeError

    try:
        return _dispatch(arguments)
    except EvalForgeError as error:
        from evalforge.model.text import clean

        print(f"evalforge: {clean(str(error))}", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        print("evalforge: stopped", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output left (`| head`): nothing is wrong, and nothing more can be told.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE


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


def _dispatch(arguments: Namespace) -> int:
    """Load the module of the one command that was asked for; without one, the game."""
    from importlib import import_module

    module, function = _COMMANDS.get(arguments.command, ("play", "play"))
    return getattr(import_module(f"evalforge.cli.{module}"), function)(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
