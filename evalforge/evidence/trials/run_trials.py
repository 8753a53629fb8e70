"""Runs all trials of a boss on one submission, in this trusted process."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from evalforge.evidence.trials.load_errors import LOAD_ERROR
from evalforge.evidence.trials.player_errors import RunStoppedError, escape_words
from evalforge.evidence.trials.plugin import TrialPlugin
from evalforge.evidence.trials.proxies import Player, PlayerError, source_of
from evalforge.evidence.trials.trial_run import TrialRun
from evalforge.evidence.trials.trial_timeout import OverlongError, time_limited
from evalforge.model.errors import SandboxError
from evalforge.model.evidence import LOAD_GROUP, Fact, Finding, TrialOutcome, TrialResult
from evalforge.model.text import clean_line
from evalforge.sandbox.program import Program
from evalforge.sandbox.report import Ending, RunLimits

RunTrials = Callable[[TrialRun], None]

_LOAD_SECONDS = 2.0


def load_code(path: str, module: str) -> bool:
    """Load the entry without running its main part. This is trial zero, and runs in the player's process.

    Args:
        path: The entry's file or folder.
        module: Its dotted name if it is run with ``python -m``; empty if it is run by its path.
    """
    import runpy

    if module:
        runpy.run_module(module, run_name="trial_zero", alter_sys=True)
    else:
        runpy.run_path(path, run_name="trial_zero")
    return True


def collect_trials(folder: Path, serve: Callable[[RunTrials], None]) -> None:
    """Collect the trials in a folder with pytest, and let the caller run them any number of times.

    Shared code is in the same folder: ``trials/helpers.py`` is imported as ``helpers``.

    Args:
        folder: The folder of a boss's trials.
        serve: Called once they are collected, with a function that runs all of them for one submission and adds results
            to its ``TrialRun``. Call that function in a fork. It raises ``SandboxError`` if the trials or the host are
            broken, so that nothing is known about the submission. Exceptions of ``serve`` itself are raised here.
    """
    was_served = False
    escaped: BaseException | None = None

    def perform(run: TrialRun) -> None:
        if plugin.errors:
            raise SandboxError(f"{LOAD_ERROR}{plugin.errors[0]}.")
        if not was_served:
            raise SandboxError(f"The boss's trials in {folder} can't be run.")
        if not run.chosen:
            _run_load_trial(run, RunLimits(seconds=_LOAD_SECONDS, memory_bytes=plugin.memory_bytes))
        run.on_planned(plugin.groups)
        plugin.run_trials(run)
        if run.fatal_error:
            raise run.fatal_error

    def serve_jobs() -> None:
        nonlocal was_served, escaped
        was_served = True
        try:
            serve(perform)
        except BaseException as error:  # noqa: BLE001 - pytest would swallow it
            escaped = error

    source_of(load_code)  # cached here once for all forks
    plugin = TrialPlugin(serve_jobs)
    modules_before = frozenset(sys.modules)
    helper_folder = str(folder.resolve())
    sys.path.insert(0, helper_folder)
    try:
        pytest.main(_pytest_arguments(folder), plugins=[plugin])
    finally:
        sys.path.remove(helper_folder)
        _forget_modules(folder, modules_before)
    if escaped is not None:
        raise escaped
    if not was_served:
        serve(perform)


def _forget_modules(folder: Path, kept_modules: frozenset[str]) -> None:
    """Unload the trials' modules, because pytest would reuse them by name even if their files have changed.

    Another boss's trials may have the same names. The folder may be relative to the working directory, but modules have
    absolute file names.
    """
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if name not in kept_modules and file and Path(file).resolve().is_relative_to(folder.resolve()):
            del sys.modules[name]


def _pytest_arguments(folder: Path) -> list[str]:
    # No configuration, no plugins, plain asserts: a failed assert shows only its author's message.
    return [
        "-p", "no:cacheprovider", "-p", "no:terminal", "-p", "no:logging", "-p", "no:faulthandler",
        "-p", "no:unraisableexception", "-p", "no:threadexception", "--assert=plain", "--capture=no",
        "--disable-plugin-autoload", "--import-mode=importlib", "-c", os.devnull, "--rootdir", str(folder),
        "--confcutdir", str(folder), str(folder),
    ]  # fmt: skip


def _run_load_trial(run: TrialRun, limits: RunLimits) -> None:
    if run.program is None:
        _add_result(run, _load_result(TrialOutcome.FAILED, f"There is no {run.entry_name} in the submission."))
        return
    player = Player(run.host, run.staged, limits, lambda step, report: None)
    path = "", None
    try:
        _load(run, run.program, player, limits)
        outcome, message = TrialOutcome.PASSED, ""
    except RunStoppedError as error:
        message = str(error)
        outcome = TrialOutcome.TIMED_OUT if error.timed_out else TrialOutcome.CRASHED
        path = error.report.stuck_path, error.report.stuck_line
        if not error.ended_itself:
            run.load_failure = f"{message} while it was loaded"
    except OverlongError as error:
        outcome, message = TrialOutcome.TIMED_OUT, str(error)
        run.load_failure = f"{message} while it was loaded"
    except PlayerError as error:
        # Without a main guard, the program has just run without arguments, so it may exit.
        has_exited = isinstance(error, SystemExit)
        outcome = TrialOutcome.PASSED if has_exited else TrialOutcome.FAILED
        message = "" if has_exited else f"{escape_words(error, limits)}: {error}"
        path = error.path, error.line
    finally:
        player.close()
    _add_result(run, _load_result(outcome, message, *path))


def _load(run: TrialRun, program: Program, player: Player, limits: RunLimits) -> None:
    with time_limited(limits.seconds):
        name = program.name if program.kind == "script" else program.name.replace(".", "/")
        if program.kind == "package":
            player.module(name)
        else:
            player.drive(load_code, _path_on_disk(run, name), program.name if program.kind == "module" else "")
    # The answer may overtake the output: how much was written is only known once the process has ended.
    report = player.close()
    if report is not None and report.ending is Ending.OUTPUT:
        raise RunStoppedError(report)


def _add_result(run: TrialRun, result: TrialResult) -> None:
    run.results.append(result)
    run.on_finished(result)


def _path_on_disk(run: TrialRun, name: str) -> str:
    root = run.staged.path
    return str(next((root / base / name for base in ("", "src") if (root / base / name).exists()), root / name))


def _load_result(outcome: TrialOutcome, message: str, path: str = "", line: int | None = None) -> TrialResult:
    return TrialResult(
        id=LOAD_GROUP,
        title="The code loads",
        group=LOAD_GROUP,
        outcome=outcome,
        message=clean_line(message),
        path=clean_line(path),
        line=line,
    )


def trial_facts(trials: tuple[TrialResult, ...]) -> tuple[Fact, ...]:
    """The facts ``trials.GROUP`` and ``trials.all``: the share of passed trials, with a finding for each failed one.

    Trials that did not reach the code are only reported if none failed.
    """
    groups: dict[str, list[TrialResult]] = {}
    for trial in trials:
        groups.setdefault(trial.group, []).append(trial)
    counted = [trial for trial in trials if trial.group != LOAD_GROUP]
    trials_by_group = [(name, members) for name, members in groups.items() if name != "all"]
    return tuple(_share(name, members) for name, members in [*trials_by_group, ("all", counted)])


def _share(group: str, trials: list[TrialResult]) -> Fact:
    passed = sum(trial.passed for trial in trials)
    missed = [trial for trial in trials if not trial.passed]
    findings = tuple(
        Finding(message=trial.message or trial.title, path=trial.path, line=trial.line, trial=trial.title)
        for trial in [trial for trial in missed if trial.outcome is not TrialOutcome.NOT_REACHED] or missed
    )
    return Fact(
        name=f"trials.{group}",
        value=passed / len(trials) if trials else None,
        findings=findings,
        blamed_on=tuple(dict.fromkeys(trial.blamed_on for trial in trials if trial.blamed_on)),
    )
