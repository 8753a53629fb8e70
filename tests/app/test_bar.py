"""The bar: whatever the rubric, bites add up to the integrity and nothing overlaps."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.app.ui.widgets.hp_bar_layout import Part, SegmentKind, integrity, segments

RUBRICS = st.lists(st.integers(1, 9), min_size=1, max_size=8).flatmap(
    lambda tops: st.tuples(st.just(tops), st.tuples(*(st.one_of(st.none(), st.integers(0, top)) for top in tops)))
)


def laid_out(tops, given_scores):
    parts = [Part(f"c{i}", f"C{i}", top) for i, top in enumerate(tops)]
    scores = {f"c{i}": s for i, s in enumerate(given_scores) if s is not None}
    return segments(parts, scores, sum(tops)), scores, sum(tops)


@given(RUBRICS)
def test_the_stretches_fill_the_bar_without_gaps(rubric):
    found, _, _ = laid_out(*rubric)
    assert found[0].start == 0
    assert found[-1].end == pytest.approx(1)
    for left, right in pairwise(found):
        assert left.end == pytest.approx(right.start)


@given(RUBRICS)
def test_the_bites_together_are_the_integrity(rubric):
    found, scores, maximum = laid_out(*rubric)
    bites = sum(s.end - s.start for s in found if s.kind is SegmentKind.EARNED)
    assert bites == pytest.approx(integrity(scores, maximum))


@given(RUBRICS)
def test_bites_come_first_then_what_may_fall_then_what_is_kept(rubric):
    order = [SegmentKind.EARNED, SegmentKind.PENDING, SegmentKind.KEPT]
    found, _, _ = laid_out(*rubric)
    ranks = [order.index(s.kind) for s in found]
    assert ranks == sorted(ranks)


@given(RUBRICS)
def test_every_point_of_a_criterion_stands_under_its_name(rubric):
    found, _, maximum = laid_out(*rubric)
    for index, top in enumerate(rubric[0]):
        width = sum(s.end - s.start for s in found if s.part.id == f"c{index}")
        assert width * maximum == pytest.approx(top)
