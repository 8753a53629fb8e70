"""Run all trials of a boss against one submission, in this (trusted) process."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from evalforge.evidence.trials.clock import OverlongError, bounded
from evalforge.evidence.trials.plugin import TrialPlugin, TrialRun, what_escaped
from evalforge.evidence.trials.proxies import Player, PlayerError, source_of
from evalforge.evidence.trials.spoiled import SpoiledError
from evalforge.model.errors import SandboxError
from evalforge.model.evidence import LOAD_GROUP, Outcome, TrialResult
from evalforge.model.text import clean_line
from evalforge.sandbox.report import RunLimits

Perform = Callable[[TrialRun], None]

_LOAD = RunLimits(seconds=2.0)


def load_code(path: str) -> bool:
    """Trial zero, shipped to the player's process: load the entry without running its main part."""
    import runpy

    runpy.run_path(path, run_name="trial_zero")
    return True


def rehearse(folder: Path, serve: Callable[[Perform], None]) -> None:
    """Collect the trials in a folder, and have them performed as often as asked.

    Args:
        folder: Where a boss's trials lie.
        serve: Called once they are collected, with a function that runs all of them for one submission: results go to
            its ``TrialRun`` as they come. It is to be called in a fork. It raises ``SandboxError`` if the trials or
            the host are broken, so that nothing can be said about the submission. What ``serve`` itself raises comes
            out of here.
    """
    served = False
    escaped: BaseException | None = None

    def perform(run: TrialRun) -> None:
        if plugin.errors:
            raise SandboxError(f"The boss's trials can't be loaded: {plugin.errors[0]}.")
        if not served:
            raise SandboxError(f"The boss's trials in {folder} can't be run.")
        _load(run)
        run.planned(plugin.groups)
        plugin.perform(run)
        if run.fatal:
            raise SandboxError(run.fatal)

    def ready() -> None:
        nonlocal served, escaped
        served = True
        try:
            serve(perform)
        except BaseException as error:  # noqa: BLE001 - pytest would note it down and go on as if all had been served
            escaped = error

    source_of(load_code)  # found once, for all forks
    plugin = TrialPlugin(ready)
    known = frozenset(sys.modules)
    try:
        pytest.main(_arguments(folder), plugins=[plugin])
    finally:
        _forget_modules(folder, known)
    if escaped is not None:
        raise escaped
    if not served:
        serve(perform)


def _forget_modules(folder: Path, but: frozenset[str]) -> None:
    """Pytest takes a module it knows by name for the one in the file, which may have changed."""
    for name, module in list(sys.modules.items()):
        if name not in but and Path(getattr(module, "__file__", None) or "").is_relative_to(folder):
            del sys.modules[name]


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
