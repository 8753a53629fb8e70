"""Start-up: the command line beside bare Python, the game's first frame beside a bare Textual app."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import Contender, race, table
from benchmarks.terminal import seconds_to_show

_BARE_APP = """
from textual.app import App
from textual.widgets import Footer, Header, Static

class Bare(App):
    BINDINGS = [("q", "quit", "Quit"), ("h", "help", "Help"), ("s", "save", "Save")]
    def compose(self):
        yield Header()
        yield Static("first frame")
        yield Footer()

Bare().run()
"""


def environment(home: str) -> dict[str, str]:
    """A terminal's environment, with a home of its own."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "TERM": "xterm-256color", "COLORTERM": "truecolor", "EVALFORGE_HOME": home}


def main(rounds: int) -> None:
    """Print both tables."""
    evalforge = str(Path(sys.executable).parent / "evalforge")
    with tempfile.TemporaryDirectory() as home:
        variables = environment(home)
        # The welcome is for the first start only; what is measured is every other one.
        (Path(home) / "welcomed").write_text("")

        def shell(*command: str) -> Contender:
            name = " ".join((Path(command[0]).name, *command[1:]))
            return Contender(
                name, lambda: subprocess.run(command, env=variables, capture_output=True, check=True) and None
            )

        timings = race(
            [
                shell(sys.executable, "-c", "pass"),
                shell(evalforge, "--version"),
                shell(evalforge, "--help"),
                shell(evalforge, "bosses"),
                shell(sys.executable, "-c", "import textual.app"),
            ],
            rounds,
        )
        table("Command line: start to end", timings)
        frames = race(
            [
                Contender(
                    "a bare Textual app (Header, Static, Footer)",
                    lambda: seconds_to_show([sys.executable, "-c", _BARE_APP], b"first frame", variables),
                ),
                Contender(
                    "evalforge: the roster",
                    lambda: seconds_to_show([evalforge], b"Furnace Controller", variables),
                ),
            ],
            rounds,
        )
        table("Start to first frame, 80x24", frames)
