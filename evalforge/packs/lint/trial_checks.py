"""Checks of the trials as written: each counts, can fail, says what failed, and names a section of the contract."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path

from evalforge.model.level_rules import LevelRules
from evalforge.packs.contract_clauses import Section, contract_sections, states
from evalforge.packs.fact_catalogue import BUILT_IN_GROUPS
from evalforge.packs.impostors import Impostor
from evalforge.packs.issue import Issue
from evalforge.packs.lint.trial_files import TrialFile, TrialSource, arguments_of, parse_trial_file
from evalforge.packs.lint.unchecked_pack import PackFile, UncheckedPack
from evalforge.packs.path_checks import folder_fault, is_folder

_SOURCE = "rng"
"""The fixture that all random draws come from."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_OUR_MARKS = frozenset({"group", "clause", "advice", "grants", "limits", "needs", "hidden"})
_MARKS_OF_PYTEST = frozenset({"filterwarnings", "parametrize", "skip", "skipif", "usefixtures", "xfail"})


def trial_faults(pack: UncheckedPack) -> Iterator[Issue]:
    """Yield what makes a verdict wrong: trials that can't be read, can't fail, or don't count."""
    folder = pack.path / "trials"
    if is_folder(folder) and (fault := folder_fault(folder)):
        yield Issue(folder, None, f"the folder of trials {fault}")
        return
    if not pack.trial_files:
        yield Issue(folder, None, "a boss needs at least one trial file named test_*.py")
        return
    for file in pack.trial_files:
        yield from _file(file)
    for trial in pack.trials:
        if not trial.group:
            yield trial.issue(f'{trial.name} has no group: mark it with @pytest.mark.group("...")')
        elif trial.group in BUILT_IN_GROUPS:
            yield trial.issue(f"{trial.name}: a group can't be called {trial.group!r}")
        if not trial.can_fail:
            yield trial.issue(f"{trial.name} checks nothing: it can't fail")
    yield from _unused_groups(pack)
    yield from _granted_groups(pack)


def check_trials(pack: UncheckedPack) -> Iterator[Issue]:
    """Check that every trial has a title, a message for each way it can fail, and hides what it should."""
    titles: dict[str, str] = {}
    for trial in pack.trials:
        if not trial.title:
            yield trial.issue(f"{trial.name} has no docstring: its first line is the title players see")
        elif titles.setdefault(trial.title, trial.name) != trial.name:
            yield trial.issue(f"{trial.name} has the same title as {titles[trial.title]}")
        for line in trial.asserts_without_message:
            message = "this assert has no message: say what the contract asks for, without the hidden input"
            yield Issue(trial.path, line, message)
        for mark in sorted(trial.marks - _OUR_MARKS - _MARKS_OF_PYTEST):
            yield trial.issue(f"{trial.name} has an unknown mark, {mark!r}{suggestion(mark, set(_OUR_MARKS))}")
        if trial.unnamed_cases is not None:
            message = f"{trial.name}: give its cases ids, or their titles reveal the hidden values"
            yield Issue(trial.path, trial.unnamed_cases, message)
    yield from _hidden_criteria(pack)


def _file(file: TrialFile) -> Iterator[Issue]:
    if file.error:
        yield Issue(file.path, file.error_line, file.error, hides_others=True)
    elif not file.trials:
        yield Issue(file.path, None, "there is no trial in this file: a function whose name starts with test_")
    names = {trial.name for trial in file.trials}
    lines = {name: trial.line for trial in reversed(file.trials) for name in trial.needs if name not in names}
    for group, line in lines.items():
        yield Issue(file.path, line, f"needs {group!r}, which is not a trial in this file")
    for name, line in file.duplicates:
        yield Issue(file.path, line, f"{name} appears twice; only the last one is run")


def _unused_groups(pack: UncheckedPack) -> Iterator[Issue]:
    if pack.rules is None or "trials.all" in pack.rules.value.facts_asked_for:
        return
    for group, trial in {trial.group: trial for trial in reversed(pack.trials) if trial.group}.items():
        if f"trials.{group}" not in pack.rules.value.facts_asked_for:
            yield trial.issue(f"no condition in evidence.yaml asks for trials.{group}")


