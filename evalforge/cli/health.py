"""Checks whether a judging is possible here: what ``evalforge doctor`` shows."""

import asyncio
import platform
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import aclosing
from enum import StrEnum
from pathlib import Path

from evalforge import __version__
from evalforge.cli.settings import Settings
from evalforge.llm.model_options import ModelOptions
from evalforge.model.base import Frozen
from evalforge.model.errors import EvalForgeError, SandboxError
from evalforge.model.installation import DISTRIBUTION, name_clash
from evalforge.own_failure import ungraded_by
from evalforge.packs.locations import config_file, user_bosses
from evalforge.packs.path_checks import is_folder
from evalforge.packs.summary import find_bosses

_MEGABYTE = 1024 * 1024
_MIN_STATE_BYTES = 16 * _MEGABYTE
_MIN_SCRATCH_BYTES = 128 * _MEGABYTE
_FULL_BYTES = 256 * 1024
"""With less free space than this, not even a small submission is judged."""
_CONNECT_SECONDS = 1.0
_SAMPLE = {"main.py": "print('ready')\n"}
_SAMPLE_TRIAL = "def test_sample(cli):\n    assert cli().stdout == 'ready\\n'\n"
_TRIED_PLATFORM = ("Linux", "x86_64")
"""The platform that we test on."""


class CheckState(StrEnum):
    """The result of a check.

    Attributes:
        OK: It works.
        OFF: It isn't available, and nothing needs it.
        NOTE: Something is ignored or untested; a judging is still possible.
        FAILED: A judging would be refused.
    """

    OK = "ok"
    OFF = "off"
    NOTE = "note"
    FAILED = "failed"


class Check(Frozen):
    """One thing that was checked.

    Attributes:
        name: Its subject, such as ``isolation``.
        state: Its result.
        message: What was found, as a sentence.
        remedy: How to fix it; empty if there is nothing to fix.
    """

    name: str
    state: CheckState
    message: str
    remedy: str = ""


class HealthReport(Frozen):
    """The results of all checks.

    Attributes:
        can_judge: Whether none of them failed.
        checks: In the order in which they are shown.
    """

    can_judge: bool
    checks: tuple[Check, ...]


def examine(config: Settings) -> HealthReport:
    """Check everything that a judging with these settings needs."""
    checks = tuple(check for find in _EXAMINATIONS for check in find(config))
    return HealthReport(can_judge=all(check.state is not CheckState.FAILED for check in checks), checks=checks)


def _examine_program(config: Settings) -> Iterator[Check]:
    del config
    version = f"{__version__} on Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    yield Check(name="evalforge", state=CheckState.OK, message=version)
    if (platform.system(), platform.machine()) != _TRIED_PLATFORM:
        message = f"untested on {platform.system()} {platform.machine()}; tested on Linux x86_64 only"
        yield Check(name="platform", state=CheckState.NOTE, message=message)
    file = config_file()
    message = f"{file}{'' if file.exists() else ' (missing: nothing is configured)'}"
    yield Check(name="settings", state=CheckState.OK, message=message)
    if other := name_clash():
        message = (
            f"another project called evalforge ({other}) is installed in this environment and has the same module name"
        )
        remedy = (
            f"Remove it, then install ours again: {sys.executable} -m pip uninstall evalforge; "
            f"{sys.executable} -m pip install --force-reinstall {DISTRIBUTION}"
        )
        yield Check(name="packages", state=CheckState.NOTE, message=message, remedy=remedy)
    size = shutil.get_terminal_size()
    if sys.stdout.isatty():
        yield Check(name="terminal", state=CheckState.OK, message=f"{size.columns}x{size.lines}")
    else:
        yield Check(name="terminal", state=CheckState.OFF, message="not a terminal (the game needs one)")


def _examine_history(config: Settings) -> Iterator[Check]:
    from evalforge.history.store import History

    try:
        with History(config.history) as history:
            history.check()
            history.check_writable()
            history.tallies.check()
            message = f"{history.count():,} attempts in {config.history}"
        yield Check(name="history", state=CheckState.OK, message=message)
    except EvalForgeError as error:
        remedy = error.hint or "Set EVALFORGE_HOME to another folder, or judge with --no-save."
        yield Check(name="history", state=CheckState.FAILED, message=error.message, remedy=remedy)


