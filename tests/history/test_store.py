"""Attempts: written before a judging, completed after it, never lost."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from evalforge.history.store import AttemptFilter, History
from evalforge.model.attempt import AttemptState
from evalforge.model.errors import HistoryError
from evalforge.model.events import Judged, Ungraded
from evalforge.model.fight_record import FightRecord
from evalforge.model.submission import Submission
from tests import factories


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "attempts.sqlite3"


def fight(history: History, *scores: float, boss: str = "straw", directory: str = "/d", **files: str) -> str:
    submission = factories.submission(**(files or {"main": "x = 1"}))
    attempt_id = history.begin(boss, boss.title(), "hash", directory, factories.FORGE, submission)
    events = factories.events(*scores)
    judged = events[-1]
    assert isinstance(judged, Judged)
    trials = (factories.trial("happy"),)
    history.finish(attempt_id, FightRecord(events=[*events], trials=[*trials], isolation="full", conclusion=judged))
    return attempt_id


def test_an_attempt_comes_back_as_it_was_written(path: Path) -> None:
    with History(path) as history:
        attempt_id = fight(history, 2, 1, main="print('\ud83d')", pkg__other="")
    with History(path) as history:
        attempt = history.get(attempt_id)
    assert attempt.state is AttemptState.JUDGED
    assert attempt.result is not None
    assert (attempt.result.score_total, attempt.isolation, attempt.judge) == (3, "full", factories.FORGE)
    assert attempt.events == factories.events(2, 1)
    assert [file.path for file in attempt.submission.files] == ["main.py", "pkg/other.py"]
    assert attempt.submission.content_hash == factories.submission(main="print('\ud83d')", pkg__other="").content_hash
    assert attempt.evidence.trials[0].group == "happy"


def test_a_running_attempt_is_there_before_its_end(path: Path) -> None:
    with History(path) as history:
        history.begin("straw", "Straw", "h", "/d", factories.FORGE, factories.submission(main="x"))
        (row,) = history.page()
        assert row.state is AttemptState.RUNNING
        with History(path) as other:
            assert other.page()[0].state is AttemptState.RUNNING


def test_a_killed_process_leaves_an_interrupted_attempt(path: Path) -> None:
    code = f"""
import os, signal, sys
from pathlib import Path
from evalforge.history.store import History
from tests import factories
history = History(Path({str(path)!r}))
history.begin("straw", "Straw", "h", "/d", factories.FORGE, factories.submission(main="x"))
os.kill(os.getpid(), signal.SIGKILL)
"""
    root = Path(__file__).resolve().parents[2]
    ended = subprocess.run([sys.executable, "-c", code], cwd=root, env={**os.environ, "PYTHONPATH": str(root)})
    assert ended.returncode == -9
    with History(path) as history:
        (row,) = history.page()
        assert row.state is AttemptState.INTERRUPTED
        assert history.get(row.id).submission.files[0].content == "x"


def test_a_result_is_written_once(path: Path) -> None:
    with History(path) as history:
        attempt_id = fight(history, 2)
        history.finish(attempt_id, FightRecord(conclusion=Ungraded(reason="late")))
        assert history.get(attempt_id).state is AttemptState.JUDGED


def test_the_same_file_is_stored_once(path: Path) -> None:
    with History(path) as history:
        fight(history, 1, main="same", other="a")
        fight(history, 2, main="same", other="b")
    with closing(sqlite3.connect(path)) as db:
        stored = db.execute("SELECT count(*) FROM contents").fetchone()[0]
    assert stored == 3


def test_tries_are_numbered_per_boss(path: Path) -> None:
    with History(path) as history:
        for boss in ("straw", "iron", "straw"):
            fight(history, 1, boss=boss)
        assert [(row.boss_id, row.number) for row in history.page()] == [
            ("straw", 2),
            ("iron", 1),
            ("straw", 1),
        ]


def test_pages_and_filters(path: Path) -> None:
    with History(path) as history:
        ids = [fight(history, score, boss=boss) for boss, score in (("straw", 2), ("iron", 0), ("straw", 1))]
        assert [row.id for row in history.page(limit=2)] == [ids[2], ids[1]]
        assert [row.id for row in history.page(start=2)] == [ids[0]]
        assert history.count(AttemptFilter(boss_id="straw")) == 2
        assert [row.id for row in history.page(AttemptFilter(verdict="fail"))] == [ids[1]]
        assert history.count(AttemptFilter(text="IRON")) == 1
        assert history.count(AttemptFilter(text="%")) == 0


def test_standings_hold_the_best_try(path: Path) -> None:
    with History(path) as history:
        for score in (1, 2, 0):
            fight(history, score, boss="straw")
        history.begin("iron", "Iron", "h", "/d", factories.FORGE, factories.submission(main="x"))
        (standing,) = history.progress.by_boss().values()
    assert (standing.attempt_count, standing.best_total, standing.best_verdict) == (3, 2, "strong_pass")


def test_the_previous_try_is_the_last_judged_on_that_boss(path: Path) -> None:
    with History(path) as history:
        first = fight(history, 1)
        fight(history, 2, boss="iron")
        second = fight(history, 2)
        previous = history.previous(second)
        assert previous is not None
        assert previous.id == first
        assert history.previous(first) is None


def test_recent_directories_come_latest_first(path: Path) -> None:
    with History(path) as history:
        for directory in ("/a", "/b", "/a"):
            fight(history, 1, directory=directory)
        assert history.recent_directories("straw") == ["/a", "/b"]


def test_a_folder_is_recent_before_its_first_fight(path: Path) -> None:
    with History(path) as history:
        fight(history, 1, directory="/a")
        for folder in ("/b", "/c"):
            history.record_starter("straw", Path(folder))
        history.record_starter("iron", Path("/d"))
        assert history.recent_directories("straw") == ["/c", "/b", "/a"]
        fight(history, 1, directory="/a")
        assert history.recent_directories("straw") == ["/a", "/c", "/b"]
        assert history.count() == 2


def test_the_beginning_of_an_id_will_do(path: Path) -> None:
    with History(path) as history:
        attempt_id = fight(history, 1)
        assert history.get(attempt_id[:5]).id == attempt_id
        for wrong in ("", "%", "zzzzzzzz", "'; DROP TABLE attempts; --"):
            with pytest.raises(HistoryError, match="There is no attempt"):
                history.get(wrong)


def test_a_history_of_a_newer_version_is_left_alone(path: Path) -> None:
    History(path).close()
    sqlite3.connect(path).execute("PRAGMA user_version = 999").connection.close()
    with pytest.raises(HistoryError, match="newer EvalForge"):
        History(path)


def test_a_file_that_is_no_database_is_a_clear_error_and_stays(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_text("not a database, but somebody's notes" * 100)
    with pytest.raises(HistoryError, match="can't be opened"):
        History(path)
    assert path.read_text().startswith("not a database")


def test_a_submission_without_files_is_stored(path: Path) -> None:
    with History(path) as history:
        attempt_id = history.begin("s", "S", "h", "/d", factories.FORGE, Submission(files=()))
        assert history.get(attempt_id).submission.files == ()
