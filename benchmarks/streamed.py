"""A fight before a model judge whose reply comes in pieces: how soon each criterion strikes, and what it takes.

The server is a scripted one on loopback, in this process; the game runs in a terminal of its own. Linux only.
"""

import json
import math
import os
import statistics
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.measure import Options
from benchmarks.memory import proportional, tree
from benchmarks.startup import environment
from benchmarks.terminal import in_terminal, read_written
from tests.judges.replies import judgement
from tests.messages_server import Answer, MessagesServer, Part, Pause, stream_of, token_count

ROOT = Path(__file__).resolve().parent.parent
EXEMPLARS = ROOT / "bosses/training-dummy/exemplars"
LEVELS = {"strikes_true": 3, "stands_its_ground": 2, "clean_form": 1, "shows_the_proof": 1}
_LINE = '"""Training Dummy: prints one line for every blow."""'
_BETWEEN = 0.4
_PIECE = 12
_BEFORE_TEXT = 3
"""Events of a stream before its first piece of text."""
_GAME = """
import sys
from pathlib import Path
from evalforge.app.app import EvalForge
from evalforge.app.core.services import Services
from evalforge.app.core.navigation import StartRequest
from evalforge.llm.model_options import ModelOptions
from evalforge.packs.locations import HISTORY

home, folder, server, motion = Path(sys.argv[1]), *sys.argv[2:]
EvalForge(Services(
    bosses=(Path("bosses"),), history=home / HISTORY, judge="claude", motion=motion,
    start=StartRequest("training-dummy", lambda navigator, pack: navigator.open_fight(pack, Path(folder))),
    models=ModelOptions(("m",), server),
)).run()
"""


class _Mark(threading.Event):
    """Notes when everything before it was sent, and lets the rest wait a little."""

    def __init__(self) -> None:
        super().__init__()
        self.at = 0.0

    def wait(self, timeout: float | None = None) -> bool:
        """Called by the server once what comes before is on the wire."""
        self.at = self.at or time.perf_counter()
        time.sleep(_BETWEEN)
        return True


@dataclass
class Streamed:
    """One fight: seconds from the wire to the screen for each criterion, and what the game took meanwhile."""

    lags: list[float] = field(default_factory=list[float])
    cpu_share: float = 0.0
    memory: int = 0


def word(criterion: str) -> str:
    """What tells a criterion's comment on the screen.

    No two words share a letter in a place: the game draws only cells that look different.
    """
    turn = list(LEVELS).index(criterion)
    return "WXYZ"[turn:] + "WXYZ"[:turn]


def answer(marks: dict[str, _Mark]) -> Answer:
    """A reply in pieces of a few characters, with a mark behind the piece that makes a criterion whole."""
    reply = judgement(dict(LEVELS), ("dummy.py", 1, _LINE))
    for name, said in reply["criteria"].items():
        said["comment"] = f"{word(name)} is what it says."
    text = json.dumps(reply)
    parts: list[Part] = list(stream_of(text, pieces=_PIECE))
    # From the last on, so that none moves the places of those before it.
    for name in reversed(LEVELS):
        said = json.dumps(reply["criteria"][name])
        end = text.index(said, text.index(f'"{name}":')) + len(said)
        parts.insert(_BEFORE_TEXT + math.ceil(end / _PIECE), Pause(marks[name]))
    return Answer(parts)


def fight(home: Path, exemplar: Path, motion: str) -> Streamed:
    """Fight once, and watch the screen.

    Raises:
        RuntimeError: The game ended.
        TimeoutError: A strike never came.
    """
    marks = {name: _Mark() for name in LEVELS}
    (home / "welcomed").touch()
    with MessagesServer([answer(marks)], token_count(1000)) as server:
        command = [sys.executable, "-c", _GAME, str(home), str(exemplar), server.url, motion]
        variables = {**environment(home), "ANTHROPIC_API_KEY": "none"}
        with in_terminal(command, variables, (45, 140), ROOT) as (pid, terminal):
            return _watch(pid, terminal, marks)


def _watch(pid: int, terminal: int, marks: dict[str, _Mark]) -> Streamed:
    found, seen, shown = Streamed(), b"", dict[str, float]()
    first, end = (0.0, 0.0), time.perf_counter() + 60
    while len(shown) < len(marks):
        if time.perf_counter() > end:
            raise TimeoutError(f"only {list(shown)} struck")
        seen = (seen + read_written(terminal, 0.1, seen))[-200_000:]
        now = time.perf_counter()
        for name in marks.keys() - shown.keys():
            if word(name).encode() in seen:
                shown[name] = now
                found.memory = max(found.memory, sum(map(proportional, tree(pid))))
                first = first if first[0] else (now, _cpu(pid))
    found.lags = [shown[name] - mark.at for name, mark in marks.items()]
    found.cpu_share = (_cpu(pid) - first[1]) / (time.perf_counter() - first[0])
    return found


def _cpu(pid: int) -> float:
    """Seconds of processor time a process took so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(options: Options) -> None:
    """Print how soon the criteria of a streamed fight strike."""
    print("\na fight before a model judge, streamed from loopback (wire: the criterion's last byte is sent)")
    exemplar = EXEMPLARS / options.size("flawless", "hollow-proof")
    for motion in options.size(("none", "full"), ("none",)):
        fights = []
        for _ in range(options.size(max(3, options.rounds // 4), 1)):
            with tempfile.TemporaryDirectory() as home:
                fights.append(fight(Path(home), exemplar, motion))
        lags = sorted(lag * 1000 for each in fights for lag in each.lags)
        share = statistics.median(each.cpu_share for each in fights)
        memory = max(each.memory for each in fights) / 2**20
        print(f"  motion {motion}, {len(lags)} strikes")
        print(f"    wire to screen   median {statistics.median(lags):6.1f} ms   longest {lags[-1]:6.1f} ms")
        print(f"    processor        {share:6.0%} of a core while it streams")
        print(f"    memory           {memory:6.0f} MB, the cage's processes included")
