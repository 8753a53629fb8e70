"""Checks that each section of the contract has trials, and impostors that break it."""

from collections.abc import Iterator
from dataclasses import dataclass

from evalforge.packs.contract_clauses import Section, contract_sections, states
from evalforge.packs.impostors import Impostor
from evalforge.packs.lint.issue import LintIssue
from evalforge.packs.lint.trial_files import TrialSource
from evalforge.packs.lint.trial_titles import suggestion
from evalforge.packs.lint.unchecked_pack import UncheckedPack


@dataclass(frozen=True)
class SectionCoverage:
    """The trials and impostors that cover one section of a contract.

    Attributes:
        heading: The section's heading.
        clauses: The number of its clauses: paragraphs, bullets and entries.
        trials: The number of trials that name it.
        groups: The groups of those trials, in the order of the trials.
        impostors: The number of impostors that break it.
        unbroken: The words of its clauses that no impostor breaks.
        is_judged: False if ``impostors.yaml`` lists it as unjudged.
    """

    heading: str
    clauses: int
    trials: int
    groups: tuple[str, ...]
    impostors: int
    unbroken: tuple[str, ...]
    is_judged: bool


def contract_coverage(draft: UncheckedPack) -> tuple[SectionCoverage, ...]:
    """The coverage of every section of a contract, in order; none if the contract has no sections."""
    impostors = draft.impostors.value.impostors if draft.impostors else ()
    unjudged = draft.impostors.value.unjudged if draft.impostors else ()
    trials = [trial for file in draft.trials for trial in file.trials]
    return tuple(
        _coverage(section, trials, impostors, is_judged=section.heading not in unjudged) for section in _sections(draft)
    )


def check_clauses(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Check that each trial names sections that the contract has, and that each section has a trial."""
    headings = [section.heading for section in _sections(draft)]
    if draft.boss is None or not headings:
        return
    for file in draft.trials:
        for trial in file.trials:
            for heading in trial.clauses:
                if heading not in headings:
                    message = (
                        f"{trial.name}: the contract has no section {heading!r}{suggestion(heading, set(headings))}"
                    )
                    yield LintIssue(file.path, trial.line, message)
    if not any(trial.clauses for file in draft.trials for trial in file.trials):
        message = 'no trial names the section of the contract that it checks: @pytest.mark.clause("HEADING")'
        yield LintIssue(draft.path / "trials", None, message, is_problem=False)
        return
    for row in contract_coverage(draft):
        if row.is_judged and not row.trials:
            message = f"no trial checks the section {row.heading}; in impostors.yaml, list it as unjudged if none can"
            yield draft.boss.issue(("metadata", "contract"), message, is_problem=False)


def _sections(draft: UncheckedPack) -> tuple[Section, ...]:
    return contract_sections(draft.boss.value.metadata.contract) if draft.boss else ()


def _coverage(
    section: Section, trials: list[TrialSource], impostors: tuple[Impostor, ...], *, is_judged: bool
) -> SectionCoverage:
    own_trials = [trial for trial in trials if section.heading in trial.clauses]
    own_impostors = [impostor for impostor in impostors if impostor.clause == section.heading]
    return SectionCoverage(
        heading=section.heading,
        clauses=len(section.clauses),
        trials=len(own_trials),
        groups=tuple(dict.fromkeys(trial.group for trial in own_trials)),
        impostors=len(own_impostors),
        unbroken=tuple(
            clause
            for clause in section.clauses
            if not any(states(clause, own_impostor.says) for own_impostor in own_impostors)
        ),
        is_judged=is_judged,
    )