def _examine_disks(config: Settings) -> Iterator[Check]:
    for name, folder, min_bytes, variable in (
        ("state disk", config.home, _MIN_STATE_BYTES, "EVALFORGE_HOME"),
        ("work disk", Path(tempfile.gettempdir()), _MIN_SCRATCH_BYTES, "TMPDIR"),
    ):
        existing = next(place for place in (folder, *folder.parents) if place.exists())
        try:
            free = shutil.disk_usage(existing).free
        except OSError as error:
            message = f"{existing} can't be read ({error.strerror})"
            yield Check(name=name, state=CheckState.FAILED, message=message, remedy=_other_disk(variable))
            continue
        message = f"{free // _MEGABYTE:,} MB free in {existing}"
        if free >= min_bytes:
            yield Check(name=name, state=CheckState.OK, message=message)
        else:
            message += f"; a fight may need {min_bytes // _MEGABYTE} MB"
            state = CheckState.NOTE if free >= _FULL_BYTES else CheckState.FAILED
            yield Check(name=name, state=state, message=message, remedy=_other_disk(variable))


def _other_disk(variable: str) -> str:
    return f"Free some space, or set {variable} to a folder on another disk."


def _examine_bosses(config: Settings) -> Iterator[Check]:
    bosses = find_bosses(config.bosses)
    broken = [boss for boss in bosses if boss.error]
    if not bosses:
        yield Check(name="bosses", state=CheckState.FAILED, message="none was found", remedy="Install EvalForge again.")
    elif broken:
        message = f"{len(bosses) - len(broken)} usable, {len(broken)} broken. {broken[0].error}"
        yield Check(name="bosses", state=CheckState.NOTE, message=message)
    else:
        folders = ", ".join(str(folder) for folder in config.bosses if is_folder(folder))
        yield Check(name="bosses", state=CheckState.OK, message=f"{len(bosses)} in {folders}")


def _examine_isolation(config: Settings) -> Iterator[Check]:
    """Check the sandbox and interpreter that a judging would use; a chosen interpreter has its own host process."""
    from evalforge.sandbox.client import Host
    from evalforge.sandbox.isolation import CAGED_LAYERS, NO_ISOLATION_HINT

    try:
        layer, note, failure = asyncio.run(_measure_sample())
        host = Host(config.python)
        version = ".".join(map(str, host.version))
        host.shut_down()
    except EvalForgeError as error:
        yield Check(name="isolation", state=CheckState.FAILED, message=error.message, remedy=error.hint)
        return
    message = f"{layer}. {note}".strip()
    if layer in CAGED_LAYERS:
        yield Check(name="isolation", state=CheckState.OK, message=message)
    elif config.trusted:
        yield Check(name="isolation", state=CheckState.NOTE, message=f"{message} Code runs because you trust it.")
    else:
        yield Check(name="isolation", state=CheckState.FAILED, message=message, remedy=NO_ISOLATION_HINT)
    yield _interpreter_check(config.python, version)
    yield _measuring_check(failure)


def _measuring_check(failure: SandboxError | None) -> Check:
    if failure is None:
        return Check(name="measuring", state=CheckState.OK, message="a trial ran a program, and its code was read")
    ungraded = ungraded_by(failure)
    return Check(name="measuring", state=CheckState.FAILED, message=ungraded.reason, remedy=ungraded.advice)


def _interpreter_check(python: str, version: str) -> Check:
    """Check whether a chosen interpreter can run a player's tests, too."""
    from evalforge.sandbox.player_test_host import runs_pytest

    message = f"Python {version}, {python or sys.executable}"
    if not python or runs_pytest(python):
        return Check(name="interpreter", state=CheckState.OK, message=message)
    message += " can't run our pytest and has none: bosses that ask for tests are left ungraded"
    remedy = f"Install it there: {shlex.join([python, '-m', 'pip', 'install', 'pytest'])}"
    return Check(name="interpreter", state=CheckState.FAILED, message=message, remedy=remedy)


