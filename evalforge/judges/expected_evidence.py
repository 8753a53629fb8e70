"""Placeholder evidence about as long as the real one, to estimate a prompt's price without running trials."""

from dataclasses import replace

from evalforge.judges.base import Case
from evalforge.model.evidence import Evidence, Fact, TrialOutcome, TrialResult
from evalforge.packs.fact_catalogue import CATALOGUE
from evalforge.packs.lint.trial_files import read_trials

_MESSAGE_CHARS = 200
"""The length, in characters, of a typical failed trial's message."""


def expected_case(case: Case) -> Case:
    """The case with placeholder evidence: a value for every fact, and every trial failed."""
    trials = tuple(
        TrialResult(
            id=trial.name,
            title=trial.title,
            group=trial.group,
            outcome=TrialOutcome.FAILED,
            message="." * _MESSAGE_CHARS,
        )
        for file in read_trials(case.pack.trials)
        for trial in file.trials
    )
    return replace(
        case, evidence=Evidence(facts=tuple(Fact(name=name, value=100) for name in CATALOGUE), trials=trials)
    )
