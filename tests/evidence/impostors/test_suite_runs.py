"""How a test stands to several right programs together."""

from hypothesis import given
from hypothesis import strategies as st

from evalforge.evidence.suite import inner_tests
from evalforge.evidence.suite.jobs import Baseline
from evalforge.evidence.suite.standings import SuiteOnProgram, SuiteTestStatus, join_statuses, set_open_tests_aside

INNER = inner_tests.find_inner_names([], [], frozenset())
SOURCE = "from till import Till, main\ndef test_main(): main([])\ndef test_till(): Till()\n"
USES = inner_tests.TestUses({"a.py": SOURCE}, INNER, "till", frozenset({"main"}))
STATUSES = st.lists(st.sampled_from(SuiteTestStatus), min_size=1, max_size=4)


def joined(*statuses: SuiteTestStatus) -> SuiteTestStatus:
    """One test's status to all, by its status to each."""
    nothing = Baseline((), {}, 0.0)
    suites = (SuiteOnProgram({"test": each}, nothing, nothing) for each in statuses)
    return join_statuses(suites)["test"]


@given(STATUSES)
def test_the_order_of_programs_is_nothing(statuses):
    assert joined(*statuses) is joined(*reversed(statuses))


@given(st.sampled_from(SuiteTestStatus), st.integers(1, 4))
def test_what_all_programs_agree_on_holds(status, count):
    assert joined(*[status] * count) is status


@given(STATUSES)
def test_a_test_is_wrong_or_the_contracts_only_by_every_program(statuses):
    for status in (SuiteTestStatus.WRONG, SuiteTestStatus.CONTRACT):
        assert (joined(*statuses) is status) == (set(statuses) == {status})


@given(STATUSES)
def test_an_inner_test_is_inner_and_then_a_wavering_one_wavers(statuses):
    if SuiteTestStatus.INNER in statuses:
        assert joined(*statuses) is SuiteTestStatus.INNER
    elif SuiteTestStatus.WAVERING in statuses:
        assert joined(*statuses) is SuiteTestStatus.WAVERING


def test_what_right_programs_do_differently_is_open():
    assert joined(SuiteTestStatus.CONTRACT, SuiteTestStatus.WRONG, SuiteTestStatus.CONTRACT) is SuiteTestStatus.OPEN


def open_tests(*, is_own_right: bool, denied: tuple[str, ...] = (), failing: tuple[str, ...] = ()) -> set[str]:
    """Which of two tests that every right program fails are set aside."""
    tests = ("a.py::test_main", "a.py::test_till")
    own_passing = frozenset(tests).difference(failing)
    statuses = set_open_tests_aside(
        dict.fromkeys(tests, SuiteTestStatus.WRONG), USES, denied, own_passing, is_own_right=is_own_right
    )
    return {name.removeprefix("a.py::test_") for name, status in statuses.items() if status is SuiteTestStatus.OPEN}


def test_a_right_program_passes_nothing_that_is_denied():
    assert open_tests(is_own_right=True) == {"main", "till"}
    assert open_tests(is_own_right=True, failing=("a.py::test_till",)) == {"main"}


def test_a_name_that_is_not_the_contracts_makes_a_test_open():
    assert open_tests(is_own_right=False) == {"main"}


def test_what_an_impostor_does_is_denied_whoever_passes():
    assert open_tests(is_own_right=True, denied=("a.py::test_main",)) == {"till"}
