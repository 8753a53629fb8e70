"""Classes in the store: a hand-in is an attempt, and no try of the player's own."""

from pathlib import Path

import pytest

from evalforge.history.classes import Instrument, Seat
from evalforge.history.store import History
from evalforge.model.attempt import AttemptState
from evalforge.model.events import Judged
from evalforge.model.evidence import Evidence
from tests import factories

INSTRUMENT = Instrument(rubric="r", evidence="e", trials="t")


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "attempts.sqlite3")


def fought(history: History, directory: str, *scores: float) -> str:
    """A judged attempt on a directory."""
    submission = factories.submission(main="x = 1")
    attempt_id = history.begin("straw", "Straw", "hash", directory, factories.FORGE, submission)
    events = factories.events(*scores)
    end = events[-1]
    assert isinstance(end, Judged)
    history.finish(attempt_id, AttemptState.JUDGED, "full", Evidence(), end.judgements, end.result, events)
    return attempt_id


def handed_in(history: History, run: int, row_id: str, *scores: float) -> str:
    history.seat(Path("/unpacked") / row_id, Seat(run, row_id, f"/class/{row_id}"))
    return fought(history, f"/unpacked/{row_id}", *scores)


def opened(history: History, label: str = "class") -> int:
    return history.classes.open_run(label, "straw", "/class", factories.FORGE, INSTRUMENT)


def test_a_hand_in_is_an_attempt_under_the_name_people_know(history: History) -> None:
    attempt_id = handed_in(history, opened(history), "ann", 2, 1)
    assert history.get(attempt_id).directory == "/class/ann"
    assert history.classes.row_of(attempt_id) == ("class", "ann")
    (sitting,) = history.classes.sittings("class", "straw", "ann")
    assert (sitting.attempt_id, sitting.score_total, sitting.instrument) == (attempt_id, 3, INSTRUMENT)
    assert history.classes.sittings("another class", "straw", "ann") == []
    assert history.classes.sittings("class", "straw", "bob") == []


def test_what_a_class_does_is_no_deed_of_the_players(history: History) -> None:
    own = fought(history, "/mine", 1, 0)
    handed_in(history, opened(history), "ann", 2, 2)
    standing = history.standings()["straw"]
    assert (standing.tries, standing.best_total) == (1, 1)
    assert [deed.id for deed in history.deeds()] == [own]
    assert [one.id for one in history.tries("straw")] == [own]
    assert history.recent_directories("straw") == ["/mine"]
    assert history.count() == 2
    assert [row.place for row in history.listing().page()] == ["ann", "#1"]
    fought(history, "/mine", 1, 1)
    assert sorted(one.number for one in history.tries("straw")) == [1, 2]


def test_what_came_before_is_looked_for_among_ones_own(history: History) -> None:
    mine = fought(history, "/mine", 1, 0)
    run = opened(history)
    first = handed_in(history, run, "ann", 1, 1)
    handed_in(history, run, "bob", 0, 0)
    again = handed_in(history, opened(history), "ann", 2, 1)
    later = fought(history, "/mine", 2, 0)
    before_later, before_again = history.previous(later), history.previous(again)
    assert before_later is not None
    assert before_again is not None
    assert (before_later.id, before_again.id) == (mine, first)
    assert history.previous(first) is None


def test_a_seat_is_for_one_attempt(history: History) -> None:
    handed_in(history, opened(history), "ann", 2, 2)
    own = fought(history, "/unpacked/ann", 2, 2)
    assert history.classes.row_of(own) is None


def test_sittings_are_told_latest_first_and_each_once(history: History) -> None:
    first = handed_in(history, opened(history), "ann", 1, 0)
    second_run = opened(history)
    second = handed_in(history, second_run, "ann", 2, 0)
    third_run = opened(history)
    history.classes.settle(third_run, "ann", first)
    assert [one.attempt_id for one in history.classes.sittings("class", "straw", "ann")] == [first, second]


def test_an_attempt_that_was_deleted_is_not_known_any_more(history: History) -> None:
    run = opened(history)
    history.delete(handed_in(history, run, "ann", 1, 0))
    assert history.classes.sittings("class", "straw", "ann") == []
    assert history.classes.runs()[0].rows == 1


def test_runs_say_how_far_they_came(history: History) -> None:
    first, second = opened(history), opened(history, "another")
    history.classes.settle(first, "ann", outcome="absent", reason="Nothing \ud800 was handed in.")
    history.classes.close_run(first)
    told = [(one.run, one.label, one.rows, one.finished_at is not None) for one in history.classes.runs()]
    assert told == [(second, "another", 0, False), (first, "class", 1, True)]
    assert history.classes.runs("nobody") == []


def settled(history: History, label: str = "class", **rows: str) -> int:
    """A run of a class that found these attempts; the run that stands for it."""
    run = opened(history, label)
    for row_id, attempt_id in rows.items():
        history.classes.settle(run, row_id, attempt_id)
    return history.classes.close_run(run)


def test_a_run_that_found_nothing_new_is_not_kept(history: History) -> None:
    first = opened(history)
    ann, bob = handed_in(history, first, "ann", 1, 0), handed_in(history, first, "bob", 2, 0)
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
    ann = handed_in(history, opened(history), "ann", 1, 0)
    assert settled(history, ann=ann) == 2
