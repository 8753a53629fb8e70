"""What the impostors say about a submission's tests, counted once for every place that prints it."""

from dataclasses import dataclass

from evalforge.model.evidence import Evidence, Finding, ImpostorFate, ImpostorResult


@dataclass(frozen=True)
class ImpostorTally:
    """The impostors that a submission's tests met.

    Attributes:
        wrong_expectations: The tests that fail on a right program, each with its place; of very many the first.
        wrong_count: How many they are in all.
        unmasked: The impostors that a test noticed.
        let_through: The impostors that no test noticed.
        untried_count: How many there was no time for.
        contract_test_count: How many tests passed on every right program.
        unmeasured_reason: Why these numbers say nothing about the tests; empty where they do.
        own_faults: What the tests make of faults in the player's own program, in a sentence; empty if they met none.
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
        """How many impostors the tests met."""
        return len(self.unmasked) + len(self.let_through)

    @property
    def words(self) -> str:
        """How many are unmasked, as ``18 of 20 impostors unmasked``; empty where that was not measured."""
        return "" if self.unmeasured_reason else f"{len(self.unmasked)} of {self.tried_count} impostors caught"

    @property
    def wrong_words(self) -> str:
        """How many tests expect what a right program doesn't do, as ``1 wrong expectation``; empty if none does."""
        if not self.wrong_count:
            return ""
        return f"{self.wrong_count} wrong expectation{'s' if self.wrong_count != 1 else ''}"


def tally_impostors(evidence: Evidence) -> ImpostorTally | None:
    """Count the impostors of some evidence; None if the tests met none, as in attempts older than the impostors."""
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
    """Why it is not known how many impostors the tests unmask; empty if it is."""
    unmasked = evidence.fact("tests.unmasked")
    if unmasked is not None and unmasked.value is not None:
        return ""
    return unmasked.findings[0].message if unmasked and unmasked.findings else "The tests could not be run."


def own_faults(evidence: Evidence) -> str:
    """How many certified faults in the player's own program their tests notice, in a sentence; empty if none were."""
    certified = evidence.fact("tests.certified")
    return certified.findings[0].message if certified is not None and certified.findings else ""


def _count(evidence: Evidence, name: str) -> int:
    fact = evidence.fact(name)
    return int(fact.value or 0) if fact else 0


def _with_fate(evidence: Evidence, fate: ImpostorFate) -> tuple[ImpostorResult, ...]:
    return tuple(result for result in evidence.impostors if result.fate is fate)
