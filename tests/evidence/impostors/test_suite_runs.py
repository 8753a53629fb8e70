"""How a test stands to several right programs together."""

from hypothesis import given
from hypothesis import strategies as st

from evalforge.evidence.impostors import inner_tests
from evalforge.evidence.impostors.suite_runs import Standing, SuiteOnProgram, join_standings
from evalforge.evidence.mutation.mutation_plan import Baseline

USES = inner_tests.TestUses({}, inner_tests.find_inner_names([], [], frozenset()), "till")
STANDINGS = st.lists(st.sampled_from(Standing), min_size=1, max_size=4)


def joined(*standings: Standing) -> Standing:
    """One test's standing to all, by its standing to each."""
    nothing = Baseline((), {}, 0.0)
    suites = (SuiteOnProgram({"test": each}, nothing, nothing, is_complete=True) for each in standings)
    return join_standings(suites, USES)["test"]


@given(STANDINGS)
def test_the_order_of_programs_is_nothing(standings):
    assert joined(*standings) is joined(*reversed(standings))


@given(st.sampled_from(Standing), st.integers(1, 4))
def test_what_all_programs_agree_on_holds(standing, count):
    assert joined(*[standing] * count) is standing


@given(STANDINGS)
def test_a_test_is_wrong_or_the_contracts_only_by_every_program(standings):
    for standing in (Standing.WRONG, Standing.CONTRACT):
        assert (joined(*standings) is standing) == (set(standings) == {standing})


@given(STANDINGS)
def test_an_inner_test_is_inner_and_then_a_wavering_one_wavers(standings):
    if Standing.INNER in standings:
        assert joined(*standings) is Standing.INNER
    elif Standing.WAVERING in standings:
        assert joined(*standings) is Standing.WAVERING


def test_what_right_programs_do_differently_is_beyond_it():
    assert joined(Standing.CONTRACT, Standing.WRONG, Standing.CONTRACT) is Standing.BEYOND
