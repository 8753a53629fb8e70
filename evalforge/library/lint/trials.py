"""The trials as they are written: titles, groups, words."""

from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from evalforge.library.facts import ALWAYS_THERE
from evalforge.library.lint.draft import Draft
from evalforge.library.lint.remark import Remark
from evalforge.library.lint.trialfile import Trial, TrialFile
from evalforge.library.looking import is_folder, no_folder


def check_trials(draft: Draft) -> Iterator[Remark]:
    """Every trial has a title, a group that counts, and words for each way it can fail."""
    folder = draft.path / "trials"
    if is_folder(folder) and (fault := no_folder(folder)):
        yield Remark(folder, None, f"the folder of trials {fault}")
        return
    if not draft.trials:
        yield Remark(folder, None, "a boss needs at least one trial file named test_*.py")
        return
    titles: dict[str, str] = {}
    for file in draft.trials:
        yield from _file(file)
        for trial in file.trials:
            yield from _trial(file.path, trial)
            if trial.title and titles.setdefault(trial.title, trial.name) != trial.name:
                yield Remark(file.path, trial.line, f"{trial.name} has the same title as {titles[trial.title]}")
    yield from _unused_groups(draft)


def _file(file: TrialFile) -> Iterator[Remark]:
    if file.error:
        yield Remark(file.path, file.error_line, file.error)
    elif not file.trials:
        yield Remark(file.path, None, "there is no trial in this file: a function whose name starts with test_")
    for name, line in file.shadowed:
        yield Remark(file.path, line, f"{name} stands here twice; only the last one is run")


def _trial(path: Path, trial: Trial) -> Iterator[Remark]:
    if not trial.title:
        yield Remark(path, trial.line, f"{trial.name} has no docstring: its first line is the title players see")
    if not trial.group:
        yield Remark(path, trial.line, f'{trial.name} has no group: mark it with @pytest.mark.group("...")')
    elif trial.group in ALWAYS_THERE:
        yield Remark(path, trial.line, f"{trial.name}: a group can't be called {trial.group!r}")
    if not trial.checks:
        yield Remark(path, trial.line, f"{trial.name} checks nothing: it can't fail")
    for line in trial.bare:
        yield Remark(path, line, "this assert has no words: say what the contract asks for, without the hidden input")
    if trial.unnamed_cases is not None:
        yield Remark(path, trial.unnamed_cases, f"{trial.name}: give its cases ids, or titles tell their hidden values")


def _unused_groups(draft: Draft) -> Iterator[Remark]:
    if draft.rules is None:
        return
    used = {name for name in facts_used(draft) if name.startswith("trials.")}
    if "trials.all" in used:
        return
    told: set[str] = set()
    for file in draft.trials:
        for trial in file.trials:
            if trial.group and f"trials.{trial.group}" not in used and trial.group not in told:
                told.add(trial.group)
                yield Remark(file.path, trial.line, f"no condition in evidence.yaml asks for trials.{trial.group}")


def facts_used(draft: Draft) -> set[str]:
    """The names of all facts that the level rules ask for."""
    rules = draft.rules.value.root.values() if draft.rules else ()
    conditions = (condition for steps in rules for step in steps for condition in step.requires)
    return {check.fact for condition in conditions for check in condition.checks}


def groups(draft: Draft) -> set[str]:
    """The groups of trials that the pack has."""
    return {trial.group for file in draft.trials for trial in file.trials if trial.group} | ALWAYS_THERE


def nearest(name: str, names: set[str]) -> str:
    """A word on what may have been meant; empty if nothing is near."""
    close = get_close_matches(name, sorted(names), n=1)
    return f": did you mean {close[0]}?" if close else ""
