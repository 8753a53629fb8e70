"""Whatever EvalForge itself fails at ends as *ungraded*, with a reason and a log; never as a fact about the code."""

from contextlib import aclosing
from pathlib import Path

import pytest

from evalforge.evidence import engine
from evalforge.fight import FightOptions, Forge
from evalforge.model.events import Event, FactMeasured, Judged, Ungraded
from evalforge.packs.pack import BossPack, load_pack
from tests.command_line import run
from tests.conftest import REPOSITORY

WORKER = "import sys; sys.path.insert(0, sys.argv[1]); "
HELPERS = """
import os, signal
import evalforge.evidence.suite.examination as examiner
import evalforge.evidence.trial_worker as worker
reader = sys.modules["evalforge.evidence.static.read_code"]
def raises(*_): return 1 + "1"
def dies(*_): os.kill(os.getpid(), signal.SIGSEGV)
def hangs(*_):
    while True: pass
def fills_memory(*_): return bytearray(1 << 60)
worker.MAX_READING_SECONDS = examiner.MAX_CPU_SECONDS = 1
"""
TYPE_ERROR = "EvalForge failed: TypeError: unsupported operand type(s) for +: 'int' and 'str'."
READER = "The process for reading the code"
EXAMINER = "The process for examining the tests"
TRIALS = "The process that runs the trials"
HOLDER = "The process that holds the trials"
FAULTS = {
    "reader raises": ("worker.read_code = raises", TYPE_ERROR),
    "reader dies": ("worker.read_code = dies", f"EvalForge failed: {READER} was ended by signal 11"),
    "reader hangs": ("worker.read_code = hangs", f"EvalForge failed: {READER} took too long."),
    "reader fills its memory": ("worker.read_code = fills_memory", "EvalForge failed: MemoryError."),
    "analysis of code raises": ("reader.ImportWork = raises", TYPE_ERROR),
    "examiner raises": ("examiner.meet_impostors = raises", TYPE_ERROR),
    "examiner dies": ("examiner.meet_impostors = dies", f"EvalForge failed: {EXAMINER} was ended by signal 11"),
    "examiner hangs": ("examiner.meet_impostors = hangs", f"EvalForge failed: {EXAMINER} took too long."),
    "examiner fills its memory": ("examiner.meet_impostors = fills_memory", "EvalForge failed: MemoryError."),
    "trials raise": ("worker.gather = raises", TYPE_ERROR),
    "trials die": ("worker.gather = dies", f"EvalForge failed: {TRIALS} was ended by signal 11"),
    "trials hang": ("worker.gather = hangs", f"EvalForge failed: {HOLDER} went silent for 3 s."),
    "trials fill their memory": ("worker.gather = fills_memory", "EvalForge failed: MemoryError."),
    "worker raises": ("worker.collect_trials = raises", TYPE_ERROR),
    "worker can't start": ("worker.Host = raises", TYPE_ERROR),
    "worker dies": ("worker.Host = dies", f"EvalForge failed: {HOLDER} was ended by signal 11"),
}


@pytest.fixture(scope="module")
def pack() -> BossPack:
    """A small boss."""
    return load_pack(REPOSITORY / "tests" / "attacks" / "boss")


def spoil(monkeypatch: pytest.MonkeyPatch, statement: str) -> None:
    """Have each worker of an engine run a statement before it begins."""
    monkeypatch.setattr(engine, "WORKER_CODE", f"{WORKER}exec({HELPERS + statement!r}); worker.main()")


async def fight(pack: BossPack) -> list[Event]:
    async with Forge() as forge:
        options = FightOptions(save=False)
        async with aclosing(forge.fight(pack, pack.path / "exemplars" / "honest", options)) as events:
            return [event async for event in events]


def log_named_in(text: str, home: Path) -> str:
    (log,) = (home / "logs").iterdir()
    assert str(log) in text
    assert "Please report it with that file" in text
    return log.read_text("utf-8")


@pytest.mark.parametrize(("statement", "reason"), FAULTS.values(), ids=FAULTS)
async def test_what_our_processes_fail_at_is_ungraded(
    statement: str, reason: str, pack: BossPack, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(monkeypatch, statement)
    if "hangs" in statement and "gather" in statement:
        monkeypatch.setattr(engine, "MAX_SILENCE_SECONDS", 3.0)
    events = await fight(pack)
    end = events[-1]
    assert isinstance(end, Ungraded)
    assert end.reason.startswith(reason)
    assert not [event for event in events if isinstance(event, Judged)]
    log = log_named_in(end.advice, own_home)
    assert ("Traceback" in log) == ("Error" in reason)


async def test_a_parser_that_dies_of_the_source_is_a_syntax_error(
    pack: BossPack, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(monkeypatch, "import ast; ast.parse = dies")
    events = await fight(pack)
    assert isinstance(events[-1], Judged)
    facts = [event.fact for event in events if isinstance(event, FactMeasured)]
    assert [fact.value for fact in facts if fact.name == "code.syntax_errors"] == [1]


async def test_a_judge_that_raises_leaves_ungraded(
    pack: BossPack, own_home: Path, warm_engine: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("level")

    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-secret-key")
    monkeypatch.setattr("evalforge.judges.forge.judged_event", fail)
    end = (await fight(pack))[-1]
    assert isinstance(end, Ungraded)
    assert end.reason == "EvalForge failed: KeyError: 'level'."
    assert "in fail" in log_named_in(end.advice, own_home)


def test_every_command_says_the_same_and_no_traceback(
    tmp_path: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(monkeypatch, "worker.read_code = raises")
    hand_in = tmp_path / "class" / "ann"
    hand_in.mkdir(parents=True)
    (hand_in / "dummy.py").write_text("print('hi')\n", "utf-8")
    judged = run("judge", "training-dummy", hand_in)
    assert judged.returncode == 3
    assert f"UNGRADED  {TYPE_ERROR}" in judged.stdout
    batch = run("batch", "training-dummy", tmp_path / "class", "--workers", 1)
    assert TYPE_ERROR in " ".join(batch.stdout.split())
    doctor = run("doctor")
    assert doctor.returncode == 1
    assert "TypeError" in doctor.stdout
    assert "Traceback" not in judged.stderr + batch.stderr + doctor.stderr
    assert len(list((own_home / "logs").iterdir())) == 1


def test_a_command_that_fails_has_a_log_and_no_secret(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise TypeError("no use for sk-ant-secret-key")

    monkeypatch.setattr("evalforge.cli.commands.bosses.bosses", fail)
    ended = run("bosses")
    assert ended.returncode == 3
    assert ended.stderr.startswith("evalforge: EvalForge failed: TypeError: no use for [hidden].")
    log = log_named_in(ended.stderr, own_home)
    assert "in fail" in log
    assert "secret" not in log
