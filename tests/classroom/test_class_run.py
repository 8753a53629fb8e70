"""A class through real processes: every row settled, judged once, and never at the cost of another."""

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from evalforge.classroom.class_events import (
    CLASS_EVENT,
    ClassClosed,
    ClassEvent,
    ClassOpened,
    RowFight,
    RowSettled,
    RowStarted,
)
from evalforge.classroom.class_row import ClassRow, RowOutcome
from evalforge.classroom.class_run import ClassOptions, ClassRun
from evalforge.classroom.report import make_report
from evalforge.history import store
from evalforge.history.overrides import Override, now
from evalforge.history.overriding import revise
from evalforge.history.reader import read_attempt
from evalforge.history.store import History
from evalforge.model.attempt import Attempt
from evalforge.model.errors import UsageError
from evalforge.model.events import Judged
from evalforge.packs.pack import BossPack, load_pack
from tests.classroom import zips

pytestmark = pytest.mark.usefixtures("warm_engine")

WORKERS = ClassOptions(workers=2)
STUDENTS = {"ann": "flawless", "bob": "weak", "cy": "weak", "dee": "first-win"}


@pytest.fixture
def boss(tmp_path: Path, bosses: Path) -> Path:
    """A boss that may be changed."""
    ignored = shutil.ignore_patterns("__pycache__", "exemplars")
    return shutil.copytree(bosses / "training-dummy", tmp_path / "training-dummy", ignore=ignored)


@pytest.fixture
def pack(boss: Path) -> BossPack:
    return load_pack(boss)


@pytest.fixture
def place(tmp_path: Path, bosses: Path) -> Path:
    """Four students, two of whom wrote the same."""
    for name, exemplar in STUDENTS.items():
        source = bosses / "training-dummy/exemplars" / exemplar
        shutil.copytree(source, tmp_path / "class" / name, ignore=shutil.ignore_patterns("__pycache__", "test_*"))
    return tmp_path / "class"


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    with History(tmp_path / "attempts.sqlite3") as history:
        yield history


async def settled(
    pack: BossPack, place: Path, history: History, options: ClassOptions = WORKERS
) -> tuple[ClassRun, dict[str, ClassRow]]:
    run = ClassRun(pack, place, history, options)
    async with aclosing(run.events()) as events:
        async for _ in events:
            pass
    return run, run.rows


async def test_a_class_is_a_stream_in_which_every_row_is_settled_once(
    pack: BossPack, place: Path, history: History
) -> None:
    async with aclosing(ClassRun(pack, place, history, WORKERS).events()) as stream:
        events: list[ClassEvent] = [event async for event in stream]
    first, last = events[0], events[-1]
    assert isinstance(first, ClassOpened)
    assert isinstance(last, ClassClosed)
    assert [row.row_id for row in first.rows] == list(STUDENTS)
    told = [event for event in events if isinstance(event, RowSettled)]
    assert sorted(event.row.row_id for event in told) == list(STUDENTS)
    assert [event.done for event in told] == [1, 2, 3, 4]
    assert (last.outcomes, last.fresh) == ({RowOutcome.JUDGED: 4}, 4)
    for row_id in STUDENTS:
        own = [event for event in events if getattr(event, "row_id", "") == row_id]
        assert isinstance(own[0], RowStarted)
        assert any(isinstance(event, RowFight) and isinstance(event.event, Judged) for event in own)
    assert [CLASS_EVENT.validate_json(event.model_dump_json()) for event in events] == events


async def test_each_row_is_an_attempt_but_none_of_the_players(pack: BossPack, place: Path, history: History) -> None:
    _, rows = await settled(pack, place, history)
    attempts = {row.row_id: history.get(row.attempt_id) for row in rows.values()}
    assert len({attempt.id for attempt in attempts.values()}) == 4
    for row_id, attempt in attempts.items():
        assert attempt.result == rows[row_id].judged
        assert attempt.directory == str(place / row_id)
    assert history.progress.by_boss() == {}
    assert history.tallies.tally([]).bosses == {}
    assert history.recent_directories(pack.boss_id) == []
    assert history.count() == 0, "the class's are reached from the class"
    assert history.count(store.AttemptFilter(with_classes=True)) == 4


