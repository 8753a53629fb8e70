"""Progress: from history alone, dated, and never lowered by a loss."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.progress.progress import ACHIEVEMENTS, RANKS, PlayerProgress, count_attempts, read_tally, work_out_rank
from evalforge.progress.records import TRAINING, AttemptSummary, Hint
from evalforge.progress.tally import Tally
from tests.reports.attempts import deed, deeds, hint, histories

IDS = {achievement.id for achievement in ACHIEVEMENTS}


def count(attempts: list[AttemptSummary], *hints: Hint) -> Tally:
    tally = Tally()
    count_attempts(tally, attempts, hints)
    return tally


def work_out_progress(attempts: list[AttemptSummary]) -> PlayerProgress:
    return read_tally(count(attempts))


def earned(name: str, history: list[AttemptSummary], *hints: Hint) -> str | None:
    award = count(history, *hints).awards.get(name)
    return award.attempt_id if award else None


@given(histories, histories)
def test_nothing_that_comes_later_takes_anything_away(past: list[AttemptSummary], future: list[AttemptSummary]) -> None:
    whole = past + [
        one._replace(id=f"later{index}", started_at_iso=f"2027{one.started_at_iso[4:]}")
        for index, one in enumerate(future)
    ]
    before, after = work_out_progress(past), work_out_progress(whole)
    assert after.rank_progress.points >= before.rank_progress.points
    assert after.ranks_reached[: len(before.ranks_reached)] == before.ranks_reached
    assert {(one.id, award) for one, award in before.awards} <= {(one.id, award) for one, award in after.awards}
    for boss, best in before.boss_records.items():
        assert after.boss_records[boss].integrity >= best.integrity


@given(histories)
def test_every_achievement_is_either_earned_or_open(history: list[AttemptSummary]) -> None:
    found = work_out_progress(history)
    assert {one.id for one, _ in found.awards} | {one.id for one in found.unearned} == IDS
    assert len(found.awards) + len(found.unearned) == len(ACHIEVEMENTS)
    assert [award.earned_at for _, award in found.awards] == sorted(award.earned_at for _, award in found.awards)


@given(histories)
def test_the_rank_is_the_same_from_deeds_and_from_best_verdicts(history: list[AttemptSummary]) -> None:
    found = work_out_progress(history)
    assert work_out_rank({boss: best.best.verdict for boss, best in found.boss_records.items()}) == found.rank_progress


@given(
    st.dictionaries(st.text(max_size=3), st.sampled_from(["fail", "borderline", "pass", "strong_pass"]), max_size=30)
)
def test_the_next_rank_is_as_far_as_it_says(verdicts: dict[str, str]) -> None:
    found = work_out_rank(verdicts)
    assert found.rank.points <= found.points
    assert found.next_rank is None or found.points + found.points_missing == found.next_rank.points


def test_ranks_rise() -> None:
    assert [rank.points for rank in RANKS] == sorted({rank.points for rank in RANKS})
    assert RANKS[0].points == 0


@pytest.mark.parametrize(
    ("name", "done", "not_done"),
    [
        ("first-blood", [("a", 2), ("a", 6)], [("a", 5)]),
        ("flawless", [("a", 6), ("a", 8)], [("a", 7)]),
        ("one-strike", [("a", 1), ("b", 6)], [("a", 1), ("a", 6)]),
        ("comeback", [("a", 1), ("b", 3), ("a", 5)], [("a", 1), ("b", 5), ("a", 4)]),
        ("own-hand", [("a", 1), ("a", 2), ("a", 6)], [("a", 1), ("a", 6)]),
        ("two-in-a-row", [("a", 6), ("b", 7)], [("a", 6), ("a", 7), ("c", 1), ("b", 6)]),
        ("ashes", [("a", 2), ("b", 8), ("a", 8)][::2], [("a", 3), ("a", 8)]),
        ("whetstone", [("a", 1), ("a", 2), ("a", 3), ("a", 4)], [("a", 1), ("a", 2), ("a", 2), ("a", 3), ("a", 4)]),
        ("second-edge", [("a", 6), ("b", 8), ("a", 8)][::2], [("a", 8), ("a", 6)]),
        ("archivist", [(f"b{n}", 0) for n in range(8)], [(f"b{n % 7}", 0) for n in range(20)]),
        ("trinity", [("a", 8), ("b", 8), ("c", 8)], [("a", 8), ("b", 8), ("b", 8), ("c", 7)]),
        ("house", [(f"b{n}", 6) for n in range(12)], [(f"b{n}", 6) for n in range(11)]),
    ],
)
def test_an_achievement_is_dated_by_the_deed_that_earned_it(
    name: str, done: list[tuple[str, int]], not_done: list[tuple[str, int]]
) -> None:
    history = deeds(*done)
    assert earned(name, history) == history[-1].id
    assert earned(name, deeds(*not_done)) is None


def test_every_criterion_must_rise_for_a_broad_stroke() -> None:
    low, high, half = ('[["x",0,2],["y",1,2]]', '[["x",1,2],["y",2,2]]', '[["x",2,2],["y",1,2]]')
    assert earned("broad-stroke", [deed(0, "a", 1, levels=low), deed(1, "a", 3, levels=high)]) == "id1"
    assert earned("broad-stroke", [deed(0, "a", 1, levels=low), deed(1, "a", 3, levels=half)]) is None


def test_a_second_opinion_needs_another_judge_on_the_same_files() -> None:
    assert earned("second-opinion", [deed(0, "a", 6, "forge", "x"), deed(1, "a", 6, "claude", "x")]) == "id1"
    assert earned("second-opinion", [deed(0, "a", 6, "forge", "x"), deed(1, "a", 6, "claude", "y")]) is None
    assert earned("second-opinion", [deed(0, "a", 6, "forge", "x"), deed(1, "a", 6, "forge", "x")]) is None


def test_a_hint_read_afterwards_does_not_count_against_you() -> None:
    history = deeds(("a", 1), ("a", 2), ("a", 6))
    assert earned("own-hand", history, hint(2, "a")) is None
    assert earned("own-hand", history, hint(3, "a"), hint(1, "b")) is not None


def test_the_training_boss_earns_the_first_win_alone() -> None:
    assert set(count(deeds((TRAINING, 1), (TRAINING, 8))).awards) == {"first-blood"}
    assert {"flawless", "comeback", "ashes"} <= set(count(deeds(("lich", 1), ("lich", 8))).awards)


@given(histories, st.data())
def test_a_tally_that_was_stored_goes_on_as_if_it_had_not(history: list[AttemptSummary], data: st.DataObject) -> None:
    middle = data.draw(st.integers(0, len(history)))
    tally = Tally.model_validate_json(count(history[:middle]).model_dump_json())
    count_attempts(tally, history[middle:])
    assert tally == count(history)


# Streaks


@pytest.mark.parametrize(
    ("scores", "improvements"),
    [((1,), 0), ((1, 2), 1), ((1, 2, 5), 2), ((1, 2, 2), 0), ((5, 1, 2, 3), 2), ((3, 2), 0)],
)
def test_improvements_count_back_to_the_last_try_that_was_none(scores: tuple[int, ...], improvements: int) -> None:
    assert count(deeds(*(("lich", score) for score in scores))).bosses["lich"].improvements == improvements


def test_improvements_are_of_one_boss() -> None:
    assert count(deeds(("lich", 1), ("hydra", 7), ("lich", 2))).bosses["lich"].improvements == 1


def test_bosses_won_in_a_row_count_each_boss_once() -> None:
    fights = deeds(("a", 8), ("b", 1), ("b", 7), ("b", 8), ("c", 7))
    assert count(fights).bosses_won == ["b", "c"]
    assert count(fights[:2]).bosses_won == []