async def _measure_sample() -> tuple[str, str, SandboxError | None]:
    """Return the isolation, a remark on it, and why a one-line program can't be measured; None if it can."""
    from evalforge.evidence.engine import Engine
    from evalforge.model.submission import Submission

    engine = Engine()
    failure: SandboxError | None = None
    try:
        await engine.warm()
        with tempfile.TemporaryDirectory(prefix="evalforge-doctor-") as folder:
            trials = Path(folder) / "trials"
            trials.mkdir()
            (trials / "test_sample.py").write_text(_SAMPLE_TRIAL, "utf-8")
            async with aclosing(engine.gather("", trials, ("main.py",), Submission.of(_SAMPLE))) as events:
                async for _ in events:
                    pass
    except SandboxError as error:
        if not engine.layer:
            raise
        failure = error
    finally:
        await engine.close()
    return engine.layer, engine.isolation_note, failure


def _examine_judges(config: Settings) -> Iterator[Check]:
    """Check each judge. Only the one that would judge must be available; a missing key isn't a failure."""
    from evalforge.judges.registry import judge_offers
    from evalforge.llm.budget import price_table_date

    offers = {offer.name: offer for offer in judge_offers(config.models)}
    if config.judge not in offers:
        message = f"there is none called {config.judge!r}"
        yield Check(name="judge", state=CheckState.FAILED, message=message, remedy=f"Name one of: {', '.join(offers)}.")
    for offer in offers.values():
        is_default = offer.name == config.judge
        message = offer.description + (" (the default)" if is_default else "")
        if offer.is_available:
            yield Check(name=f"{offer.name} judge", state=CheckState.OK, message=message)
        elif is_default:
            remedy = "Judge with --judge forge, which needs no model."
            yield Check(name=f"{offer.name} judge", state=CheckState.FAILED, message=message, remedy=remedy)
        else:
            yield Check(name=f"{offer.name} judge", state=CheckState.OFF, message=message)
    if fault := _server_fault(config.models):
        state = CheckState.OFF if config.judge == "forge" else CheckState.FAILED
        remedy = "" if config.judge == "forge" else "Start the server, or judge with --judge forge."
        yield Check(name="model server", state=state, message=fault, remedy=remedy)
    elif offers["claude"].is_available:
        message = f"as of {price_table_date()}; budget ${config.models.budget_usd:.2f} for a session"
        yield Check(name="model prices", state=CheckState.OK, message=message)


def _server_fault(models: ModelOptions) -> str:
    """Return why a local server can't be reached; empty if it can, or isn't local."""
    import socket
    from urllib.parse import urlsplit

    if not models.is_local:
        return ""
    parts = urlsplit(models.server)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
        with socket.create_connection((parts.hostname or "", port), timeout=_CONNECT_SECONDS):
            return ""
    except (OSError, ValueError) as error:
        return f"nothing answers at {models.server} ({error})"


def _find_ignored_settings(config: Settings) -> Iterator[Check]:
    from evalforge.app.ui.theme.themes import DEFAULT_THEME, PALETTES

    if config.theme and config.theme not in PALETTES:
        message = f"there is none called {config.theme!r}: {DEFAULT_THEME} is used. Themes: {', '.join(PALETTES)}"
        yield Check(name="theme", state=CheckState.NOTE, message=message)
    for folder in config.bosses:
        # The user's folder is created when the lab saves a first version there.
        if not is_folder(folder) and folder != user_bosses(config.home):
            message = f"there is no folder {folder} (named in EVALFORGE_BOSSES or config.toml)"
            yield Check(name="bosses", state=CheckState.NOTE, message=message)


_EXAMINATIONS: tuple[Callable[[Settings], Iterator[Check]], ...] = (
    _examine_program,
    _examine_history,
    _examine_disks,
    _examine_bosses,
    _examine_isolation,
    _examine_judges,
    _find_ignored_settings,
)
