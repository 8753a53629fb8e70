"""The game in a terminal during a real fight: smoothness, cost of a frame, memory, keys, and how soon it lets go."""

import json
import os
import select
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from benchmarks.measure import Options, run_program
from benchmarks.startup import environment
from benchmarks.terminal import in_terminal, readable_end

ROOT = Path(__file__).resolve().parent.parent

_FIGHT = """
import asyncio, json, os, resource, sys, time
from pathlib import Path
from evalforge.app.app import EvalForge
from evalforge.app.core.services import Services
from evalforge.app.core.navigation import StartRequest
from evalforge.app.fight.screen import FightScreen

told, home, boss, folder, leave = Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:5], sys.argv[5] == "leave"
history = home / "attempts.sqlite3"

async def tick(app):
    gaps, clock = [], time.monotonic
    while not (isinstance(app.screen, FightScreen) and app.screen.fight.is_judging):
        await asyncio.sleep(0.005)
    write, counts = app._driver.write, {"frames": 0, "written": 0}

    def counted(data):
        counts["written"] += len(data.encode())
        counts["frames"] += "\\x1b[" in data
        write(data)

    app._driver.write = counted
    cpu, began, last = time.process_time(), clock(), clock()
    while app.screen.fight.is_judging:
        await asyncio.sleep(0.005)
        gaps.append(clock() - last - 0.005)
        last = clock()
        if leave and app.screen.fight.record.trials:
            break
    told.write_text(json.dumps({
        "seconds": clock() - began, "gap": max(gaps), "cpu": time.process_time() - cpu, "left": clock(),
        "rss": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, **counts,
    }))
    app.exit()

EvalForge.on_ready = lambda app: setattr(app, "ticking", asyncio.create_task(tick(app)))
EvalForge(Services(
    bosses=(Path("bosses"),), history=history, motion="full",
    start=StartRequest(boss, lambda navigator, pack: navigator.open_fight(pack, Path(folder))),
)).run()
"""

_KEYS = """
import asyncio, json, sys, time
from pathlib import Path
from benchmarks.history import generate
from evalforge.app.app import EvalForge
from evalforge.app.attempts.attempt_list import AttemptsScreen
from evalforge.app.core.services import Services
from evalforge.app.attempts.attempt_table import AttemptTable

told, path = Path(sys.argv[1]), Path(sys.argv[2]) / "attempts.sqlite3"
count, rounds = map(int, sys.argv[3:])
generate(path, count)
painted = []
display = EvalForge._display

def displayed(app, screen, renderable):
    display(app, screen, renderable)
    if renderable is not None:
        renderable.render_segments(app.console)
        painted.append(time.perf_counter())

EvalForge._display = displayed

async def main():
    app = EvalForge(Services(bosses=(Path("bosses"),), history=path, motion="none"))
    taken = []
    async with app.run_test(size=(120, 40)) as pilot:
        await app.push_screen(AttemptsScreen())
        while not app.screen.query(AttemptTable) or app.screen.query_one(AttemptTable).count < count:
            await pilot.pause(0.05)
        app.screen.query_one(AttemptTable).focus()
        for key in ("down", "pagedown", "end", "pageup", "home") * rounds:
            await pilot.pause(0.05)
            began = time.perf_counter()
            before = len(painted)
            await pilot.press(key)
            while len(painted) == before:
                await asyncio.sleep(0)
            taken.append(painted[before] - began)
    told.write_text(json.dumps(taken))

asyncio.run(main())
"""


def main(options: Options) -> None:
    """Print the figures of some fights (five at most: each is watched from beginning to end)."""
    exemplar = (
        ROOT / "bosses" / options.size("furnace-controller/exemplars/solid", "training-dummy/exemplars/first-win")
    )
    count, key_rounds = options.size((100_000, 8), (300, 1))
    rounds = range(options.at_most(5).rounds)
    fights = [_fight(exemplar, "stay")[0] for _ in rounds]
    quits = [ended - told["left"] for told, ended in (_fight(exemplar, "leave") for _ in rounds)]
    print("\nA real fight in a terminal of 120x40, full motion")
    _line("longest gap of the event loop", [fight["gap"] * 1000 for fight in fights], "ms")
    _line("frames a second", [fight["frames"] / fight["seconds"] for fight in fights], "")
    _line("bytes a frame", [fight["written"] / max(1, fight["frames"]) for fight in fights], "")
    _line("share of a core", [100 * fight["cpu"] / fight["seconds"] for fight in fights], "%")
    _line("memory at its highest", [fight["rss"] / 1024 for fight in fights], "MB")
    _line("from quitting among the trials to the end of the process", [1000 * took for took in quits], "ms")
    taken = [1000 * seconds for seconds in _keys(count, key_rounds)]
    print(f"\nA list of {count:,} attempts: from a key to its paint")
    _line("moves by a row, by a page and to both ends", taken, "ms")


def _line(name: str, values: list[float], unit: str) -> None:
    print(f"  {name:<58} {statistics.median(values):9.1f} median {max(values):9.1f} max {unit}")


def _fight(exemplar: Path, mode: str) -> tuple[dict[str, float], float]:
    """What a game told about a fight, and when its process ended."""
    with tempfile.TemporaryDirectory() as home:
        told = Path(home) / "told.json"
        boss = exemplar.parent.parent.name
        ended = _in_terminal([sys.executable, "-c", _FIGHT, str(told), home, boss, str(exemplar), mode], home)
        return json.loads(told.read_text("utf-8")), ended


def _keys(count: int, rounds: int) -> list[float]:
    with tempfile.TemporaryDirectory() as home:
        told = Path(home) / "told.json"
        run_program([sys.executable, "-c", _KEYS, str(told), home, str(count), str(rounds)], ROOT, environment(home))
        return json.loads(told.read_text("utf-8"))


def _in_terminal(command: list[str], home: str, limit: float = 120.0) -> float:
    """Run a program in a terminal of 120x40 to its end, reading all it writes; when it ended.

    Raises:
        RuntimeError: It failed; the message is the end of what it wrote.
        TimeoutError: It did not end.
    """
    variables = {name: value for name, value in environment(home).items() if name not in ("COLUMNS", "LINES")}
    end, seen = time.monotonic() + limit, b""
    with in_terminal(command, variables, (40, 120), ROOT) as (pid, terminal):
        while time.monotonic() < end:
            if select.select([terminal], [], [], 0.01)[0]:
                with suppress(OSError):  # what it wrote last is read, and the terminal is closed
                    seen = (seen + os.read(terminal, 1 << 16))[-20_000:]
            if ended := os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                if ended.si_status:
                    raise RuntimeError(readable_end(seen))
                return time.monotonic()
    raise TimeoutError(f"{command[0]} did not end in {limit:.0f} s")
