"""The sections of a contract as a table: clauses, the trials that check them, the impostors that break them."""

from collections.abc import Sequence

from rich.console import Console

from evalforge.cli import output
from evalforge.packs.lint.trial_checks import SectionCoverage

_WORDS_OF_A_CLAUSE = 12


def print_coverage(boss_id: str, sections: Sequence[SectionCoverage], out: Console) -> None:
    """Print a row for each section, then the clauses that no impostor breaks."""
    if not sections:
        output.print_line(out, (boss_id, "bold"), ": the contract has no sections, which are lines of capitals")
        return
    output.print_line(out, (boss_id, "bold"), ": what checks each section of the contract")
    width = max(len(section.heading) for section in sections)
    output.print_line(out, f"{'':{width}}  clauses  trials  impostors  groups of trials", indent="  ")
    for section in sections:
        output.print_line(out, _row(section, width), indent="  ")
    unbroken = [(section, clause) for section in sections if section.is_judged for clause in section.unbroken]
    if unbroken:
        output.print_line(out, "Clauses that no impostor breaks:", indent="  ")
    for section, clause in unbroken:
        output.print_line(out, f"{section.heading}: {_beginning(clause)}", indent="    ")


def _row(section: SectionCoverage, width: int) -> str:
    trials = section.trials or ("none" if section.is_judged else "·")
    groups = ", ".join(section.groups) if section.is_judged else "nothing to check"
    return (
        f"{section.heading:{width}}  {section.clauses:>7}  {trials:>6}  {section.impostors or '·':>9}  {groups}"
    ).rstrip()


def _beginning(clause: str) -> str:
    words = clause.split()
    return " ".join(words[:_WORDS_OF_A_CLAUSE]) + (" ..." if len(words) > _WORDS_OF_A_CLAUSE else "")