async def test_no_attempt_is_read_back_after_its_fight(
    pack: BossPack, place: Path, history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids_read: list[str] = []

    def read_counted(db: sqlite3.Connection, attempt_id: str) -> Attempt:
        ids_read.append(attempt_id)
        return read_attempt(db, attempt_id)

    monkeypatch.setattr(store, "read_attempt", read_counted)
    _, rows = await settled(pack, place, history)
    bob = history.get(rows["bob"].attempt_id)
    override = Override(criterion_id="clean_form", score=1, reason="It is elsewhere.", made_at=now())
    history.overrides.add(bob.id, (override,), revise(bob, pack.rubric, [override]))
    assert ids_read == [bob.id], "read by this test alone"
    (place / "bob/notes.md").write_text("Another try.")
    _, rows = await settled(pack, place, history)
    assert rows["bob"].revised is not None
    # Of Bob's last try it is read what was advised.
    assert sorted(ids_read[1:]) == sorted([bob.id, *(row.attempt_id for row in rows.values() if not row.fresh)])


async def test_a_second_run_judges_only_what_changed_and_says_why(
    pack: BossPack, place: Path, history: History
) -> None:
    _, first = await settled(pack, place, history)
    shutil.rmtree(place / "bob")
    shutil.copytree(place / "ann", place / "bob")
    (place / "eve").mkdir()
    _, second = await settled(pack, place, history)
    assert {row.row_id for row in second.values() if row.fresh} == {"bob"}
    assert second["ann"].attempt_id == first["ann"].attempt_id
    assert second["ann"].judged == first["ann"].judged
    assert second["eve"].outcome is RowOutcome.UNUSABLE
    before = second["bob"].earlier
    assert before is not None
    assert (before.attempt_id, before.causes) == (first["bob"].attempt_id, ("submission",))
    assert second["bob"].has_changed
    _, third = await settled(pack, place, history)
    assert not any(row.fresh for row in third.values())
    assert third["bob"].earlier == before


@pytest.mark.parametrize(
    ("file", "old", "new", "cause"),
    [
        ("rubric.yaml", "label: Clean form", "label: Cleaner form", "rubric"),
        ("evidence.yaml", "There is no test of your own yet.", "You have no test yet.", "evidence rules"),
        ("trials/conftest.py", "", '"""Nothing."""\n', "trials"),
    ],
)
async def test_a_changed_rubric_judges_again_and_keeps_both(
    boss: Path, place: Path, history: History, file: str, old: str, new: str, cause: str
) -> None:
    for row_id in ("bob", "cy", "dee"):
        shutil.rmtree(place / row_id)
    _, first = await settled(load_pack(boss), place, history)
    path = boss / file
    text = path.read_text() if path.exists() else ""
    assert old in text
    path.write_text(text.replace(old, new, 1))
    _, second = await settled(load_pack(boss), place, history)
    row = second["ann"]
    assert row.fresh
    assert row.earlier is not None
    assert row.earlier.causes == (cause,)
    assert history.get(first["ann"].attempt_id).result == first["ann"].judged
    # Back as it was: the first attempt is known, nothing is judged.
    path.write_text(text) if text else path.unlink()
    _, third = await settled(load_pack(boss), place, history)
    assert (third["ann"].fresh, third["ann"].attempt_id) == (False, first["ann"].attempt_id)


async def test_asked_to_judge_again_it_does(pack: BossPack, place: Path, history: History) -> None:
    for row_id in ("bob", "cy", "dee"):
        shutil.rmtree(place / row_id)
    await settled(pack, place, history)
    _, rows = await settled(pack, place, history, ClassOptions(workers=1, again=True))
    earlier = rows["ann"].earlier
    assert rows["ann"].fresh
    assert earlier is not None
    assert earlier.causes == ()
    assert not rows["ann"].has_changed


async def test_hostile_hand_ins_get_their_reasons_and_stop_nobody(
    pack: BossPack, place: Path, history: History
) -> None:
    for row_id in ("bob", "cy", "dee"):
        shutil.rmtree(place / row_id)
    zips.bomb(place / "bomb.zip", 90)
    zips.zip_of(place / "escape.zip", {"dummy.py": "", "../../dummy.py": "gotcha"})
    (place / "noise.zip").write_bytes(b"PK\3\4" * 100)
    (place / "loop").mkdir()
    (place / "loop/dummy.py").write_text("while True:\n    pass\n")
    (place / "loop/self").symlink_to(place / "loop")
    (place / "exit").mkdir()
    (place / "exit/dummy.py").write_text("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nos._exit(0)\n")
    (place / "empty").mkdir()
    _, rows = await settled(pack, place, history)
    unusable = {row.row_id for row in rows.values() if row.outcome is RowOutcome.UNUSABLE}
    assert unusable == {"bomb", "escape", "noise", "empty"}
    assert all(row.reason for row in rows.values() if row.judged is None)
    assert rows["ann"].judged is not None
    assert rows["ann"].judged.passed
    for row_id in ("loop", "exit"):
        judged = rows[row_id].judged
        assert judged is not None
        assert not judged.passed
    assert not (place.parent / "dummy.py").exists()


async def test_a_class_that_is_left_goes_on_where_it_was(pack: BossPack, place: Path, history: History) -> None:
    run = ClassRun(pack, place, history, ClassOptions(workers=1))
    async with aclosing(run.events()) as events:
        async for event in events:
            if isinstance(event, RowFight) and len(run.rows) == 2:
                break
    done = {row.row_id: row.attempt_id for row in run.rows.values()}
    assert len(done) == 2
    _, rows = await settled(pack, place, history)
    assert {row_id: rows[row_id].attempt_id for row_id in done} == done
    assert {row.row_id for row in rows.values() if row.fresh} == set(STUDENTS) - set(done)
    assert not [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]


async def test_an_override_is_never_overwritten_but_flagged(boss: Path, place: Path, history: History) -> None:
    for row_id in ("ann", "cy", "dee"):
        shutil.rmtree(place / row_id)
    pack = load_pack(boss)
    _, rows = await settled(pack, place, history)
    attempt = history.get(rows["bob"].attempt_id)
    said = Override(criterion_id="clean_form", score=1, reason="It is elsewhere.", made_at=now())
    history.overrides.add(attempt.id, (said,), revise(attempt, pack.rubric, [said]))
    _, rows = await settled(pack, place, history)
    revised, judged, counts = rows["bob"].revised, rows["bob"].judged, rows["bob"].result
    assert revised is not None
    assert judged is not None
    assert counts is not None
    assert counts.score_total == judged.score_total + 1
    assert (revised.to_review, rows["bob"].flags) == ((), ())
    assert history.get(attempt.id).result == attempt.result

    (place / "bob/notes.md").write_text("Another try.")
    run, rows = await settled(pack, place, history)
    revised, counts = rows["bob"].revised, rows["bob"].result
    assert rows["bob"].fresh
    assert revised is not None
    assert counts == revised.result
    assert [(one.score, one.carried_from) for one in revised.to_review] == [(1, attempt.id)]
    assert "check it" in rows["bob"].flags[0]
    assert make_report(run, history).rows[0].result == counts

    # The rubric forgets the level: the old attempt keeps the word, the row says it is lost.
    path = boss / "rubric.yaml"
    path.write_text(path.read_text().replace("id: clean_form", "id: cleaner_form"))
    evidence = boss / "evidence.yaml"
    evidence.write_text(evidence.read_text().replace("clean_form:", "cleaner_form:"))
    _, rows = await settled(load_pack(boss), place, history)
    assert rows["bob"].revised is None
    assert rows["bob"].lost == ("clean_form",)
    assert history.overrides.of(attempt.id) is not None


async def test_the_report_has_shared_failures_and_lookalikes(pack: BossPack, place: Path, history: History) -> None:
    run, _ = await settled(pack, place, history)
    report = make_report(run, history)
    assert [one.members for one in report.clusters] == [("bob", "cy")]
    assert {member for one in report.singletons for member in one.members} == {"ann", "dee"}
    assert [sum(level.count for level in one.levels) for one in report.criteria] == [4, 4, 4, 4]
    assert report.groups[0].hand_ins >= report.groups[-1].hand_ins


async def test_nothing_is_started_for_a_class_with_nobody_to_judge(
    pack: BossPack, tmp_path: Path, history: History
) -> None:
    (tmp_path / "class/ann").mkdir(parents=True)
    run, rows = await settled(pack, tmp_path / "class", history)
    assert rows["ann"].outcome is RowOutcome.UNUSABLE
    assert make_report(run, history).clusters == ()


def test_an_unavailable_judge_is_refused_before_any_write(pack: BossPack, place: Path, history: History) -> None:
    with pytest.raises(UsageError, match="no judge called"):
        ClassRun(pack, place, history, ClassOptions(judge="oracle"))
    assert history.classes.runs() == []
