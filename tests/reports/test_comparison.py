"""Comparing: the other way round, every difference has the other sign; with itself there is none."""

import pytest
from hypothesis import given

from evalforge.model.attempt import Attempt
from evalforge.reports.comparison import compare
from evalforge.reports.diff import MAX_DIFF_LINES, file_change
from tests.reports.attempts import attempt, attempts, texts


@given(attempts)
def test_an_attempt_does_not_differ_from_itself(one: Attempt) -> None:
    found = compare(one, one)
    assert (found.score_delta, found.hp_delta, found.trials, found.facts, found.files) == (0, 0, (), (), ())
    assert all(criterion.delta == 0 for criterion in found.criteria)
    assert found.same_files


@given(attempts, attempts)
def test_comparing_is_antisymmetric(one: Attempt, two: Attempt) -> None:
    there, back = compare(one, two), compare(two, one)
    assert (there.before, there.after, there.comparable) == (back.after, back.before, back.comparable)
    assert there.score_delta is not None
    assert back.score_delta is not None
    assert there.score_delta == -back.score_delta
    assert there.hp_delta == -(back.hp_delta or 0)
    assert {(c.id, c.before, c.after, c.delta) for c in there.criteria} == {
        (c.id, c.after, c.before, None if c.delta is None else -c.delta) for c in back.criteria
    }
    assert {(c.name, c.before, c.after) for c in there.facts} == {(c.name, c.after, c.before) for c in back.facts}
    assert {(c.id, c.before, c.after) for c in there.trials} == {(c.id, c.after, c.before) for c in back.trials}
    turned = {"added": "removed", "removed": "added", "changed": "changed"}
    assert {(c.path, c.kind) for c in there.files} == {(c.path, turned[c.kind]) for c in back.files}


def test_a_better_try_shows_fewer_hit_points_and_both_comments() -> None:
    found = compare(attempt(0, 1), attempt(2, 1))
    assert (found.score_delta, found.hp_delta) == (2, -0.5)
    first = found.criteria[0]
    assert (first.label, first.delta, first.comment_before, first.comment_after) == (
        *("Criterion c0", 2),
        *("because 0", "because 2"),
    )


def test_a_criterion_that_only_one_rubric_has_gets_no_delta() -> None:
    found = compare(attempt(1), attempt(1, 2, rubric_hash="another"))
    assert not found.comparable
    assert [(c.id, c.before, c.after, c.delta) for c in found.criteria] == [("c0", 1, 1, 0), ("c1", None, 2, None)]


def test_an_attempt_that_was_not_judged_can_be_compared() -> None:
    found = compare(attempt(1).model_copy(update={"result": None}), attempt(2))
    assert (found.score_delta, found.hp_delta, found.criteria[0].before) == (None, None, None)


def _apply(before: str, diff: tuple[str, ...]) -> list[str]:
    """The text after a diff, worked out from the text before it and the hunks alone."""
    old, new, at = before.removesuffix("\n").split("\n") if before else [], [], 0
    for line in diff:
        if line.startswith("@@"):
            first, _, length = line.split()[1][1:].partition(",")
            start = int(first) - (0 if length == "0" else 1)
            new += old[at:start]
            at = start
        elif line.startswith("+"):
            new.append(line[1:])
        else:
            assert old[at] == line[1:]
            new += [line[1:]] if line.startswith(" ") else []
            at += 1
    return new + old[at:]


@given(texts, texts)
def test_a_diff_leads_from_one_text_to_the_other(before: str, after: str) -> None:
    found = file_change("a.py", before, after)
    if before == after:
        assert found is None
    elif found is not None and found.diff[0] != "@@ @@":
        assert _apply(before, found.diff) == (after.removesuffix("\n").split("\n") if after else [])


def test_a_change_deep_in_a_file_is_counted_from_its_start() -> None:
    lines = [f"line {number}" for number in range(100)]
    after = [*lines[:50], "new", *lines[51:]]
    found = file_change("a.py", "\n".join(lines), "\n".join(after))
    assert found is not None
    assert (found.diff[0], found.added, found.removed) == ("@@ -48,7 +48,7 @@", 1, 1)


def test_an_empty_file_that_comes_or_goes_has_no_lines_to_show() -> None:
    for before, after in ((None, ""), ("", None)):
        found = file_change("a.py", before, after)
        assert found is not None
        assert (found.kind, found.diff, found.cut) == ("removed" if after is None else "added", (), 0)


@pytest.mark.parametrize("count", [3, 2_001])
def test_an_empty_side_is_named_by_the_line_before_it(count: int) -> None:
    text = "x\n" * count
    headers = [found.diff[0] for found in (file_change("a", "", text), file_change("a", text, "")) if found]
    assert headers == [f"@@ -0,0 +1,{count} @@", f"@@ -1,{count} +0,0 @@"]


def test_huge_files_with_nothing_in_common_are_cut() -> None:
    one = "\n".join(f"{number % 97}" for number in range(60_000))
    two = "\n".join(f"{number % 89}" for number in range(60_000, 0, -1))
    found = file_change("a.py", one, two)  # line by line it would take hours
    assert found is not None
    assert (len(found.diff), found.cut > 100_000) == (MAX_DIFF_LINES, True)


def test_a_line_without_end_is_cut() -> None:
    found = file_change("a.py", "x", "y" * 200_000)
    assert found is not None
    assert max(map(len, found.diff)) < 500
