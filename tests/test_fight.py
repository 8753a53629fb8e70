"""The one path of a fight, through real processes."""

import asyncio
import os
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from evalforge.evidence.engine import Engine
from evalforge.fight import FightOptions, Forge
from evalforge.history.store import History
from evalforge.model.attempt import AttemptState
from evalforge.model.errors import SubmissionError, UsageError
from evalforge.model.events import (
    AdviceFollowed,
    Collected,
    CriterionJudged,
    Event,
    FactMeasured,
    ImpostorMet,
    Judged,
    Progress,
    Saved,
    Started,
    TrialFinished,
    TrialsPlanned,
    Ungraded,
)
from evalforge.model.evidence import TrialOutcome
from evalforge.model.followed_advice import AdviceState
from evalforge.packs.pack import BossPack, load_pack
from evalforge.reports.comparison import compare
from tests.conftest import REPOSITORY
from tests.processes import below, left_below, outliving

FLAWLESS, FIRST_WIN = "exemplars/flawless", "exemplars/first-win"


@pytest.fixture
def pack(bosses: Path) -> BossPack:
    return load_pack(bosses / "training-dummy")


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    with History(tmp_path / "attempts.sqlite3") as history:
        yield history


async def fight(forge: Forge, pack: BossPack, directory: Path, **options: object) -> list[Event]:
    async with aclosing(forge.fight(pack, directory, FightOptions(**options))) as events:  # type: ignore[arg-type]
        return [event async for event in events]


def kinds(events: list[Event]) -> list[type]:
    return list(dict.fromkeys(type(event) for event in events))


async def test_a_fight_is_a_stream_from_collecting_to_saving(pack: BossPack, history: History) -> None:
    async with Forge(history) as forge:
        events = await fight(forge, pack, pack.path / FLAWLESS)
    order = [kind for kind in kinds(events) if kind.__name__ != "Progress"]
    first, last = order[:4], order[-3:]
    assert first == [Started, Collected, TrialFinished, TrialsPlanned]
    assert last == [CriterionJudged, Judged, Saved]
    assert FactMeasured in order
    assert [event.at for event in events] == sorted(event.at for event in events)


@pytest.mark.usefixtures("warm_engine")
async def test_what_is_saved_is_what_was_streamed(pack: BossPack, history: History) -> None:
    async with Forge(history) as forge:
        events = await fight(forge, pack, pack.path / FIRST_WIN, notes="my notes")
    saved = events[-1]
    assert isinstance(saved, Saved)
    attempt = history.get(saved.attempt_id)
    assert attempt.state is AttemptState.JUDGED
    assert attempt.events == tuple(events[:-1])
    assert attempt.submission.notes == "my notes"
    assert {fact.name for fact in attempt.evidence.facts} >= {"trials.all", "code.functions", "tests.count"}


@pytest.mark.usefixtures("warm_engine")
async def test_levels_are_given_while_tests_meet_impostors(pack: BossPack) -> None:
    async with Forge() as forge:
        events = await fight(forge, pack, pack.path / FLAWLESS, save=False, again=True, strikes_early=True)
    levels = [event for event in events if isinstance(event, CriterionJudged)]
    assert [event.judgement.criterion_id for event in levels] == [each.id for each in pack.rubric.criteria]
    meeting = next(at for at, event in enumerate(events) if isinstance(event, ImpostorMet))
    assert [events.index(event) < meeting for event in levels] == [True, True, True, False]
    end = next(event for event in events if isinstance(event, Judged))
    assert end.judgements == tuple(event.judgement for event in levels)


@pytest.mark.usefixtures("warm_engine")
async def test_a_practice_fight_is_no_attempt(pack: BossPack, history: History) -> None:
    async with Forge(history) as forge:
        events = await fight(forge, pack, pack.path / FIRST_WIN, save=False)
    assert isinstance(events[-1], Judged)
    assert history.count() == 0


@pytest.mark.judging
@pytest.mark.usefixtures("warm_engine")
async def test_the_next_attempt_says_what_became_of_the_advice(pack: BossPack, history: History) -> None:
    async with Forge(history) as forge:
        first = await fight(forge, pack, pack.path / FIRST_WIN)
        assert not any(isinstance(event, AdviceFollowed) for event in first)
        second = await fight(forge, pack, pack.path / FLAWLESS)
    saved = [event.attempt_id for event in (first[-1], second[-1]) if isinstance(event, Saved)]
    before, after = (history.get(attempt_id) for attempt_id in saved)
    followed = after.advice_followed
    assert followed is not None
    assert followed.since == before.id
    assert before.result
    assert [each.words for each in followed.advice] == list(before.result.improvements)[: len(followed.advice)]
    assert {each.state for each in followed.advice} == {AdviceState.DONE}
    assert compare(before, after).advice == followed.advice
    assert compare(after, before).advice == ()


