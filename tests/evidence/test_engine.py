"""A warm engine: trials are collected once and performed for one submission after another."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import aclosing, suppress
from pathlib import Path

import pytest

from evalforge.evidence.engine import Engine
from evalforge.evidence.trial_worker import TEST_HOSTS
from evalforge.model.errors import SandboxError
from evalforge.model.events import TrialFinished
from evalforge.model.evidence import TrialOutcome
from tests import factories
from tests.processes import below, outliving, parents

NEEDS_PROC = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
TRIALS = '''
import pytest

SEEN = []

@pytest.mark.group("one")
def test_says(cli):
    """It says what it should."""
    SEEN.append(cli().stdout)
    assert SEEN == ["{words}\\n"], f"Said: {{SEEN}}"
'''


@pytest.fixture
async def engine() -> AsyncIterator[Engine]:
    warm = Engine()
    yield warm
    await warm.close()


def write(folder: Path, words: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "test_it.py"
    path.write_text(TRIALS.format(words=words), "utf-8")
    return folder


async def outcomes(engine: Engine, trials: Path, says: str) -> dict[str, TrialOutcome]:
    stream = engine.gather("straw", trials, ("main.py",), factories.submission(main=f"print({says!r})\n"))
    async with aclosing(stream) as events:
        told = [event.trial async for event in events if isinstance(event, TrialFinished)]
    return {trial.group: trial.outcome for trial in told}


@NEEDS_PROC
async def test_whatever_forks_has_a_single_thread(engine: Engine, tmp_path: Path) -> None:
    """A lock that another thread holds would stay locked in the child for good."""
    await outcomes(engine, write(tmp_path / "trials", "hi"), "hi")
    processes = below(os.getpid())
    statuses = [text for pid in processes if (text := _status(pid))]
    assert statuses
    assert [text for text in statuses if "\nThreads:\t1\n" not in text] == []


def _status(pid: int) -> str:
    """What the kernel says of a process; nothing once it is gone."""
    try:
        return Path(f"/proc/{pid}/status").read_text("utf-8")
    except OSError:
        return ""


async def test_the_seed_decides_what_trials_draw(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        'def test_it(rng):\n    """A number."""\n    assert False, str(rng.random())\n'
    )

    async def drawn(seed: str) -> list[str]:
        stream = engine.gather(seed, tmp_path, ("main.py",), factories.submission(main="x = 1\n"))
        async with aclosing(stream) as events:
            return [event.trial.message async for event in events if isinstance(event, TrialFinished)]

    first, again, another = [await drawn(seed) for seed in ("one", "one", "another")]
    assert first == again != another


async def test_one_submission_leaves_nothing_for_the_next(engine: Engine, tmp_path: Path) -> None:
    trials = write(tmp_path / "trials", "hello")
    for says, outcome in (("hello", "passed"), ("hello", "passed"), ("goodbye", "failed"), ("hello", "passed")):
        assert (await outcomes(engine, trials, says))["one"] == outcome


async def test_trials_of_one_name_in_two_folders_are_two(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bosses have files of the same name; their folders may be given relative to where somebody stands."""
    monkeypatch.chdir(tmp_path)
    for words in ("hello", "goodbye", "hello"):
        (tmp_path / words).mkdir(exist_ok=True)
        trials = write(tmp_path / words / "trials", words).relative_to(tmp_path)
        assert (await outcomes(engine, trials, words))["one"] == "passed"


RINGS = """
from evalforge.evidence.trials.trial_timeout import OverlongError

def pytest_runtest_{place}({argument}):
    if {where}:
        raise OverlongError("took more than 10.0 s in all")
"""


