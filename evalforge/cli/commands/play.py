"""Start the game."""

import os
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from evalforge.cli import settings
from evalforge.model.errors import UsageError

if TYPE_CHECKING:
    from evalforge.app.start_request import StartRequest


def play(arguments: Namespace) -> int:
    """Run the game in this terminal."""
    return start(arguments)


def start(arguments: Namespace, request: "StartRequest | None" = None) -> int:
    """Run the game in this terminal, with something else than the roster in front."""
    if not (_in_browser() or (sys.stdin.isatty() and sys.stdout.isatty())):
        raise UsageError("The game needs a terminal.", "For pipes and scripts: evalforge judge BOSS DIR --plain")
    if os.environ.get("TERM") == "dumb" and not _in_browser():
        raise UsageError("This terminal can't draw (TERM=dumb).", "Use: evalforge judge BOSS DIR --plain")
    chosen = settings.load(arguments)
    from evalforge.app.launch import run
    from evalforge.app.start_request import ROSTER

    return run(
        chosen.home,
        chosen.bosses,
        judge=chosen.judge,
        motion=chosen.motion,
        theme=chosen.theme,
        models=chosen.models,
        python=chosen.python,
        trusted=chosen.trusted,
        start=request or ROSTER,
    )


def _in_browser() -> bool:
    """Whether `evalforge serve` started us: the page is the terminal then."""
    return os.environ.get("TEXTUAL_DRIVER", "").endswith(":WebDriver")
