"""Run all trials of a boss against one submission, in this (trusted) process."""

import os
from pathlib import Path

import pytest

from evalforge.evidence.trials.clock import OverlongError, bounded
from evalforge.evidence.trials.counts import LOAD_GROUP
from evalforge.evidence.trials.plugin import TrialPlugin, TrialRun, what_escaped
from evalforge.evidence.trials.proxies import Player, PlayerError
from evalforge.evidence.trials.spoiled import SpoiledError
from evalforge.model.errors import SandboxError
from evalforge.model.evidence import Outcome, TrialResult
from evalforge.model.text import clean_line
from evalforge.sandbox.report import RunLimits

_LOAD = RunLimits(seconds=2.0)


def load_code(path: str) -> bool:
    """Trial zero, shipped to the player's process: load the entry without running its main part."""
    import runpy

    runpy.run_path(path, run_name="trial_zero")
    return True


def run_trials(run: TrialRun, folder: Path) -> None:
    """Run the trials in ``folder``; results go to ``run`` as they come.

    Raises:
        SandboxError: The trials or the host are broken: nothing can be said about the submission.
    """
    _load(run)
    plugin = TrialPlugin(run)
    ended = pytest.main(_arguments(folder), plugins=[plugin])
    if ended == pytest.ExitCode.USAGE_ERROR:
        raise SandboxError(f"The boss's trials in {folder} can't be run.")
    if run.collection_errors:
        raise SandboxError(f"The boss's trials can't be loaded: {run.collection_errors[0]}.")
    if run.fatal:
        raise SandboxError(run.fatal)


def rehearse() -> None:
    """Run no trials at all, so that all pytest loads for them is there before a fight forks from this process."""
    pytest.main(_arguments(Path(__file__).parent))


def _arguments(folder: Path) -> list[str]:
    # No configuration, no plugins of the machine, plain asserts: a failed one says its author's words and nothing else.
    return [
        "-p", "no:cacheprovider", "-p", "no:terminal", "-p", "no:logging", "-p", "no:faulthandler",
        "-p", "no:unraisableexception", "-p", "no:threadexception", "--assert=plain", "--capture=no",
        "--disable-plugin-autoload", "--import-mode=importlib", "-c", os.devnull, "--rootdir", str(folder),
        "--confcutdir", str(folder), str(folder),
    ]  # fmt: skip


def _load(run: TrialRun) -> None:
    if run.program is None:
        _tell(run, _load_result(Outcome.FAILED, f"There is no {run.entry_name} in what was handed in."))
        return
    player = Player(run.host, run.staged, _LOAD, lambda step, report: None)
    name = run.program.name if run.program.kind == "script" else run.program.name.replace(".", "/")
    path = "", None
    try:
        with bounded(_LOAD.seconds):
            if run.program.kind == "package":
                player.module(name)
            else:
                player.drive(load_code, _on_disk(run, name))
        outcome, message = Outcome.PASSED, ""
    except SpoiledError as error:
        message = str(error)
        outcome = Outcome.TIMED_OUT if error.timed_out else Outcome.CRASHED
        path = error.report.stuck_path, error.report.stuck_line
        if not error.left:
            run.spoiled_load = f"{message} while it was loaded"
    except OverlongError as error:
        outcome, message = Outcome.TIMED_OUT, str(error)
        run.spoiled_load = f"{message} while it was loaded"
    except PlayerError as error:
        # Without a main guard the program has just run, without arguments: leaving then is its right.
        left = isinstance(error, SystemExit)
        outcome = Outcome.PASSED if left else Outcome.FAILED
        message = "" if left else f"{what_escaped(error, _LOAD)}: {error}"
        path = error.path, error.line
    finally:
        player.close()
    _tell(run, _load_result(outcome, message, *path))


def _tell(run: TrialRun, result: TrialResult) -> None:
    run.results.append(result)
    run.finished(result)


def _on_disk(run: TrialRun, name: str) -> str:
    root = run.staged.path
    return str(next((root / base / name for base in ("", "src") if (root / base / name).exists()), root / name))


def _load_result(outcome: Outcome, message: str, path: str = "", line: int | None = None) -> TrialResult:
    return TrialResult(
        id=LOAD_GROUP,
        title="The code loads",
        group=LOAD_GROUP,
        outcome=outcome,
        message=clean_line(message),
        path=clean_line(path),
        line=line,
    )
