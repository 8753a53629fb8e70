"""Nothing is left out for good: each test is in some run, and four turns in a row have run every case."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import rotation, tier_times
from tests.conftest import REPOSITORY
from tests.rotation import SHARES, due_cases, family_of
from tests.test_tiers import TESTS, files
from tests.tiers import FAST, TIERS, tier_of

NIGHTLY = (REPOSITORY / ".github/workflows/nightly.yml").read_text("utf-8")
CHECKS = (REPOSITORY / ".ci/run").read_text("utf-8")
ROTATING_TIERS = {
    tier_of(path.as_posix())
    for path in files()
    if re.search(r"^(@|pytestmark = )pytest\.mark\.rotating", (TESTS / path).read_text("utf-8"), re.MULTILINE)
}


def test_every_tier_is_in_some_run() -> None:
    listed = re.search(r"for tier in (.*); do", CHECKS)
    assert listed is not None
    assert {*listed[1].split(), *re.findall(r"TIER=(\w+)", NIGHTLY)} == {FAST, *TIERS}


def test_every_night_runs_all_cases_of_every_rotating_tier() -> None:
    assert ROTATING_TIERS
    assert {tier for tier in ROTATING_TIERS if f"TIER={tier} ALL=1" not in NIGHTLY} == set()


@given(st.lists(st.sampled_from("abc"), max_size=40), st.integers(0, 1000), st.sampled_from([1, SHARES, 7]))
def test_turns_in_a_row_run_every_case(families: list[str], first: int, shares: int) -> None:
    turns = [due_cases(families, number, shares) for number in range(first, first + shares)]
    assert all(any(case) for case in zip(*turns, strict=True))
    for turn in turns:
        firsts = [families.index(family) for family in set(families)]
        assert all(turn[position] for position in firsts)
        assert sum(turn) <= len(firsts) + -(-(len(families) - len(firsts)) // shares)


def test_without_a_turn_every_case_is_run() -> None:
    assert due_cases(["a", "a", "b", "a"], None) == [True] * 4


def test_a_family_is_a_test_and_what_stands_before_a_slash() -> None:
    cases = ["t.py::test_a", "t.py::test_a[reach/proc]", "t.py::test_a[reach/sys]", "t.py::test_a[x]"]
    assert [family_of(case) for case in cases] == [
        "t.py::test_a",
        "t.py::test_a[reach",
        "t.py::test_a[reach",
        "t.py::test_a",
    ]


@pytest.mark.parametrize(("named", "number"), [("all", None), ("2", 2)])
def test_the_turn_can_be_named(named: str, number: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVALFORGE_SHARE", named)
    assert rotation.turn.__wrapped__() == number


def test_times_become_a_table_of_the_page() -> None:
    table = tier_times.times_table(["check 17 30", "fast 1150 2000"])
    assert table.splitlines()[2:] == ["| check | 17 | 30 |", "| fast | 1,150 | 2,000 |", "| all | 1,167 | 2,030 |"]
    page = "before\n<!-- times of .ci/run: make times -->\nold\n<!-- end of times -->\nafter\n"
    twice = tier_times.with_table(tier_times.with_table(page, "older"), table)
    assert twice == page.replace("old", table)