@pytest.mark.judging
async def test_practice_says_what_became_of_the_last_advice(pack: BossPack, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(pack.path / FIRST_WIN, folder)
    async with Forge() as forge:
        await fight(forge, pack, folder, save=False)
        again = await fight(forge, pack, folder, save=False)
        elsewhere = await fight(forge, pack, pack.path / FLAWLESS, save=False)
    (followed,) = [event for event in again if isinstance(event, AdviceFollowed)]
    assert followed.since == ""
    assert {each.state for each in followed.advice} == {AdviceState.NOT_DONE}
    assert not any(isinstance(event, AdviceFollowed) for event in elsewhere)


async def test_the_same_hand_in_is_judged_the_same(pack: BossPack) -> None:
    async with Forge() as forge:
        first, second = [await fight(forge, pack, pack.path / "exemplars/borderline", again=True) for _ in range(2)]
    assert first[-1].model_copy(update={"at": 0}) == second[-1].model_copy(update={"at": 0})


def without_times(events: list[Event]) -> list[Event]:
    """What was planned, measured and judged, each kind in its order."""
    left_out = (Started, Collected, Saved, Progress)
    kept = [event.model_copy(update={"at": 0}) for event in events if not isinstance(event, left_out)]
    return sorted(kept, key=lambda event: event.kind)


def measured_at(events: list[Event]) -> datetime | None:
    return next(event.measured_at for event in events if isinstance(event, Collected))


@pytest.mark.judging
async def test_files_that_were_judged_before_are_not_run_again(pack: BossPack, tmp_path: Path) -> None:
    first_folder, second_folder = tmp_path / "one", tmp_path / "two"
    for folder in (first_folder, second_folder):
        shutil.copytree(pack.path / FLAWLESS, folder)
    async with Forge() as forge:
        first = await fight(forge, pack, first_folder)
        forge.engine.gather = nothing_is_run  # type: ignore[method-assign]
        second = await fight(forge, pack, second_folder)
        assert isinstance((await fight(forge, pack, second_folder, again=True))[-1], Ungraded)
    assert measured_at(first) is None
    assert abs(datetime.now(UTC) - (measured_at(second) or datetime.min.replace(tzinfo=UTC))) < timedelta(hours=1)
    assert without_times(second) == without_times(first)


def nothing_is_run(*_: object, **__: object) -> AsyncGenerator[Event]:
    raise AssertionError("it was run")


@pytest.mark.usefixtures("warm_engine")
async def test_evidence_is_not_kept_for_other_conditions(
    pack: BossPack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(pack.path / FIRST_WIN, folder)
    async with Forge() as forge:
        await fight(forge, pack, folder)
        assert measured_at(await fight(forge, pack, folder)) is not None
        assert measured_at(await fight(forge, pack, folder, tries=0)) is None
        monkeypatch.setenv("EVALFORGE_TRIAL_KEY", "another")
        forge_of_another_key = Forge(engine=forge.engine)
        assert measured_at(await fight(forge_of_another_key, pack, folder)) is None
        (folder / "dummy.py").write_text("print('other')\n", "utf-8")
        assert measured_at(await fight(forge, pack, folder)) is None


async def test_a_boss_with_broken_impostors_judges_nobody(pack: BossPack, tmp_path: Path) -> None:
    broken = tmp_path / "bosses" / pack.path.name
    shutil.copytree(pack.path, broken)
    (broken / "impostors" / "impostors.yaml").write_text("right: [\n", "utf-8")
    async with Forge() as forge:
        events = await fight(forge, load_pack(broken), pack.path / FIRST_WIN, save=False)
    assert kinds(events) == [Started, Collected, Ungraded]
    end = events[-1]
    assert isinstance(end, Ungraded)
    assert "impostors.yaml" in end.reason
    assert "evalforge lint" in end.advice


@pytest.mark.usefixtures("warm_engine")
async def test_damaged_evidence_is_measured_anew(pack: BossPack, own_home: Path) -> None:
    async with Forge() as forge:
        first = await fight(forge, pack, pack.path / FIRST_WIN)
        (kept,) = own_home.rglob("*.json.z")  # noqa: ASYNC240 - a folder of three files
        kept.write_bytes(b"no evidence")
        second = await fight(forge, pack, pack.path / FIRST_WIN)
    assert measured_at(second) is None
    assert second[-1].model_copy(update={"at": 0}) == first[-1].model_copy(update={"at": 0})


async def test_an_empty_directory_is_refused_and_no_attempt(pack: BossPack, history: History, tmp_path: Path) -> None:
    async with Forge(history) as forge:
        (tmp_path / "empty").mkdir()
        with pytest.raises(SubmissionError, match="holds no file"):
            await fight(forge, pack, tmp_path / "empty")
    assert history.count() == 0


async def test_an_unknown_judge_is_refused(pack: BossPack) -> None:
    async with Forge() as forge:
        with pytest.raises(UsageError, match="no judge called 'oracle'"):
            await fight(forge, pack, pack.path / FLAWLESS, judge="oracle")


def hostile(tmp_path: Path, pack: BossPack, code: str) -> Path:
    folder = tmp_path / "hostile"
    folder.mkdir()
    (folder / pack.definition.metadata.entry_files[0]).write_text(code)
    return folder


@pytest.mark.usefixtures("warm_engine")
@pytest.mark.parametrize(
    ("code", "outcome", "words"),
    [
        ("while True: pass", TrialOutcome.TIMED_OUT, "timed out after 2.0 s at"),
        ("import os; os._exit(0)", TrialOutcome.CRASHED, "ended its own process (exit status 0)"),
        ("raise ValueError('no')", TrialOutcome.FAILED, "ValueError escaped at"),
        ("def broken(:", TrialOutcome.FAILED, "SyntaxError escaped"),
        ("print('x' * 5_000_000)", TrialOutcome.CRASHED, "printed more than 1,024 kB"),
        ("import os; os.kill(os.getpid(), 11)", TrialOutcome.CRASHED, "segmentation fault"),
        ("x = bytearray(3 * 1024**3)", TrialOutcome.FAILED, "used more than 512 MB of memory at"),
    ],
)
async def test_code_that_spoils_itself_is_judged_and_earns_nothing(
    pack: BossPack, tmp_path: Path, code: str, outcome: TrialOutcome, words: str
) -> None:
    async with Forge() as forge:
        events = await asyncio.wait_for(fight(forge, pack, hostile(tmp_path, pack, code)), 120)
    load = next(event.trial for event in events if isinstance(event, TrialFinished))
    assert load.outcome is outcome
    assert words in load.message
    end = events[-1]
    assert isinstance(end, Judged)
    assert not end.result.passed
    assert not any(event.trial.passed for event in events if isinstance(event, TrialFinished))


@pytest.mark.usefixtures("warm_engine")
async def test_code_that_hangs_at_import_is_waited_for_once(pack: BossPack, tmp_path: Path) -> None:
    async with Forge() as forge:
        await forge.warm()
        events = await fight(forge, pack, hostile(tmp_path, pack, "while True: pass"))
    trials = [event.trial for event in events if isinstance(event, TrialFinished)]
    assert {trial.outcome for trial in trials[1:]} == {TrialOutcome.NOT_RUN}
    assert "not run: the code timed out" in trials[1].message


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
async def test_leaving_a_fight_kills_it_and_marks_it_interrupted(
    pack: BossPack, history: History, tmp_path: Path
) -> None:
    before = below(os.getpid())
    directory = hostile(tmp_path, pack, "import time\nif __name__ == '__main__':\n    time.sleep(60)\n")
    async with Forge(history) as forge:
        async with aclosing(forge.fight(pack, directory)) as events:
            async for event in events:
                if isinstance(event, TrialsPlanned):
                    break
        assert not left_below(os.getpid(), but=before)
    assert [row.state for row in history.page()] == [AttemptState.INTERRUPTED]


async def test_without_a_sandbox_only_trusted_code_is_run(pack: BossPack, tmp_path: Path) -> None:
    directory = hostile(tmp_path, pack, f"open({str(tmp_path / 'touched')!r}, 'w').write('ran')")
    async with Forge(engine=Engine("basic")) as forge:
        refused = await fight(forge, pack, directory)
        assert not (tmp_path / "touched").exists()
        trusted = await fight(forge, pack, directory, trusted=True)
    end = refused[-1]
    assert isinstance(end, Ungraded)
    assert "--i-trust-this-code" in end.advice
    assert not any(isinstance(event, TrialFinished) for event in refused)
    assert isinstance(trusted[-1], Judged)
    assert (tmp_path / "touched").exists()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_killed_game_leaves_neither_process_nor_folder(pack: BossPack, tmp_path: Path) -> None:
    directory = hostile(tmp_path, pack, "import time\nif __name__ == '__main__':\n    time.sleep(60)\n")
    command = [sys.executable, "-u", "-m", "evalforge", "judge", "training-dummy", str(directory), "--no-save"]
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    environment = {**os.environ, "TMPDIR": str(scratch)}
    game = subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, env=environment)
    assert game.stdout is not None
    assert any(line.endswith(" trials\n") for line in game.stdout), "the fight began"
    started = below(game.pid)
    game.kill()
    game.communicate()
    assert len(started) >= 3, "the process that holds the trials, and two hosts"
    assert not outliving(started)
    end = time.monotonic() + 30
    while (left := list(scratch.iterdir())) and time.monotonic() < end:
        time.sleep(0.05)
    assert not left
