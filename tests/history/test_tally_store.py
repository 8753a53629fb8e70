"""Tries are counted once: what is kept is what a full count gives, whatever happened to the attempts meanwhile."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalforge.app.fight.rewards import new_rewards
from evalforge.history import tally_store
from evalforge.history.store import History
from evalforge.model.errors import HistoryError
from evalforge.model.events import Judged
from evalforge.model.fight_record import FightRecord
from evalforge.progress.tally import Tally
from tests import factories
from tests.database import execute_sql
from tests.history.test_store import fight

BOSSES = ("straw", "iron", "training-dummy")


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    with History(tmp_path / "attempts.sqlite3") as store:
        yield store


@pytest.fixture
def keeps_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tally is kept after every count."""
    monkeypatch.setattr(tally_store, "NEW_ATTEMPTS_WORTH_STORING", 0)


def begin(history: History, boss: str, agent: str = "") -> str:
    return history.begin(boss, boss.title(), "h", "/d", factories.FORGE, factories.submission(main=boss), agent)


def finish(history: History, attempt_id: str, *scores: float) -> None:
    events = factories.events(*scores)
    judged = events[-1]
    assert isinstance(judged, Judged)
    submission = factories.submission(main="x")
    history.finish(attempt_id, FightRecord(submission=submission, events=events, isolation="full", conclusion=judged))


def full_count(path: Path) -> Tally:
    """The same by a store of its own that keeps nothing."""
    with History(path) as history:
        history.tallies.recount()
        return history.tallies.tally(history.hints_read())


steps = st.lists(
    st.one_of(
        st.tuples(st.just("fight"), st.sampled_from(BOSSES), st.integers(0, 2)),
        st.tuples(st.just("begin"), st.sampled_from(BOSSES), st.integers(0, 2)),
        st.tuples(st.just("finish"), st.integers(0, 30), st.integers(0, 2)),
        st.tuples(st.just("agent"), st.sampled_from(BOSSES), st.integers(0, 2)),
        st.tuples(st.just("delete"), st.integers(0, 30), st.just(0)),
        st.tuples(st.just("look"), st.just(0), st.just(0)),
    ),
    max_size=20,
)


@given(steps)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_what_is_kept_is_what_a_full_count_gives(
    tmp_path_factory: pytest.TempPathFactory, keeps_each: None, moves: list[tuple[str, object, int]]
) -> None:
    path = tmp_path_factory.mktemp("history") / "attempts.sqlite3"
    with History(path) as history:
        judged: list[str] = []
        running: list[str] = []
        for name, target, score in moves:
            if name == "fight":
                judged.append(fight(history, score, boss=str(target)))
            elif name == "begin":
                running.append(begin(history, str(target)))
            elif name == "agent":
                finish(history, begin(history, str(target), agent="solver"), score)
            elif name == "finish" and running:
                judged.append(running.pop(int(str(target)) % len(running)))
                finish(history, judged[-1], score)
            elif name == "delete" and judged:
                history.delete(judged.pop(int(str(target)) % len(judged)))
            elif name == "look":
                history.tallies.tally([])
        kept = history.tallies.tally([])
        standings = {boss: one.attempt_count for boss, one in history.progress.by_boss().items()}
        history.tallies.check()
    assert kept == full_count(path)
    assert standings == {boss: one.attempt_count for boss, one in kept.bosses.items()}


def stored_rows(history: History) -> list[int]:
    return [up_to for (up_to,) in execute_sql(history.path, "SELECT up_to FROM progress_tally")]


def test_few_new_tries_are_counted_each_time_and_many_once(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally_store, "NEW_ATTEMPTS_WORTH_STORING", 2)
    for _ in range(2):
        fight(history, 1)
    history.tallies.tally([])
    assert stored_rows(history) == []
    fight(history, 1)
    history.tallies.tally([])
    assert stored_rows(history) == [3]
    fight(history, 2)
    assert history.tallies.tally([]).bosses["straw"].attempt_count == 4
    assert stored_rows(history) == [3]


def test_a_changed_or_deleted_try_drops_the_kept_count(history: History, keeps_each: None) -> None:
    late = begin(history, "straw")
    first = fight(history, 1)
    history.tallies.tally([])
    finish(history, late, 2)
    assert stored_rows(history) == []
    assert history.tallies.tally([]).bosses["straw"].attempt_count == 2
    history.delete(first)
    assert stored_rows(history) == []


def test_a_count_that_cannot_be_read_is_made_anew(history: History, keeps_each: None) -> None:
    fight(history, 1)
    before = history.tallies.tally([])
    execute_sql(history.path, "UPDATE progress_tally SET tally = x'00'")
    assert history.tallies.tally([]) == before
    execute_sql(history.path, "UPDATE progress_tally SET rules = 'of another version'")
    assert history.tallies.tally([]) == before


def test_a_change_by_another_process_is_not_forgotten(
    history: History, keeps_each: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = begin(history, "straw")
    fight(history, 1)
    count = tally_store.count_attempts

    def count_while_another_finishes(*arguments: Any) -> None:
        with History(history.path) as other:
            finish(other, late, 2)
        count(*arguments)

    monkeypatch.setattr(tally_store, "count_attempts", count_while_another_finishes)
    assert history.tallies.tally([]).bosses["straw"].attempt_count == 1
    monkeypatch.undo()
    assert history.tallies.tally([]).bosses["straw"].attempt_count == 2


def test_rewards_are_those_of_the_attempt_asked_for(history: History, keeps_each: None) -> None:
    first, second = fight(history, 1), fight(history, 2)
    history.tallies.tally([])
    for attempt_id, titles in ((first, set()), (second, {"Your best on this boss: 2 of 2"})):
        counted = history.tallies.tally_before(attempt_id, [])
        assert counted
        assert titles <= {reward.title for reward in new_rewards(*counted, [])}
    assert history.tallies.tally_before(begin(history, "straw"), []) is None
    assert history.tallies.tally_before("nowhere", []) is None


def test_wrong_counts_are_found_and_repaired(history: History) -> None:
    fight(history, 1)
    execute_sql(history.path, "UPDATE own_tries SET judged = 7")
    with pytest.raises(HistoryError, match="counts of attempts are wrong"):
        history.tallies.check()
    history.tallies.recount()
    history.tallies.check()
    assert history.progress.by_boss()["straw"].attempt_count == 1