def _hidden_criteria(pack: UncheckedPack) -> Iterator[Issue]:
    """Yield criteria whose trials all hide their inputs: players who fail them get nothing to work with."""
    for rules, criterion_id, trials in _trials_by_criterion(pack):
        if all("hidden" in trial.marks for trial in trials):
            message = (
                f"every trial of {criterion_id} is hidden: let at least one show its input from the first attempt on"
            )
            yield rules.issue((criterion_id,), message)


def _granted_groups(pack: UncheckedPack) -> Iterator[Issue]:
    """Check that trials excuse only groups of another criterion, because nothing could be blamed on their own."""
    for trial in pack.trials:
        for group in trial.grants:
            if group not in {other.group for other in pack.trials}:
                yield trial.issue(f"{trial.name} grants {group!r}, which no trial has as group")
            elif _criteria_of(pack, group) & _criteria_of(pack, trial.group):
                yield trial.issue(
                    f"{trial.name} grants {group!r}, which its own criterion rests on: only another's counts"
                )


def _criteria_of(pack: UncheckedPack, group: str) -> set[str]:
    """The criteria with conditions on a group of trials, except those about tests."""
    if pack.rules is None:
        return set()
    rules = pack.rules.value
    return {
        criterion_id
        for criterion_id in rules.root
        if not rules.is_about_tests(criterion_id) and group in rules.trial_groups(criterion_id)
    }


def groups_of_trials(pack: UncheckedPack) -> set[str]:
    """The groups of trials that the pack has, including the built-in ones."""
    return {trial.group for trial in pack.trials if trial.group} | BUILT_IN_GROUPS


def suggestion(name: str, names: set[str]) -> str:
    """A suggestion of what may have been meant; empty if nothing is similar."""
    close = get_close_matches(name, sorted(names), n=1)
    return f": did you mean {close[0]}?" if close else ""


def import_faults(pack: UncheckedPack) -> Iterator[Issue]:
    """Yield imports in a pack's trials that fail, or that would import the player's program."""
    folder = pack.path / "trials"
    entries = pack.boss.value.metadata.entry_files if pack.boss else ()
    programs = {Path(name).stem for name in entries}
    for path in sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts):
        tree, error, line = parse_trial_file(path)
        if error and not _is_trial_file(path):  # those are reported with the trials
            yield Issue(path, line, error, hides_others=True)
        for number in _relative_imports(tree):
            message = "trials are not a package: write `from helpers import ...` for what is in trials/helpers.py"
            yield Issue(path, number, message, hides_others=True)
        if path.parent == folder and path.stem in sys.stdlib_module_names:
            message = f"this file hides Python's own {path.stem}: give it another name, such as helpers.py"
            yield Issue(path, 1, message, hides_others=True)
        for number, name in _imported_modules(tree):
            own = folder / name
            if own.with_suffix(".py").is_file() or own.is_dir():
                continue
            if name in programs:
                message = f'trials don\'t import the program, which runs elsewhere: use player.module("{name}")'
                yield Issue(path, number, message, hides_others=True)
            elif not _can_be_imported(name):
                message = f"there is no module {name!r}: put a helper that trials share in {folder.name}/{name}.py"
                yield Issue(path, number, message, hides_others=True)


def _is_trial_file(path: Path) -> bool:
    return path.name.startswith("test_") or path.stem.endswith("_test")


def _relative_imports(tree: ast.Module) -> Iterator[int]:
    """Yield the line of each relative import."""
    yield from (node.lineno for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level)


