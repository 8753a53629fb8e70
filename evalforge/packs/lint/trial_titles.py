"""The trials as they are written: titles, groups, words."""

from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from evalforge.packs.fact_catalogue import BUILT_IN_GROUPS
from evalforge.packs.lint.issue import LintIssue
from evalforge.packs.lint.trial_files import Trial, TrialFile
from evalforge.packs.lint.unchecked_pack import UncheckedPack
from evalforge.packs.path_checks import folder_fault, is_folder

_OUR_MARKS = frozenset({"group", "advice", "limits", "hidden"})
_MARKS_OF_PYTEST = frozenset({"filterwarnings", "parametrize", "skip", "skipif", "usefixtures", "xfail"})


def check_trials(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Every trial has a title, a group that counts, and words for each way it can fail."""
    folder = draft.path / "trials"
    if is_folder(folder) and (fault := folder_fault(folder)):
        yield LintIssue(folder, None, f"the folder of trials {fault}")
        return
    if not draft.trials:
        yield LintIssue(folder, None, "a boss needs at least one trial file named test_*.py")
        return
    titles: dict[str, str] = {}
    for file in draft.trials:
        yield from _file(file)
        for trial in file.trials:
            yield from _trial(file.path, trial)
            if trial.title and titles.setdefault(trial.title, trial.name) != trial.name:
                yield LintIssue(file.path, trial.line, f"{trial.name} has the same title as {titles[trial.title]}")
    yield from _unused_groups(draft)
    yield from _hidden_criteria(draft)


def _file(file: TrialFile) -> Iterator[LintIssue]:
    if file.error:
        yield LintIssue(file.path, file.error_line, file.error)
    elif not file.trials:
        yield LintIssue(file.path, None, "there is no trial in this file: a function whose name starts with test_")
    for name, line in file.duplicates:
        yield LintIssue(file.path, line, f"{name} stands here twice; only the last one is run")


def _trial(path: Path, trial: Trial) -> Iterator[LintIssue]:
    if not trial.title:
        yield LintIssue(path, trial.line, f"{trial.name} has no docstring: its first line is the title players see")
    if not trial.group:
        yield LintIssue(path, trial.line, f'{trial.name} has no group: mark it with @pytest.mark.group("...")')
    elif trial.group in BUILT_IN_GROUPS:
        yield LintIssue(path, trial.line, f"{trial.name}: a group can't be called {trial.group!r}")
    if not trial.can_fail:
        yield LintIssue(path, trial.line, f"{trial.name} checks nothing: it can't fail")
    for line in trial.asserts_without_message:
        yield LintIssue(
            path, line, "this assert has no words: say what the contract asks for, without the hidden input"
        )
    for mark in sorted(trial.marks - _OUR_MARKS - _MARKS_OF_PYTEST):
        known = suggestion(mark, set(_OUR_MARKS))
        yield LintIssue(path, trial.line, f"{trial.name} has a mark that nothing reads, {mark!r}{known}")
    if trial.unnamed_cases is not None:
        yield LintIssue(
            path, trial.unnamed_cases, f"{trial.name}: give its cases ids, or titles tell their hidden values"
        )


def _unused_groups(draft: UncheckedPack) -> Iterator[LintIssue]:
    if draft.rules is None:
        return
    used = {name for name in facts_used(draft) if name.startswith("trials.")}
    if "trials.all" in used:
        return
    groups_reported: set[str] = set()
    for file in draft.trials:
        for trial in file.trials:
            if trial.group and f"trials.{trial.group}" not in used and trial.group not in groups_reported:
                groups_reported.add(trial.group)
                yield LintIssue(file.path, trial.line, f"no condition in evidence.yaml asks for trials.{trial.group}")


def _hidden_criteria(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Criteria whose trials all hide their inputs: who fails them has nothing to go by."""
    if draft.rules is None:
        return
    trials = [trial for file in draft.trials for trial in file.trials]
    for criterion_id in draft.rules.value.root:
        groups = draft.rules.value.trial_groups(criterion_id)
        marks = [trial.marks for trial in trials if trial.group in groups]
        if marks and all("hidden" in each for each in marks):
            message = f"every trial of {criterion_id} is hidden: let one at least show its input from the first try on"
            yield draft.rules.issue((criterion_id,), message)


def facts_used(draft: UncheckedPack) -> set[str]:
    """The names of all facts that the level rules ask for."""
    rules = draft.rules.value.root.values() if draft.rules else ()
    conditions = (condition for steps in rules for step in steps for condition in step.requires)
    return {check.fact for condition in conditions for check in condition.checks}


def trial_groups(draft: UncheckedPack) -> set[str]:
    """The groups of trials that the pack has."""
    return {trial.group for file in draft.trials for trial in file.trials if trial.group} | BUILT_IN_GROUPS


def suggestion(name: str, names: set[str]) -> str:
    """A word on what may have been meant; empty if nothing is near."""
    close = get_close_matches(name, sorted(names), n=1)
    return f": did you mean {close[0]}?" if close else ""
