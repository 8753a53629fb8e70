"""What is printed about impostors: which ones the player's tests catch, and which they miss."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console

from evalforge.cli import output
from evalforge.cli.text.sections import Entry, print_section
from evalforge.model.evidence import Evidence, Finding, ImpostorFate, ImpostorResult
from evalforge.model.fight_record import FightRecord
from evalforge.model.impostor_tally import ImpostorTally, tally_impostors, unmeasured_reason
from evalforge.packs.pack import BossPack

_LET_THROUGH_SHOWN = 5
_TEST_FACTS = (("tests.wrong_expectations", "bold red"), ("tests.wavering", "yellow"), ("tests.inner", "dim"))


def impostor_data(record: FightRecord) -> dict[str, Any]:
    """Return the result as data: each impostor, and the facts about the tests."""
    return {
        "impostors": [result.model_dump(mode="json") for result in record.impostors],
        "facts": [fact.model_dump(mode="json") for fact in record.facts],
        "ungraded": record.ungraded_reason,
    }


def print_impostors(console: Console, pack: BossPack, record: FightRecord) -> None:
    """Print the result for people: wrong expectations first, then missed impostors, then the count."""
    if record.ungraded is not None:
        output.print_line(console, ("UNGRADED  ", "bold yellow"), record.ungraded_reason)
        return
    tally = tally_impostors(record.evidence)
    if tally is None:
        output.print_line(console, ("Not measured  ", "bold yellow"), unmeasured_reason(record.evidence))
        return
    _print_tests(console, record.evidence)
    if not tally.unmeasured_reason:
        for criterion in pack.rubric.criteria:
            _print_criterion(
                console, criterion.label, [impostor for impostor in record.impostors if impostor.owner == criterion.id]
            )
        print_section(console, "Missed", [_riddle_entry(result) for result in tally.let_through])
        output.print_line(console)
    print_count(console, tally)


def print_impostor_section(console: Console, evidence: Evidence) -> tuple[Finding, ...]:
    """Print the impostors' part of a fight: one line if all were caught, nothing if the tests met none.

    Returns:
        The wrong expectations, which are printed with it.
    """
    tally = tally_impostors(evidence)
    if tally is None:
        return ()
    output.print_line(console)
    print_wrong_expectations(console, tally)
    if tally.unmeasured_reason:  # The criterion for the tests says what that means for it.
        output.print_line(console, ("Impostors not measured  ", "bold yellow"), "`evalforge impostors` says why.")
        return tally.wrong_expectations
    print_count(console, tally)
    print_riddles(console, tally.let_through[:_LET_THROUGH_SHOWN])
    more = len(tally.let_through) - _LET_THROUGH_SHOWN
    if more > 0:
        output.print_line(console, (f"and {more} more missed", "dim"), indent="  ")
    return tally.wrong_expectations


def print_wrong_expectations(console: Console, tally: ImpostorTally, indent: str = "") -> None:
    """Print each test that expects what a right program doesn't do, with its location."""
    for finding in tally.wrong_expectations:
        output.print_line(console, (f"{finding.place or 'tests'}  ", "bold red"), finding.message, indent=indent)


def print_riddles(console: Console, let_through: Sequence[ImpostorResult], indent: str = "  ") -> None:
    """Print each missed impostor: the clause it breaks, and its riddle."""
    for result in let_through:
        output.print_line(console, *_riddle_entry(result), indent=indent)


def _riddle_entry(result: ImpostorResult) -> Entry:
    return (f"{result.clause}  ", "dim"), result.riddle


def print_count(console: Console, tally: ImpostorTally, indent: str = "") -> None:
    """Print how many impostors were caught, or why that is unknown."""
    if tally.unmeasured_reason:
        output.print_line(console, ("Impostors not measured  ", "bold yellow"), tally.unmeasured_reason, indent=indent)
        _print_own_faults(console, tally, indent)
        return
    count = tally.contract_test_count
    tests = f"{count} contract test{'' if count == 1 else 's'}"
    output.print_line(console, (tally.words, "bold"), f" by {tests}", indent=indent)
    if tally.untried_count:
        output.print_line(console, (f"{tally.untried_count} not run: out of time.", "dim"), indent=indent)
    _print_own_faults(console, tally, indent)


def _print_own_faults(console: Console, tally: ImpostorTally, indent: str) -> None:
    if tally.own_faults:
        output.print_line(console, tally.own_faults, indent=indent)


def _print_tests(console: Console, evidence: Evidence) -> None:
    for name, style in _TEST_FACTS:
        fact = evidence.fact(name)
        for finding in fact.findings if fact else ():
            output.print_line(console, (f"{finding.place or 'tests'}  ", style), finding.message)


def _print_criterion(console: Console, label: str, results: list[ImpostorResult]) -> None:
    tried_results = [result for result in results if result.fate is not ImpostorFate.NOT_TRIED]
    if not tried_results:
        return
    unmasked = sum(result.fate is ImpostorFate.UNMASKED for result in tried_results)
    style = "green" if unmasked == len(tried_results) else ""
    output.print_line(console, (f"{unmasked:3} of {len(tried_results):<3}", style), f" {label}")