def _imported_modules(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the top-level name of each absolute import that trials themselves run.

    Imports within a ``try`` are left out, and so are those in functions other than trials: ``player.drive`` runs these
    in the program's process.
    """
    guarded = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.Try) for inner in ast.walk(node)}
    driven = {id(inner) for node in ast.walk(tree) if _may_be_driven(node) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in guarded or id(node) in driven:
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.lineno, node.module.partition(".")[0]


def _may_be_driven(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("test_")


def _can_be_imported(name: str) -> bool:
    if name in sys.stdlib_module_names or name in sys.modules:
        return True
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def check_drawn_trials(pack: UncheckedPack) -> Iterator[Issue]:
    """Yield a warning for each criterion whose trials never draw anything, directly or through fixtures."""
    drawing, is_all_drawn = _drawing_fixtures(pack.path / "trials")
    for rules, criterion_id, trials in () if is_all_drawn else _trials_by_criterion(pack):
        if all(drawing.isdisjoint(trial.arguments) for trial in trials):
            message = (
                f"every trial of {criterion_id} is the same for all submissions, so a table of answers passes: "
                f"draw names, values, sizes or order with `{_SOURCE}`"
            )
            yield rules.issue((criterion_id,), message, is_problem=False)


def _trials_by_criterion(
    pack: UncheckedPack,
) -> Iterator[tuple[PackFile[LevelRules], str, tuple[TrialSource, ...]]]:
    """Yield the rules with each of their criteria that rests on trials, and those trials."""
    if pack.rules is not None:
        for criterion_id in pack.rules.value.root:
            groups = pack.rules.value.trial_groups(criterion_id)
            if trials := tuple(trial for trial in pack.trials if trial.group in groups):
                yield pack.rules, criterion_id, trials


def _drawing_fixtures(folder: Path) -> tuple[set[str], bool]:
    """The fixtures of a folder that draw, including ``rng``, and whether one of them applies to every trial."""
    fixtures = [(node, decorator) for path in sorted(folder.rglob("*.py")) for node, decorator in _fixtures(path)]
    drawing, is_all_drawn = {_SOURCE}, False
    for _ in fixtures:  # repeated: fixtures may use each other, and ``def player(player, rng)`` overrides one
        drawing |= {node.name for node, _ in fixtures if not drawing.isdisjoint(arguments_of(node))}
    for node, decorator in fixtures:
        is_all_drawn = is_all_drawn or (node.name in drawing and "autouse=True" in ast.unparse(decorator))
    return drawing, is_all_drawn


def _fixtures(path: Path) -> Iterator[tuple[_Function, ast.expr]]:
    tree, _, _ = parse_trial_file(path)
    for node in tree.body:
        for decorator in node.decorator_list if isinstance(node, _Function) else ():
            if isinstance(node, _Function) and "fixture" in ast.unparse(decorator):
                yield node, decorator


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


def contract_coverage(pack: UncheckedPack) -> tuple[SectionCoverage, ...]:
    """The coverage of every section of a contract, in order; none if the contract has no sections."""
    impostors = pack.impostors.value.impostors if pack.impostors else ()
    unjudged = pack.impostors.value.unjudged if pack.impostors else ()
    return tuple(
        _coverage(section, pack.trials, impostors, is_judged=section.heading not in unjudged)
        for section in _sections(pack)
    )


def check_clauses(pack: UncheckedPack) -> Iterator[Issue]:
    """Check that each trial names sections that the contract has, and that each section has a trial."""
    headings = [section.heading for section in _sections(pack)]
    if pack.boss is None or not headings:
        return
    for trial in pack.trials:
        for heading in trial.clauses:
            if heading not in headings:
                hint = suggestion(heading, set(headings))
                yield trial.issue(f"{trial.name}: the contract has no section {heading!r}{hint}")
    if not any(trial.clauses for trial in pack.trials):
        message = 'no trial names the section of the contract that it checks: @pytest.mark.clause("HEADING")'
        yield Issue(pack.path / "trials", None, message, is_problem=False)
        return
    for row in contract_coverage(pack):
        if row.is_judged and not row.trials:
            message = f"no trial checks the section {row.heading}; in impostors.yaml, list it as unjudged if none can"
            yield pack.boss.issue(("metadata", "contract"), message, is_problem=False)


def _sections(pack: UncheckedPack) -> tuple[Section, ...]:
    return contract_sections(pack.boss.value.metadata.contract) if pack.boss else ()


def _coverage(
    section: Section, trials: tuple[TrialSource, ...], impostors: tuple[Impostor, ...], *, is_judged: bool
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
