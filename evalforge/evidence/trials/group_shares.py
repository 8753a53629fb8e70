"""The share of trials that passed, by group."""

from evalforge.model.evidence import LOAD_GROUP, Fact, Finding, TrialResult


def trial_facts(trials: tuple[TrialResult, ...]) -> tuple[Fact, ...]:
    """``trials.GROUP`` for each group and ``trials.all``: the share that passed; a finding for each that didn't."""
    groups: dict[str, list[TrialResult]] = {}
    for trial in trials:
        groups.setdefault(trial.group, []).append(trial)
    counted = [trial for trial in trials if trial.group != LOAD_GROUP]
    named = [(name, members) for name, members in groups.items() if name != "all"]
    return tuple(_share(name, members) for name, members in [*named, ("all", counted)])


def _share(group: str, trials: list[TrialResult]) -> Fact:
    passed = sum(trial.passed for trial in trials)
    findings = tuple(
        Finding(message=trial.message or trial.title, path=trial.path, line=trial.line, trial=trial.title)
        for trial in trials
        if not trial.passed
    )
    return Fact(name=f"trials.{group}", value=passed / len(trials) if trials else None, findings=findings)
