"""Progress: from history alone, dated, and never lowered by a loss."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.progress.achievements import ACHIEVEMENTS
from evalforge.progress.progress import RANKS, work_out_progress, work_out_rank
from evalforge.progress.records import AttemptSummary
from tests.reports.attempts import deed, deeds, hint, histories

BY_ID = {achievement.id: achievement for achievement in ACHIEVEMENTS}


def earned(name: str, history: list[AttemptSummary]) -> str | None:
    award = BY_ID[name].award(history)
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
    assert {one.id for one, _ in found.awards} | {one.id for one in found.unearned} == set(BY_ID)
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
    own = BY_ID["own-hand"]
    assert own.award(history, [hint(2, "a")]) is None
    assert own.award(history, [hint(3, "a"), hint(1, "b")]) is not None
