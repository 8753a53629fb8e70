"""Which tests are tried on which controls."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from evalforge.evidence.suite.jobs import FREE_SECONDS, share_tests

_TESTS = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0.0, 2.0), min_size=1)


@given(st.data(), _TESTS, st.integers(1, 8))
def test_every_test_meets_a_control_and_time_is_bounded(data: st.DataObject, seconds: dict[str, float], n: int) -> None:
    tests = st.lists(st.sampled_from(sorted(seconds)), min_size=1, unique=True)
    before = [data.draw(tests) for _ in range(n)]
    after = share_tests(before, seconds)
    assert all(
        kept and list(kept) == [test for test in all_ if test in kept] for all_, kept in zip(before, after, strict=True)
    )
    assert {test for kept in after for test in kept} == {test for tests in before for test in tests}
    once = sum(seconds[test] for test in {test for tests in before for test in tests})
    longest = max(seconds.values())
    spent = sum(seconds[test] for kept in after for test in kept)
    assert spent <= once + FREE_SECONDS + n * longest + 1e-9


def test_quick_tests_meet_all_controls_and_slow_ones_one() -> None:
    after = share_tests([["quick", "slow"]] * 4, {"quick": 0.01, "slow": 1.0})
    assert Counter(test for tests in after for test in tests) == {"quick": 4, "slow": 1}


def test_suites_that_take_no_time_meet_all_controls() -> None:
    assert share_tests([["a", "b"]] * 8, {"a": 0.001, "b": 0.002}) == [("a", "b")] * 8