@pytest.mark.parametrize(
    ("place", "argument", "where", "outcome"),
    [
        ("logstart", "nodeid", "'first' in nodeid", TrialOutcome.TIMED_OUT),
        ("logreport", "report", "'first' in report.nodeid", TrialOutcome.TIMED_OUT),
        ("logreport", "report", "'first' in report.nodeid and report.when == 'call'", TrialOutcome.PASSED),
        ("logfinish", "nodeid", "'first' in nodeid", TrialOutcome.PASSED),
    ],
)
async def test_an_alarm_around_a_trial_spoils_at_most_that_one(
    engine: Engine, tmp_path: Path, place: str, argument: str, where: str, outcome: TrialOutcome
) -> None:
    trials = tmp_path / "trials"
    trials.mkdir()
    (trials / "test_it.py").write_text(
        "\n".join(f"def test_{name}(player):\n    assert player.module('main').x\n" for name in ("first", "second"))
    )
    (trials / "conftest.py").write_text(RINGS.format(place=place, argument=argument, where=where))
    stream = engine.gather("straw", trials, ("main.py",), factories.submission(main="x = 1\n"))
    async with aclosing(stream) as events:
        told = [event.trial async for event in events if isinstance(event, TrialFinished)]
    assert [trial.outcome for trial in told] == [TrialOutcome.PASSED, outcome, TrialOutcome.PASSED]


async def test_bosses_take_turns_and_changed_trials_are_read_anew(engine: Engine, tmp_path: Path) -> None:
    first, second = write(tmp_path / "first", "hello"), write(tmp_path / "second", "goodbye")
    for _ in range(2):
        assert (await outcomes(engine, first, "hello"))["one"] is TrialOutcome.PASSED
        assert (await outcomes(engine, second, "goodbye"))["one"] is TrialOutcome.PASSED
    write(first, "goodbye")
    assert (await outcomes(engine, first, "goodbye"))["one"] is TrialOutcome.PASSED


async def test_changed_data_of_trials_is_read_anew(engine: Engine, tmp_path: Path) -> None:
    trials = write(tmp_path / "trials", "hello")
    reads = TRIALS.replace('["{words}\\n"]', '[WANTED + "\\n"]').replace(
        "SEEN = []", 'from pathlib import Path\nWANTED = Path(__file__).with_name("wanted.txt").read_text()\nSEEN = []'
    )
    (trials / "test_it.py").write_text(reads.replace("{{", "{").replace("}}", "}"))
    for words in ("hello", "goodbye"):
        (trials / "wanted.txt").write_text(words)
        assert (await outcomes(engine, trials, words))["one"] is TrialOutcome.PASSED


async def test_broken_trials_are_told_and_mended_ones_run(engine: Engine, tmp_path: Path) -> None:
    trials = write(tmp_path / "trials", "hello")
    (trials / "test_broken.py").write_text("import nowhere_to_be_found\n", "utf-8")
    with pytest.raises(SandboxError, match=r"can't be loaded: .*nowhere_to_be_found"):
        await outcomes(engine, trials, "hello")
    with pytest.raises(SandboxError, match="can't be run"):
        await outcomes(engine, tmp_path / "missing", "hello")
    (trials / "test_broken.py").unlink()
    assert (await outcomes(engine, trials, "hello"))["one"] is TrialOutcome.PASSED


async def test_nothing_is_written_beside_the_trials(engine: Engine, tmp_path: Path) -> None:
    trials = write(tmp_path / "trials", "hello")
    assert (await outcomes(engine, trials, "hello"))["one"] is TrialOutcome.PASSED
    assert [path.name for path in trials.rglob("*")] == ["test_it.py"]


async def warmed() -> tuple[Engine, frozenset[int]]:
    """An engine that is ready, and its processes: the trial worker, a host for trials and those for tests."""
    before = below(os.getpid())
    engine = Engine()
    await engine.warm()
    async with asyncio.timeout(30):
        # What tested the cage may still be on its way out.
        while len(started := below(os.getpid(), but=before)) != 2 + TEST_HOSTS:
            await asyncio.sleep(0.02)
    return engine, started


@NEEDS_PROC
async def test_leaving_while_it_closes_still_waits_for_its_end() -> None:
    engine, started = await warmed()
    closing = asyncio.create_task(engine.close())
    await asyncio.sleep(0)
    closing.cancel()
    with suppress(asyncio.CancelledError):
        await closing
    assert closing.cancelled()
    assert not outliving(started)


@NEEDS_PROC
async def test_hosts_that_hang_are_killed_in_the_end() -> None:
    engine, started = await warmed()
    hosts = [pid for pid in started if parents()[pid] != os.getpid()]
    assert len(hosts) == 1 + TEST_HOSTS
    for host in hosts:
        os.kill(host, signal.SIGSTOP)
    await engine.close()
    assert not outliving(started)


