"""Classes in the store: a hand-in is an attempt, and no try of the player's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from evalforge.history.class_book import ClassSlot, JudgingFingerprint
from evalforge.history.listing import AttemptFilter
from evalforge.history.store import History
from evalforge.model.events import Judged
from evalforge.model.fight_record import FightRecord
from tests import factories

FINGERPRINT = JudgingFingerprint(rubric="r", evidence="e", trials="t")


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    with History(tmp_path / "attempts.sqlite3") as history:
        yield history


def judge_attempt(history: History, directory: str, *scores: float) -> str:
    """A judged attempt on a directory."""
    submission = factories.submission(main="x = 1")
    attempt_id = history.begin("straw", "Straw", "hash", directory, factories.FORGE, submission)
    events = factories.events(*scores)
    end = events[-1]
    assert isinstance(end, Judged)
    history.finish(attempt_id, FightRecord(events=[*events], isolation="full", conclusion=end))
    return attempt_id


def judge_hand_in(history: History, run: int, row_id: str, *scores: float) -> str:
    history.assign_class_slot(Path("/unpacked") / row_id, ClassSlot(run, row_id, f"/class/{row_id}"))
    return judge_attempt(history, f"/unpacked/{row_id}", *scores)


def open_run(history: History, label: str = "class") -> int:
    return history.classes.open_run(label, "straw", "/class", factories.FORGE, FINGERPRINT)


def test_a_hand_in_is_an_attempt_under_the_name_people_know(history: History) -> None:
    attempt_id = judge_hand_in(history, open_run(history), "ann", 2, 1)
    assert history.get(attempt_id).directory == "/class/ann"
    assert history.classes.find_row(attempt_id) == ("class", "ann")
    (judging,) = history.classes.past_judgings("class", "straw", "ann")
    assert (judging.attempt_id, judging.score_total, judging.fingerprint) == (attempt_id, 3, FINGERPRINT)
    assert history.classes.past_judgings("another class", "straw", "ann") == []
    assert history.classes.past_judgings("class", "straw", "bob") == []


def test_what_a_class_does_is_no_deed_of_the_players(history: History) -> None:
    own = judge_attempt(history, "/mine", 1, 0)
    judge_hand_in(history, open_run(history), "ann", 2, 2)
    progress = history.progress.by_boss()["straw"]
    assert (progress.attempt_count, progress.best_total) == (1, 1)
    assert history.tallies.tally([]).bosses["straw"].last.id == own
    assert [one.id for one in history.progress.attempts("straw")] == [own]
    assert history.recent_directories("straw") == ["/mine"]
    assert [row.place for row in history.listing().page()] == ["#1"]
    assert [row.place for row in history.page(AttemptFilter(with_classes=True))] == ["ann", "#1"]
    judge_attempt(history, "/mine", 1, 1)
    assert sorted(one.number for one in history.progress.attempts("straw")) == [1, 2]


def test_what_came_before_is_looked_for_among_ones_own(history: History) -> None:
    mine = judge_attempt(history, "/mine", 1, 0)
    run = open_run(history)
    first = judge_hand_in(history, run, "ann", 1, 1)
    judge_hand_in(history, run, "bob", 0, 0)
    again = judge_hand_in(history, open_run(history), "ann", 2, 1)
    later = judge_attempt(history, "/mine", 2, 0)
    before_later, before_again = history.previous(later), history.previous(again)
    assert before_later is not None
    assert before_again is not None
    assert (before_later.id, before_again.id) == (mine, first)
    assert history.previous(first) is None


def test_a_seat_is_for_one_attempt(history: History) -> None:
    judge_hand_in(history, open_run(history), "ann", 2, 2)
    own = judge_attempt(history, "/unpacked/ann", 2, 2)
    assert history.classes.find_row(own) is None


def test_sittings_are_told_latest_first_and_each_once(history: History) -> None:
    first = judge_hand_in(history, open_run(history), "ann", 1, 0)
    second_run = open_run(history)
    second = judge_hand_in(history, second_run, "ann", 2, 0)
    third_run = open_run(history)
    history.classes.record_row(third_run, "ann", first)
    assert [one.attempt_id for one in history.classes.past_judgings("class", "straw", "ann")] == [first, second]


def test_an_attempt_that_was_deleted_is_not_known_any_more(history: History) -> None:
    run = open_run(history)
    history.delete(judge_hand_in(history, run, "ann", 1, 0))
    assert history.classes.past_judgings("class", "straw", "ann") == []
    assert history.classes.runs()[0].rows == 1


def test_runs_say_how_far_they_came(history: History) -> None:
    first, second = open_run(history), open_run(history, "another")
    history.classes.record_row(first, "ann", outcome="absent", reason="Nothing \ud800 was handed in.")
    history.classes.close_run(first)
    told = [(one.run, one.label, one.rows, one.finished_at is not None) for one in history.classes.runs()]
    assert told == [(second, "another", 0, False), (first, "class", 1, True)]
    assert history.classes.runs("nobody") == []


def settled(history: History, label: str = "class", **rows: str) -> int:
    """A run of a class that found these attempts; the run that stands for it."""
    run = open_run(history, label)
    for row_id, attempt_id in rows.items():
        history.classes.record_row(run, row_id, attempt_id)
    return history.classes.close_run(run)


def test_a_run_that_found_nothing_new_is_not_kept(history: History) -> None:
    first = open_run(history)
    ann, bob = judge_hand_in(history, first, "ann", 1, 0), judge_hand_in(history, first, "bob", 2, 0)
    assert history.classes.close_run(first) == first
    assert settled(history, ann=ann, bob=bob) == first
    assert [one.run for one in history.classes.runs()] == [first]
    kept = [
        settled(history, ann=ann),
        settled(history, ann=ann, bob=bob),
        settled(history, ann=bob, bob=bob),
        settled(history, "another", ann=bob, bob=bob),
    ]
    assert [one.run for one in history.classes.runs()] == [*reversed(kept), first]


def test_a_run_that_was_broken_off_stands_for_nothing(history: History) -> None:
    ann = judge_hand_in(history, open_run(history), "ann", 1, 0)
    assert settled(history, ann=ann) == 2
