"""Start-up: the command line beside bare Python, the game's first frame beside a bare Textual app, and imports."""

import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import Contender, Options, race, run_program, table
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

# What the first frame imports. The roster is shown as in the game, without a terminal.
_FIRST_FRAME = """
import os, sys
from textual.screen import Screen
show = Screen._compositor_refresh
def show_and_leave(screen):
    show(screen)
    sys.stderr.flush()
    os._exit(0)
import evalforge.__main__
import evalforge.cli.main
from evalforge.cli.parser import command_line
from evalforge.cli import settings
import evalforge.cli.commands.play
from evalforge.app.app import EvalForge
from evalforge.app.core.services import Services
config = settings.load(command_line().parse_args([]))
game = EvalForge(Services(config.bosses, config.history))
Screen._compositor_refresh = show_and_leave
game.run(headless=True)
"""
_BARE_FRAME = _BARE_APP.replace(
    "Bare().run()",
    "import os\nBare.on_ready = lambda self: self.call_after_refresh(os._exit, 0)\nBare().run(headless=True)",
)
_IMPORT = re.compile(r"import time: +(\d+) \| +\d+ \| +(\S+)")
"""A line of ``python -X importtime``: microseconds without what is imported within, and the module."""
_MOST_SHOWN = 12


class Imports(NamedTuple):
    """What a program imports, with milliseconds of each module itself."""

    name: str
    ms_of: dict[str, float]

    @property
    def total_ms(self) -> float:
        """All of them."""
        return sum(self.ms_of.values())


def environment(home: str) -> dict[str, str]:
    """A terminal's environment, with a home of its own."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "TERM": "xterm-256color", "COLORTERM": "truecolor", "EVALFORGE_HOME": home}


def imports_of(name: str, command: list[str], variables: dict[str, str], rounds: int) -> Imports:
    """What a program imports, as medians over some runs; the timing itself makes every import slower."""
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        timed = subprocess.run(
            [sys.executable, "-X", "importtime", *command], env=variables, capture_output=True, text=True, check=True
        )
        for micros, module in _IMPORT.findall(timed.stderr):
            found.setdefault(module, []).append(int(micros) / 1000)
    return Imports(name, {module: statistics.median(times) for module, times in found.items()})


def print_imports(evalforge: str, variables: dict[str, str], rounds: int) -> None:
    """The import budget: how many modules each program imports, how long that takes, and which take longest."""
    budgets = [
        imports_of(name, command, variables, rounds)
        for name, command in (
            ("python -c pass", ["-c", "pass"]),
            ("evalforge --version", [evalforge, "--version"]),
            ("evalforge bosses", [evalforge, "bosses"]),
            ("a bare Textual app", ["-c", _BARE_FRAME]),
            ("evalforge: the roster", ["-c", _FIRST_FRAME]),
        )
    ]
    base = budgets[0]
    print(f"\nImport budget\n  {'':<52} {'modules':>9} {'ms':>9}   ratio")
    for budget in budgets:
        ratio = budget.total_ms / base.total_ms
        print(f"  {budget.name:<52} {len(budget.ms_of):>9} {budget.total_ms:>9.1f}  {ratio:6.2f}")
    print(f"  (medians of {rounds} runs, timing included; ratio to the first line)")
    for budget, known in zip(budgets[1:], (base, base, base, budgets[3]), strict=True):
        added = {module: ms for module, ms in budget.ms_of.items() if module not in known.ms_of}
        longest = sorted(added, key=lambda module: -added[module])[:_MOST_SHOWN]
        print(f"  {budget.name} beyond {known.name}: {len(added)} modules, {sum(added.values()):.1f} ms; most by")
        print("    " + ", ".join(f"{module} {added[module]:.1f}" for module in longest))


def main(options: Options) -> None:
    """Print the tables."""
    evalforge = str(Path(sys.executable).parent / "evalforge")
    with tempfile.TemporaryDirectory() as home:
        variables = environment(home)
        # The welcome is for the first start only; what is measured is every other one.
        (Path(home) / "welcomed").write_text("")

        def shell(*command: str) -> Contender:
            name = " ".join((Path(command[0]).name, *command[1:]))
            return Contender(name, lambda: run_program(command, Path(home), variables))

        timings = race(
            [
                shell(sys.executable, "-c", "pass"),
                shell(evalforge, "--version"),
                shell(evalforge, "--help"),
                shell(evalforge, "bosses"),
                shell(sys.executable, "-c", "import textual.app"),
            ],
            options,
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
            options,
        )
        table("Start to first frame, 80x24", frames)
        print_imports(evalforge, variables, max(1, options.rounds // 2))
