"""Progress, attempts and the level matrix: read from rows alone, bodies stay packed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from evalforge.history.store import History
from evalforge.model.errors import HistoryError
from evalforge.model.events import Ungraded
from evalforge.model.fight_record import FightRecord
from tests import factories
from tests.database import execute_sql
from tests.history.test_store import fight


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    with History(tmp_path / "attempts.sqlite3") as history:
        yield history


def test_the_matrix_holds_each_criterion_of_the_last_tries(history: History) -> None:
    for scores in ((0, 0), (1, 0), (1, 2)):
        fight(history, *scores)
    fight(history, 2, boss="iron")
    matrix = history.progress.level_matrix("straw", last=2)
    assert matrix.criteria == ("c0", "c1")
    assert matrix.row("c0") == ((1, 2), (1, 2))
    assert matrix.row("c1") == ((0, 2), (2, 2))
    assert [attempt.number for attempt in matrix.attempts] == [2, 3]


def test_a_criterion_that_came_later_has_no_level_before(history: History) -> None:
    fight(history, 1)
    fight(history, 1, 2)
    assert history.progress.level_matrix("straw").row("c1") == (None, (2, 2))


def test_the_matrix_is_read_without_any_body(history: History) -> None:
    fight(history, 1, 2)
    execute_sql(history.path, "UPDATE records SET body = x'00', events = x'00'")
    assert history.progress.level_matrix("straw").row("c1") == ((2, 2),)
    assert history.progress.by_boss()["straw"].best_total == 3
    assert history.tallies.tally([]).bosses["straw"].last.levels == {"c0": 1, "c1": 2}


def test_tries_come_oldest_first_and_only_judged_ones(history: History) -> None:
    fight(history, 0)
    stopped = history.begin("straw", "Straw", "h", "/d", factories.FORGE, factories.submission(main="x"))
    fight(history, 2)
    assert [(attempt.number, attempt.integrity) for attempt in history.progress.attempts("straw")] == [
        (1, 0.0),
        (2, 1.0),
    ]
    assert [row.place for row in history.page()] == ["#2", "", "#1"], "a stopped fight uses up no number"
    history.finish(stopped, FightRecord())
    assert [row.place for row in history.page()] == ["#2", "", "#1"]


def test_before_and_after_are_the_neighbours_on_the_same_boss(history: History) -> None:
    first = fight(history, 1)
    fight(history, 2, boss="iron")
    second = fight(history, 2)
    following = history.next(first)
    assert following is not None
    assert following.id == second
    assert history.next(second) is None


def count_rows(history: History, table: str) -> int:
    ((count,),) = execute_sql(history.path, f"SELECT count(*) FROM {table}")
    return count


def test_a_deleted_attempt_takes_only_its_own_files_along(history: History) -> None:
    kept = fight(history, 1, main="shared", other="only here")
    gone = fight(history, 2, main="shared", other="only there")
    history.delete(gone)
    stored = count_rows(history, "contents")
    rows = {name: count_rows(history, name) for name in ("attempts", "records")}
    assert (stored, rows) == (2, {"attempts": 1, "records": 1})
    assert [file.content for file in history.get(kept).submission.files] == ["shared", "only here"]
    with pytest.raises(HistoryError, match="There is no attempt"):
        history.get(gone)


def test_numbers_of_tries_stay_apart_after_a_deletion(history: History) -> None:
    first, second = fight(history, 1), fight(history, 1)
    history.delete(first)
    third = fight(history, 1)
    numbers = {row.id: row.number for row in history.page()}
    assert numbers == {second: 2, third: 3}


@pytest.mark.parametrize(("attempt_id", "words"), [("nothing", "There is no attempt"), ("", "There is no attempt")])
def test_what_is_not_there_can_not_be_deleted(history: History, attempt_id: str, words: str) -> None:
    with pytest.raises(HistoryError, match=words):
        history.delete(attempt_id)


def test_a_fight_that_goes_on_is_not_deleted(history: History) -> None:
    running = history.begin("straw", "Straw", "h", "/d", factories.FORGE, factories.submission(main="x"))
    with pytest.raises(HistoryError, match="still being judged"):
        history.delete(running)
    history.finish(running, FightRecord())
    history.delete(running)
    assert history.count() == 0


def test_a_damaged_attempt_is_an_error_in_words(history: History) -> None:
    attempt_id = fight(history, 1)
    execute_sql(history.path, "UPDATE records SET body = x'0011'")
    with pytest.raises(HistoryError, match="damaged"):
        history.get(attempt_id)


def test_an_event_may_hold_any_line_separator(history: History) -> None:
    submission = factories.submission(main="x")
    attempt_id = history.begin("straw", "Straw", "h", "/d", factories.FORGE, submission)
    events = factories.events(1)
    odd = (events[0].model_copy(update={"title": "one\u2028two\x85three\x0bfour"}), *events[1:])
    history.finish(attempt_id, FightRecord(events=[*odd], conclusion=Ungraded(reason="")))
    assert history.get(attempt_id).events == odd


def test_the_first_reading_of_a_hint_counts(history: History) -> None:
    for _ in range(2):
        history.record_hint("straw", "c0", 1)
    history.record_hint("straw", "c0", 2)
    assert [(hint.boss_id, hint.criterion_id, hint.step) for hint in history.hints_read()] == [
        ("straw", "c0", 1),
        ("straw", "c0", 2),
    ]
