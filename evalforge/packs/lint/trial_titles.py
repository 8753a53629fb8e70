"""Checks of the trials as written: titles, groups, messages."""

from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from evalforge.packs.fact_catalogue import BUILT_IN_GROUPS
from evalforge.packs.lint.issue import LintIssue
from evalforge.packs.lint.trial_files import TrialFile, TrialSource
from evalforge.packs.lint.unchecked_pack import UncheckedPack
from evalforge.packs.path_checks import folder_fault, is_folder

_OUR_MARKS = frozenset({"group", "clause", "advice", "grants", "limits", "needs", "hidden"})
_MARKS_OF_PYTEST = frozenset({"filterwarnings", "parametrize", "skip", "skipif", "usefixtures", "xfail"})


def check_trials(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Check that every trial counts, has a title, and has a message for each way it can fail."""
    yield from trial_faults(draft)
    titles: dict[str, str] = {}
    for file in draft.trials:
        for trial in file.trials:
            yield from _wording(file.path, trial)
            if trial.title and titles.setdefault(trial.title, trial.name) != trial.name:
                yield LintIssue(file.path, trial.line, f"{trial.name} has the same title as {titles[trial.title]}")
    yield from _hidden_criteria(draft)


def trial_faults(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Yield what makes a verdict wrong: trials that can't be read, can't fail, or don't count."""
    folder = draft.path / "trials"
    if is_folder(folder) and (fault := folder_fault(folder)):
        yield LintIssue(folder, None, f"the folder of trials {fault}")
        return
    if not draft.trials:
        yield LintIssue(folder, None, "a boss needs at least one trial file named test_*.py")
        return
    for file in draft.trials:
        yield from _file(file)
        for trial in file.trials:
            yield from _trial(file.path, trial)
    yield from _unused_groups(draft)
    yield from _granted_groups(draft)


def _file(file: TrialFile) -> Iterator[LintIssue]:
    if file.error:
        yield LintIssue(file.path, file.error_line, file.error, hides_others=True)
    elif not file.trials:
        yield LintIssue(file.path, None, "there is no trial in this file: a function whose name starts with test_")
    names = {trial.name for trial in file.trials}
    lines = {name: trial.line for trial in reversed(file.trials) for name in trial.needs if name not in names}
    for group, line in lines.items():
        yield LintIssue(file.path, line, f"needs {group!r}, which is not a trial in this file")
    for name, line in file.duplicates:
        yield LintIssue(file.path, line, f"{name} appears twice; only the last one is run")


def _trial(path: Path, trial: TrialSource) -> Iterator[LintIssue]:
    if not trial.group:
        yield LintIssue(path, trial.line, f'{trial.name} has no group: mark it with @pytest.mark.group("...")')
    elif trial.group in BUILT_IN_GROUPS:
        yield LintIssue(path, trial.line, f"{trial.name}: a group can't be called {trial.group!r}")
    if not trial.can_fail:
        yield LintIssue(path, trial.line, f"{trial.name} checks nothing: it can't fail")


def _wording(path: Path, trial: TrialSource) -> Iterator[LintIssue]:
    if not trial.title:
        yield LintIssue(path, trial.line, f"{trial.name} has no docstring: its first line is the title players see")
    for line in trial.asserts_without_message:
        yield LintIssue(
            path, line, "this assert has no message: say what the contract asks for, without the hidden input"
        )
    for mark in sorted(trial.marks - _OUR_MARKS - _MARKS_OF_PYTEST):
        hint = suggestion(mark, set(_OUR_MARKS))
        yield LintIssue(path, trial.line, f"{trial.name} has an unknown mark, {mark!r}{hint}")
    if trial.unnamed_cases is not None:
        yield LintIssue(
            path, trial.unnamed_cases, f"{trial.name}: give its cases ids, or their titles reveal the hidden values"
        )


def _unused_groups(draft: UncheckedPack) -> Iterator[LintIssue]:
    if draft.rules is None:
        return
    used_facts = {name for name in draft.rules.value.facts_asked_for if name.startswith("trials.")}
    if "trials.all" in used_facts:
        return
    groups_reported: set[str] = set()
    for file in draft.trials:
        for trial in file.trials:
            if trial.group and f"trials.{trial.group}" not in used_facts and trial.group not in groups_reported:
                groups_reported.add(trial.group)
                yield LintIssue(file.path, trial.line, f"no condition in evidence.yaml asks for trials.{trial.group}")


def _hidden_criteria(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Yield criteria whose trials all hide their inputs: players who fail them get nothing to work with."""
    if draft.rules is None:
        return
    trials = [trial for file in draft.trials for trial in file.trials]
    for criterion_id in draft.rules.value.root:
        groups = draft.rules.value.trial_groups(criterion_id)
        marks = [trial.marks for trial in trials if trial.group in groups]
        if marks and all("hidden" in mark for mark in marks):
            message = (
                f"every trial of {criterion_id} is hidden: let at least one show its input from the first attempt on"
            )
            yield draft.rules.issue((criterion_id,), message)


def groups_of_trials(draft: UncheckedPack) -> set[str]:
    """The groups of trials that the pack has, including the built-in ones."""
    return {trial.group for file in draft.trials for trial in file.trials if trial.group} | BUILT_IN_GROUPS


def suggestion(name: str, names: set[str]) -> str:
    """A suggestion of what may have been meant; empty if nothing is similar."""
    close = get_close_matches(name, sorted(names), n=1)
    return f": did you mean {close[0]}?" if close else ""


def _granted_groups(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Check that trials excuse only groups of another criterion, because nothing could be blamed on their own."""
    groups = {trial.group for file in draft.trials for trial in file.trials if trial.group}
    for file in draft.trials:
        for trial in file.trials:
            for group in trial.grants:
                if group not in groups:
                    yield LintIssue(
                        file.path, trial.line, f"{trial.name} grants {group!r}, which no trial has as group"
                    )
                elif _criteria_of(draft, group) & _criteria_of(draft, trial.group):
                    message = f"{trial.name} grants {group!r}, which its own criterion rests on: only another's counts"
                    yield LintIssue(file.path, trial.line, message)


def _criteria_of(draft: UncheckedPack, group: str) -> set[str]:
    """The criteria with conditions on a group of trials, except those about tests."""
    if draft.rules is None:
        return set()
    rules = draft.rules.value
    return {
        criterion_id
        for criterion_id in rules.root
        if not rules.is_about_tests(criterion_id) and group in rules.trial_groups(criterion_id)
    }
