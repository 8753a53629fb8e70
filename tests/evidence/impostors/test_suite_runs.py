"""How a test stands to several right programs together."""

from hypothesis import given
from hypothesis import strategies as st

from evalforge.evidence.impostors import inner_tests
from evalforge.evidence.impostors.suite_runs import Standing, SuiteOnProgram, join_standings, set_open_tests_aside
from evalforge.evidence.mutation.mutation_plan import Baseline

INNER = inner_tests.find_inner_names([], [], frozenset())
SOURCE = "from till import Till, main\ndef test_main(): main([])\ndef test_till(): Till()\n"
USES = inner_tests.TestUses({"a.py": SOURCE}, INNER, "till", frozenset({"main"}))
STANDINGS = st.lists(st.sampled_from(Standing), min_size=1, max_size=4)


def joined(*standings: Standing) -> Standing:
    """One test's standing to all, by its standing to each."""
    nothing = Baseline((), {}, 0.0)
    suites = (SuiteOnProgram({"test": each}, nothing, nothing, is_complete=True) for each in standings)
    return join_standings(suites)["test"]


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


def test_what_right_programs_do_differently_is_open():
    assert joined(Standing.CONTRACT, Standing.WRONG, Standing.CONTRACT) is Standing.OPEN


def open_tests(*, is_own_right: bool, denied: tuple[str, ...] = (), failing: tuple[str, ...] = ()) -> set[str]:
    """Which of two tests that every right program fails are set aside."""
    tests = ("a.py::test_main", "a.py::test_till")
    own_passing = frozenset(tests).difference(failing)
    standings = set_open_tests_aside(
        dict.fromkeys(tests, Standing.WRONG), USES, denied, own_passing, is_own_right=is_own_right
    )
    return {name.removeprefix("a.py::test_") for name, its in standings.items() if its is Standing.OPEN}


def test_a_right_program_passes_nothing_that_is_denied():
    assert open_tests(is_own_right=True) == {"main", "till"}
    assert open_tests(is_own_right=True, failing=("a.py::test_till",)) == {"main"}


def test_a_name_that_is_not_the_contracts_makes_a_test_open():
    assert open_tests(is_own_right=False) == {"main"}


def test_what_an_impostor_does_is_denied_whoever_passes():
    assert open_tests(is_own_right=True, denied=("a.py::test_main",)) == {"till"}
