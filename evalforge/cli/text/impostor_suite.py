"""What `evalforge impostors` prints: which impostors the player's tests unmask, and what they let through."""

from typing import Any

from rich.console import Console

from evalforge.cli import output
from evalforge.model.evidence import Fact, ImpostorFate, ImpostorResult
from evalforge.model.fight_record import FightRecord
from evalforge.packs.pack import BossPack


def impostor_data(record: FightRecord) -> dict[str, Any]:
    """The result for programs: each impostor, and the facts about the tests."""
    return {
        "impostors": [result.model_dump(mode="json") for result in record.impostors],
        "facts": [fact.model_dump(mode="json") for fact in record.facts],
        "ungraded": record.ungraded_reason,
    }


def print_impostors(console: Console, pack: BossPack, record: FightRecord) -> None:
    """Print the result for people: wrong expectations first, then who got through, then the count."""
    if record.ungraded is not None:
        output.print_line(console, ("UNGRADED  ", "bold yellow"), record.ungraded_reason)
        return
    _print_tests(console, record)
    let_through = [result for result in record.impostors if result.fate is ImpostorFate.LET_THROUGH]
    for criterion in pack.rubric.criteria:
        _print_criterion(console, criterion.label, [one for one in record.impostors if one.owner == criterion.id])
    if let_through:
        output.print_line(console)
        output.print_line(console, ("Let through", "bold"))
        for result in let_through:
            output.print_line(console, (f"{result.clause}  ", "dim"), result.riddle, indent="  ")
    output.print_line(console)
    _print_count(console, record)


def _print_tests(console: Console, record: FightRecord) -> None:
    for name, style in (("tests.wrong_expectations", "bold red"), ("tests.wavering", "yellow"), ("tests.inner", "dim")):
        fact = record.evidence.fact(name)
        for finding in fact.findings if fact else ():
            output.print_line(console, (f"{finding.place or 'tests'}  ", style), finding.message)


def _print_criterion(console: Console, label: str, results: list[ImpostorResult]) -> None:
    tried = [result for result in results if result.fate is not ImpostorFate.NOT_TRIED]
    if not tried:
        return
    unmasked = sum(result.fate is ImpostorFate.UNMASKED for result in tried)
    style = "green" if unmasked == len(tried) else ""
    output.print_line(console, (f"{unmasked:3} of {len(tried):<3}", style), f" {label}")


def _print_count(console: Console, record: FightRecord) -> None:
    tried = [result for result in record.impostors if result.fate is not ImpostorFate.NOT_TRIED]
    unmasked = sum(result.fate is ImpostorFate.UNMASKED for result in tried)
    contract, share = record.evidence.fact("tests.contract"), record.evidence.fact("tests.unmasked")
    if share is None or share.value is None:
        output.print_line(console, ("Not measured  ", "bold yellow"), _reason(share))
        return
    output.print_line(
        console,
        (f"{unmasked} of {len(tried)} impostors unmasked", "bold"),
        f" by {contract.value if contract else 0} tests that speak for the contract",
    )
    untried = len(record.impostors) - len(tried)
    if untried:
        output.print_line(console, (f"{untried} were not tried: the time was up.", "dim"))


def _reason(fact: Fact | None) -> str:
    return fact.findings[0].message if fact and fact.findings else "The tests could not be run."