@pytest.mark.parametrize("after", [0.0, 0.05, 0.2, 0.5])
async def test_a_cancelled_start_leaves_no_half_warm_process(engine: Engine, tmp_path: Path, after: float) -> None:
    trials = write(tmp_path / "trials", "hello")
    for _ in range(2):
        warming = asyncio.create_task(engine.warm())
        await asyncio.sleep(after)
        warming.cancel()
        with suppress(asyncio.CancelledError):
            await warming
        assert (await outcomes(engine, trials, "hello"))["one"] is TrialOutcome.PASSED
        assert engine.layer
        await engine.close()


async def test_trials_are_found_from_the_callers_directory(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await engine.warm()
    trials = write(tmp_path / "trials", "hello")
    monkeypatch.chdir(tmp_path)
    assert (await outcomes(engine, trials.relative_to(tmp_path), "hello"))["one"] is TrialOutcome.PASSED


@NEEDS_PROC
async def test_an_interpreter_that_says_nothing_ends_with_the_fight(engine: Engine, tmp_path: Path) -> None:
    shim = tmp_path / "python"
    shim.write_text("#!/bin/sh\nsleep 60\n")
    shim.chmod(0o755)
    await engine.warm()
    known = below(os.getpid())
    submission = factories.submission(main="print(1)\n")
    stream = engine.gather("straw", write(tmp_path / "trials", "1"), ("main.py",), submission, str(shim))
    fight = asyncio.create_task(anext(stream))
    while not (started := below(os.getpid()) - known) & engine._host_pids:
        assert not fight.done()
        await asyncio.sleep(0.02)
    fight.cancel()
    with suppress(asyncio.CancelledError):
        await fight
    assert not outliving(started)


LIMITED_TRIALS = """
import pytest

def drive_limit():
    import resource
    return resource.getrlimit(resource.RLIMIT_AS)[0], resource.getrlimit(resource.RLIMIT_DATA)[0]

@pytest.mark.limits(memory_mb=150)
def test_little(player):
    assert False, str(player.drive(drive_limit))

def test_usual(player):
    assert False, str(player.drive(drive_limit))

@pytest.mark.limits(memory_mb=400)
def test_much(player):
    assert False, str(player.drive(drive_limit))
"""


async def test_all_trials_of_a_boss_have_as_little_memory(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(LIMITED_TRIALS)
    stream = engine.gather("straw", tmp_path, ("main.py",), factories.submission(main="x = 1\n"))
    async with aclosing(stream) as events:
        trials = [event.trial async for event in events if isinstance(event, TrialFinished)]
    messages = {trial.message for trial in trials if trial.title != "The code loads"}
    assert len(trials) == 4
    assert len(messages) == 1
    assert str(150 * 1024 * 1024) in messages.pop()


TITLED_TRIALS = """
import pytest

@pytest.mark.parametrize("count", [0, -3], ids=["none", "fewer-than-none"])
def test_counts(player, count):
    \"\"\"A count below 1 is refused.\"\"\"

@pytest.mark.parametrize("name", ["utf-8"])
def test_names(player, name):
    \"\"\"Every encoding is read.

    More is not shown.
    \"\"\"
"""


async def test_the_title_of_a_case_says_it_in_words(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TITLED_TRIALS)
    stream = engine.gather("straw", tmp_path, ("main.py",), factories.submission(main="x = 1\n"))
    async with aclosing(stream) as events:
        titles = [event.trial.title async for event in events if isinstance(event, TrialFinished)]
    assert set(titles) - {"The code loads"} == {
        "A count below 1 is refused: none.",
        "A count below 1 is refused: fewer than none.",
        "Every encoding is read: utf-8.",
    }


RAISING_TRIALS = """
def probe(count):
    import main
    return main.half(count)

def test_a_call(player):
    player.module("main").half("ten")

def test_a_probe(player):
    player.drive(probe, "ten")
"""


async def test_an_exception_names_the_player_s_call_and_no_probe(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(RAISING_TRIALS)
    submission = factories.submission(main="def half(count):\n    return count / 2\n")
    stream = engine.gather("straw", tmp_path, ("main.py",), submission)
    async with aclosing(stream) as events:
        trials = [event.trial async for event in events if isinstance(event, TrialFinished)]
    assert [trial.message for trial in trials[1:]] == [
        "TypeError escaped at main.py:2, from main.half('ten')",
        "TypeError escaped at main.py:2",
    ]
