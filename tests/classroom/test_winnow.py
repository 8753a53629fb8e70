"""Winnowing does what its definition says, and lets no long shared stretch pass."""

from hypothesis import given
from hypothesis import strategies as st

from evalforge.classroom.lookalikes import DETECTED_LENGTH, GRAM_LENGTH, WINDOW_LENGTH, gram_hashes, winnow

LETTERS = st.lists(st.sampled_from("abc"), max_size=120)


def by_definition(hashes: list[int], window: int) -> list[int]:
    """Every window on its own: the rightmost of its smallest; each place once, in order."""
    windows = [range(i, i + window) for i in range(len(hashes) - window + 1)] or (
        [range(len(hashes))] if hashes else []
    )
    chosen = {min(places, key=lambda place: (hashes[place], -place)) for places in windows}
    return sorted(chosen)


@given(st.lists(st.integers(0, 6), max_size=60), st.integers(1, 12))
def test_the_fingerprints_are_those_of_the_definition(hashes: list[int], window: int) -> None:
    assert winnow(hashes, window) == by_definition(hashes, window)


@given(LETTERS, LETTERS, LETTERS, LETTERS, st.lists(st.sampled_from("abcd"), min_size=DETECTED_LENGTH, max_size=60))
def test_texts_with_a_long_common_stretch_share_a_fingerprint(
    before: list[str], after: list[str], other_before: list[str], other_after: list[str], shared: list[str]
) -> None:
    one = gram_hashes([*before, *shared, *after])
    other = gram_hashes([*other_before, *shared, *other_after])
    prints = {one[place] for place in winnow(one)}
    others = {other[place] for place in winnow(other)}
    assert prints & others


@given(LETTERS, LETTERS)
def test_texts_without_a_gram_in_common_share_none(one: list[str], other: list[str]) -> None:
    runs = {tuple(one[i : i + GRAM_LENGTH]) for i in range(len(one) - GRAM_LENGTH + 1)}
    if any(tuple(other[i : i + GRAM_LENGTH]) in runs for i in range(len(other) - GRAM_LENGTH + 1)):
        return
    assert not set(gram_hashes(one)) & set(gram_hashes(other))


def test_few_hashes_make_one_window_and_none_makes_none() -> None:
    assert winnow([]) == []
    assert winnow([5, 3, 3]) == [2]
    assert WINDOW_LENGTH == DETECTED_LENGTH - GRAM_LENGTH + 1
