"""How a submission's tests did on the impostors, counted once for all places that print it."""

from dataclasses import dataclass

from evalforge.model.evidence import Evidence, Finding, ImpostorFate, ImpostorResult


@dataclass(frozen=True)
class ImpostorTally:
    """How a submission's tests did on the impostors.

    Attributes:
        wrong_expectations: The tests that fail on a right program, each with its place; only the first if there are
            very many.
        wrong_count: How many such tests there are.
        unmasked: The impostors that a test caught.
        let_through: The impostors that all tests missed.
        untried_count: How many impostors were not run for lack of time.
        contract_test_count: How many tests passed on every right program.
        unmeasured_reason: Why these numbers say nothing about the tests; empty if they do.
        own_faults: Whether the tests catch faults in the player's own program, in a sentence; empty if none were run.
    """

    wrong_expectations: tuple[Finding, ...]
    wrong_count: int
    unmasked: tuple[ImpostorResult, ...]
    let_through: tuple[ImpostorResult, ...]
    untried_count: int
    contract_test_count: int
    unmeasured_reason: str
    own_faults: str = ""

    @property
    def tried_count(self) -> int:
        """How many impostors the tests were run on."""
        return len(self.unmasked) + len(self.let_through)

    @property
    def words(self) -> str:
        """The share in words, such as ``18 of 20 impostors unmasked``; empty if it was not measured."""
        return "" if self.unmeasured_reason else f"{len(self.unmasked)} of {self.tried_count} impostors caught"

    @property
    def wrong_words(self) -> str:
        """How many tests expect what no right program does, such as ``1 wrong expectation``; empty if none does."""
        if not self.wrong_count:
            return ""
        return f"{self.wrong_count} wrong expectation{'s' if self.wrong_count != 1 else ''}"


def tally_impostors(evidence: Evidence) -> ImpostorTally | None:
    """Count the impostors in some evidence; None if there are none, as in attempts older than the impostors."""
    if not evidence.impostors:
        return None
    wrong = evidence.fact("tests.wrong_expectations")
    return ImpostorTally(
        wrong_expectations=wrong.findings if wrong and wrong.value else (),
        wrong_count=_count(evidence, "tests.wrong_expectations"),
        unmasked=_with_fate(evidence, ImpostorFate.UNMASKED),
        let_through=_with_fate(evidence, ImpostorFate.LET_THROUGH),
        untried_count=len(_with_fate(evidence, ImpostorFate.NOT_TRIED)),
        contract_test_count=_count(evidence, "tests.contract"),
        unmeasured_reason=unmeasured_reason(evidence),
        own_faults=own_faults(evidence),
    )


def unmeasured_reason(evidence: Evidence) -> str:
    """Why it is unknown how many impostors the tests catch; empty if it is known."""
    unmasked = evidence.fact("tests.unmasked")
    if unmasked is not None and unmasked.value is not None:
        return ""
    return unmasked.findings[0].message if unmasked and unmasked.findings else "The tests could not be run."


def own_faults(evidence: Evidence) -> str:
    """How many certified faults in the player's own program their tests catch, in a sentence; empty if none exist."""
    certified = evidence.fact("tests.certified")
    return certified.findings[0].message if certified is not None and certified.findings else ""


def _count(evidence: Evidence, name: str) -> int:
    fact = evidence.fact(name)
    return int(fact.value or 0) if fact else 0


def _with_fate(evidence: Evidence, fate: ImpostorFate) -> tuple[ImpostorResult, ...]:
    return tuple(result for result in evidence.impostors if result.fate is fate)
