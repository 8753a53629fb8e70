"""Killed at any moment (EVALFORGE_KILLS of them; a few otherwise): no item is lost, and none is paid twice."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from evalforge.evaluate.evaluation import Evaluation
from evalforge.evaluate.journal import CallAnswered, read_journal
from evalforge.evaluate.ledger import read_ledgers
from tests.conftest import REPOSITORY
from tests.evaluate.conftest import Serve, priced
from tests.evaluate.item_server import ItemServer, Question, element, honest, score_of

Nursery = "subprocess.Popen[str]"
KILLS = int(os.environ.get("EVALFORGE_KILLS", "4"))
CALLS_A_LIFE = 5
"""How many calls a process lives for, on average."""


@pytest.fixture(scope="module")
def nursery() -> Iterator["subprocess.Popen[str]"]:
    """Where processes begin quickly."""
    # Nothing of the person who runs it reaches a process: no key, no profile, no proxy.
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "TMPDIR")}
    environment = {**kept, "PYTHONPATH": str(REPOSITORY), "HOME": "/nonexistent"}
    command = [sys.executable, "-m", "tests.evaluate.nursery"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=REPOSITORY
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


@dataclass
class Lives:
    """One evaluation, killed again and again until it has had enough, then left to end."""

    server: ItemServer
    home: Path
    items: int
    engine: str
    chance: random.Random
    nursery: "subprocess.Popen[str]"
    asked_again: set[str] = field(default_factory=set[str])

    @property
    def journal(self) -> Path:
        return self.home / "evaluations" / "straw" / "1" / "journal.jsonl"

    def prepare(self) -> None:
        lines = (json.dumps({"item_id": f"i{n}", "text": f"text {n}"}) + "\n" for n in range(self.items))
        (self.home / "items.jsonl").write_text("".join(lines))
        # Every killed call is held to have been paid at its most; many kills need room.
        judge = {"rubric": "Rate 1-5.", "sample_size": self.items, "max_total_cost_usd": 100}
        spec = {"name": "straw", "items": "items.jsonl", "judge": judge}
        (self.home / "straw.yaml").write_text(json.dumps(spec))

    def begin(self) -> int:
        """A process that evaluates. Gives its id."""
        arguments = [
            *("evaluate", str(self.home / "straw.yaml"), "--json", "--engine", self.engine, "--concurrency", "4"),
            *("--model", "m", "--base-url", self.server.url),
        ]
        order = {
            "arguments": arguments,
            "home": str(self.home),
            "out": str(self.home / "out"),
            "err": str(self.home / "err"),
        }
        assert self.nursery.stdin is not None
        self.nursery.stdin.write(json.dumps(order) + "\n")
        self.nursery.stdin.flush()
        return self._line()

    def end(self) -> int:
        """How it ended, once it has."""
        return self._line()

    def _line(self) -> int:
        assert self.nursery.stdout is not None
        return int(self.nursery.stdout.readline())

    def scored(self) -> set[str]:
        """Items with a score on record."""
        replies = (record.text for record in read_journal(self.journal) if isinstance(record, CallAnswered))
        return {str(one["item_id"]) for reply in replies for one in json.loads(reply)}

    def killed(self, moment: Callable[[], bool]) -> bool:
        """Live until a moment, and a random little beyond; whether there was anything to kill."""
        known, before = self.scored(), len(self.server.questions)
        pid = self.begin()
        deadline = time.monotonic() + 60
        while not moment() and time.monotonic() < deadline and self._is_alive(pid):
            time.sleep(0.002)
        time.sleep(self.chance.uniform(0, 0.08))
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        was_killed = self.end() == -signal.SIGKILL
        self.asked_again |= known & self._asked_since(before)
        return was_killed

    def left_alone(self) -> Evaluation:
        known, before = self.scored(), len(self.server.questions)
        self.begin()
        assert self.end() == 0, (self.home / "err").read_text()
        self.asked_again |= known & self._asked_since(before)
        return Evaluation.model_validate_json((self.home / "out").read_text())

    def _is_alive(self, pid: int) -> bool:
        # Who has ended is waited for at once, so that its number is free.
        with suppress(ProcessLookupError):
            os.kill(pid, 0)
            return True
        return False

    def _asked_since(self, before: int) -> set[str]:
        return {str(item_id) for question in self.server.questions[before:] for item_id in question.ids}


def check(lives: Lives, found: Evaluation) -> None:
    """Nothing lost, nothing asked again that was known, nothing beyond what the books say."""
    assert {str(item.item_id): item.fields["score"] for item in found.items} == {
        f"i{n}": score_of(f"i{n}") for n in range(lives.items)
    }
    assert not lives.asked_again
    records = list(read_journal(lives.journal))
    assert max(Counter(record.call for record in records if isinstance(record, CallAnswered)).values()) == 1
    assert found.cost.usd == pytest.approx(read_ledgers(lives.journal)[""].max_usd)


@pytest.mark.parametrize("keeps", [True, False], ids=["a server that knows repeated calls", "one that doesn't"])
def test_calls_killed_at_random_moments(serve: Serve, own_home: Path, nursery: Nursery, keeps: bool) -> None:
    priced(own_home)
    chance = random.Random(7)
    server = serve(_often_incomplete, latency=0.03, keeps=keeps)
    lives = Lives(server, own_home, KILLS * CALLS_A_LIFE * 5, "messages", chance, nursery)
    lives.prepare()
    kills = 0
    for _ in range(KILLS):
        begun, calls = len(server.questions), chance.randrange(2 * CALLS_A_LIFE)
        kills += lives.killed(lambda begun=begun, calls=calls: len(server.questions) >= begun + calls)
    found = lives.left_alone()
    check(lives, found)
    twice = sum(count - 1 for count in server.worked.values())
    print(
        f"\n{kills} kills, {lives.items} items, {len(server.questions)} calls: none lost, none with a score on record "
        f"asked for again; {twice} of the calls that were cut in the air were worked on twice"
    )
    if keeps:
        assert twice == 0
    else:
        # At most those under way at each kill. They are held to have been paid, so that the cap holds all the same.
        assert twice <= kills * 4
        assert found.cost.usd is not None
        assert found.cost.usd >= sum(server.worked.values()) * (1000 + 200) * 10 / 1e6 - 1e-9


def _often_incomplete(question: Question) -> str:
    """Now and then an item is left out, so that there are calls which follow from others."""
    first = question.ids[0]
    if len(question.ids) == 5 and score_of(first) == 2:
        return json.dumps([element(item_id) for item_id in question.ids[1:]])
    return honest(question)


def test_message_batches_killed_at_random_moments(serve: Serve, own_home: Path, nursery: Nursery) -> None:
    chance = random.Random(11)
    kills = created = 0
    for run in range(KILLS):
        home = own_home / str(run)
        home.mkdir()
        priced(home)
        server = serve(_often_incomplete)
        lives = Lives(server, home, 60, "message-batches", chance, nursery)
        lives.prepare()
        for life in range(4):
            begun, more = _looks(server), chance.randrange(4)
            # Early lives end around the creation, later ones around the results.
            server.batch_looks = 10**9 if life < 2 else 1
            kills += lives.killed(lambda server=server, begun=begun, more=more: _looks(server) >= begun + more)
        server.batch_looks = 1
        check(lives, lives.left_alone())
        names = [request["custom_id"] for batch in server.batches.values() for request in batch.requests]
        assert len(names) == len(set(names))
        created += server.created
        if kills >= KILLS:
            break
    print(f"\n{kills} kills, {created} batches: none lost, none handed in twice")


def _looks(server: ItemServer) -> int:
    """How often the server was asked about batches, more or less."""
    return server.created + sum(batch.looks for batch in server.batches.values())


def test_stopping_politely_says_how_to_go_on(serve: Serve, own_home: Path, nursery: Nursery) -> None:
    server = serve(latency=0.2)
    lives = Lives(server, own_home, 40, "messages", random.Random(1), nursery)
    lives.prepare()
    pid = lives.begin()
    deadline = time.monotonic() + 60
    while not server.questions and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(pid, signal.SIGTERM)
    assert lives.end() == 130
    assert (own_home / "out").read_text() == ""
    told = (own_home / "err").read_text()
    assert "the same command to continue" in told
    assert "Traceback" not in told
    assert len(lives.left_alone().items) == 40
