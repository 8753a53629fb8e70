"""The game in a terminal during a real fight: smoothness, cost of a frame, memory, keys, and how soon it lets go."""

import json
import os
import select
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from benchmarks.startup import environment
from benchmarks.terminal import in_terminal

ROOT = Path(__file__).resolve().parent.parent
EXEMPLAR = ROOT / "bosses/furnace-controller/exemplars/solid"

_FIGHT = """
import asyncio, json, os, resource, sys, time
from pathlib import Path
from evalforge.app.app import EvalForge
from evalforge.app.core import start_request
from evalforge.app.launch import open_engine
from evalforge.app.core.services import Services
from evalforge.app.fight.screen import FightScreen

told, home, folder, leave = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4] == "leave"
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
    bosses=(Path("bosses"),), history=history, engine=lambda: open_engine(history), motion="full",
    start=start_request.fight("furnace-controller", folder),
)).run()
"""

_KEYS = """
import asyncio, json, sys, time
from datetime import UTC, datetime
from pathlib import Path
from evalforge.app.app import EvalForge
from evalforge.app.attempts.attempt_list import AttemptsScreen
from evalforge.app.core.services import Services
from evalforge.app.attempts.attempt_table import AttemptTable
from evalforge.history.store import History

told, home = Path(sys.argv[1]), Path(sys.argv[2])
path = home / "attempts.sqlite3"
with History(path) as store:
    row = ("golem", "Stone Golem", "r", "judged", datetime.now(UTC).isoformat(), "/x", "forge", "{}", "full", "c",
           4, 8, 0.5, "borderline", "[]", "", "")
    store._db.execute("BEGIN")
    store._db.executemany(
        "INSERT INTO attempts (id, number, boss_id, boss_title, rubric_hash, state, started_at, directory, judge, "
        "judge_info, isolation, content_hash, score_total, score_max, integrity, verdict, levels, ungraded_reason, "
        f"owner) VALUES ({', '.join('?' * 19)})", [(f"a{n:07}", n, *row) for n in range(100_000)])
    store._db.execute("COMMIT")

painted = []
display = EvalForge._display

def displayed(app, screen, renderable):
    display(app, screen, renderable)
    if renderable is not None:
        renderable.render_segments(app.console)
        painted.append(time.perf_counter())

EvalForge._display = displayed

async def main():
    app = EvalForge(Services(bosses=(Path("bosses"),), history=path, engine=None, motion="none"))
    taken = []
    async with app.run_test(size=(120, 40)) as pilot:
        await app.push_screen(AttemptsScreen())
        while not app.screen.query(AttemptTable) or app.screen.query_one(AttemptTable).count < 100_000:
            await pilot.pause(0.05)
        table = app.screen.query_one(AttemptTable)
        for action, argument in (("move", 1), ("page", 1), ("move", 10**9), ("page", -1), ("move", -10**9)) * 8:
            began = time.perf_counter()
            before = len(painted)
            getattr(table, f"action_{action}")(argument)
            while len(painted) == before:
                await asyncio.sleep(0)
            taken.append(painted[before] - began)
            await pilot.pause(0.05)
    told.write_text(json.dumps(taken))

asyncio.run(main())
"""


def main(rounds: int) -> None:
    """Print the figures of ``rounds`` fights (five at most: each is watched from beginning to end)."""
    fights = [_fight("stay")[0] for _ in range(min(rounds, 5))]
    quits = [ended - told["left"] for told, ended in (_fight("leave") for _ in range(min(rounds, 5)))]
    print("\nA real fight in a terminal of 120x40, full motion")
    _line("longest gap of the event loop", [fight["gap"] * 1000 for fight in fights], "ms")
    _line("frames a second", [fight["frames"] / fight["seconds"] for fight in fights], "")
    _line("bytes a frame", [fight["written"] / max(1, fight["frames"]) for fight in fights], "")
    _line("share of a core", [100 * fight["cpu"] / fight["seconds"] for fight in fights], "%")
    _line("memory at its highest", [fight["rss"] / 1024 for fight in fights], "MB")
    _line("from quitting among the trials to the end of the process", [1000 * took for took in quits], "ms")
    taken = [1000 * seconds for seconds in _keys()]
    print("\nA list of 100,000 attempts: from a key to its paint")
    _line("each of 40 moves, 16 of them to an end", taken, "ms")


def _line(name: str, values: list[float], unit: str) -> None:
    print(f"  {name:<58} {statistics.median(values):9.1f} median {max(values):9.1f} max {unit}")


def _fight(mode: str) -> tuple[dict[str, float], float]:
    """What a game told about a fight, and when its process ended."""
    with tempfile.TemporaryDirectory() as home:
        told = Path(home) / "told.json"
        ended = _in_terminal([sys.executable, "-c", _FIGHT, str(told), home, str(EXEMPLAR), mode], home)
        return json.loads(told.read_text("utf-8")), ended


def _keys() -> list[float]:
    with tempfile.TemporaryDirectory() as home:
        told = Path(home) / "told.json"
        subprocess.run([sys.executable, "-c", _KEYS, str(told), home], cwd=ROOT, env=environment(home), check=True)
        return json.loads(told.read_text("utf-8"))


def _in_terminal(command: list[str], home: str, limit: float = 120.0) -> float:
    """Run a program in a terminal of 120x40 to its end, reading all it writes; when it ended.

    Raises:
        TimeoutError: It did not end.
    """
    variables = {name: value for name, value in environment(home).items() if name not in ("COLUMNS", "LINES")}
    end = time.monotonic() + limit
    with in_terminal(command, variables, (40, 120), ROOT) as (pid, terminal):
        while time.monotonic() < end:
            if select.select([terminal], [], [], 0.01)[0]:
                with suppress(OSError):  # what it wrote last is read, and the terminal is closed
                    os.read(terminal, 1 << 16)
            if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                return time.monotonic()
    raise TimeoutError(f"{command[0]} did not end in {limit:.0f} s")
