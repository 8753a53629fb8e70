"""Checks whether a judging is possible here: what ``evalforge doctor`` shows."""

import asyncio
import platform
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import aclosing

from evalforge import __version__
from evalforge.cli.folder_checks import examine_caches, examine_disks, examine_history
from evalforge.cli.health_report import Check, CheckState, HealthReport
from evalforge.cli.settings import Settings
from evalforge.llm.model_options import ModelOptions
from evalforge.model.errors import SandboxError
from evalforge.model.events import Started, Ungraded
from evalforge.model.installation import name_clash, source
from evalforge.packs.locations import config_file, shipped_bosses, user_bosses
from evalforge.packs.path_checks import is_folder
from evalforge.packs.summary import find_bosses

# Checks of the sandbox and the interpreter: a fight is judged as by ``judge``, and its refusal is what is reported.

_BOSS, _EXEMPLAR = "training-dummy", "flawless"
"""A shipped boss and a program with tests that defeats it; judging it takes the fewest seconds."""


def examine_judging(config: Settings) -> Iterator[Check]:
    """Check the sandbox and interpreter that a judging would use, by judging a shipped program."""
    started, ungraded = asyncio.run(_judge_sample(config))
    if started is None:
        assert ungraded is not None
        yield Check(name="isolation", state=CheckState.FAILED, message=ungraded.reason, remedy=ungraded.advice)
        return
    isolation = _isolation_check(started, ungraded, config)
    yield isolation
    interpreter = _interpreter_check(config.python)
    yield interpreter
    if CheckState.FAILED not in (isolation.state, interpreter.state):
        yield _measuring_check(ungraded)


async def _judge_sample(config: Settings) -> tuple[Started | None, Ungraded | None]:
    """Judge a shipped program and return what the fight said at its start, and why it was refused, if it was."""
    from evalforge.fight import FightOptions, Forge
    from evalforge.packs.pack import load_pack

    started: Started | None = None
    ungraded: Ungraded | None = None
    pack = load_pack(shipped_bosses() / _BOSS)
    options = FightOptions(python=config.python, trusted=config.trusted, save=False, again=True)
    async with Forge() as forge, aclosing(forge.fight(pack, pack.path / "exemplars" / _EXEMPLAR, options)) as events:
        async for event in events:
            if isinstance(event, Started):
                started = event
            elif isinstance(event, Ungraded):
                ungraded = event
    return started, ungraded


def _isolation_check(started: Started, ungraded: Ungraded | None, config: Settings) -> Check:
    from evalforge.sandbox.isolation import CAGED_LAYERS, NO_ISOLATION_MESSAGE

    message = f"{started.isolation}. {started.isolation_note}".strip()
    if ungraded is not None and ungraded.reason == NO_ISOLATION_MESSAGE:
        return Check(name="isolation", state=CheckState.FAILED, message=message, remedy=ungraded.advice)
    if started.isolation not in CAGED_LAYERS and config.trusted:
        message = f"{message} Code runs because you trust it."
        return Check(name="isolation", state=CheckState.NOTE, message=message)
    return Check(name="isolation", state=CheckState.OK, message=message)


def _interpreter_check(python: str) -> Check:
    """Check whether a chosen interpreter starts, and whether it can run a player's tests, too."""
    from evalforge.sandbox.client import Host
    from evalforge.sandbox.player_test_host import runs_pytest

    try:
        host = Host(python)
        version = ".".join(map(str, host.version))
        host.shut_down()
    except SandboxError as error:
        return Check(name="interpreter", state=CheckState.FAILED, message=error.message, remedy=error.hint)
    message = f"Python {version}, {python or sys.executable}"
    if not python or runs_pytest(python):
        return Check(name="interpreter", state=CheckState.OK, message=message)
    message += " can't run our pytest and has none: bosses that ask for tests are left ungraded"
    remedy = f"Install it there: {shlex.join([python, '-m', 'pip', 'install', 'pytest'])}"
    return Check(name="interpreter", state=CheckState.FAILED, message=message, remedy=remedy)


def _measuring_check(ungraded: Ungraded | None) -> Check:
    if ungraded is None:
        message = f"the {_EXEMPLAR} program of {_BOSS} was judged"
        return Check(name="measuring", state=CheckState.OK, message=message)
    return Check(name="measuring", state=CheckState.FAILED, message=ungraded.reason, remedy=ungraded.advice)


_CONNECT_SECONDS = 1.0
_TRIED_PLATFORM = ("Linux", "x86_64")
"""The platform that we test on."""


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
            f"{sys.executable} -m pip install --force-reinstall {shlex.quote(source())}"
        )
        yield Check(name="packages", state=CheckState.NOTE, message=message, remedy=remedy)
    size = shutil.get_terminal_size()
    if sys.stdout.isatty():
        yield Check(name="terminal", state=CheckState.OK, message=f"{size.columns}x{size.lines}")
    else:
        yield Check(name="terminal", state=CheckState.OFF, message="not a terminal (the game needs one)")


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


def _examine_judges(config: Settings) -> Iterator[Check]:
    """Check each judge. Only the one that would judge must be available; a missing key isn't a failure."""
    from evalforge.judges.registry import JUDGES, judge_offers
    from evalforge.llm.budget import price_table_date

    offers = {offer.name: offer for offer in judge_offers(config.models)}
    if config.judge not in JUDGES:
        message = f"there is none called {config.judge!r}"
        yield Check(name="judge", state=CheckState.FAILED, message=message, remedy=f"Name one of: {', '.join(JUDGES)}.")
    for offer in offers.values():
        is_default = offer.name == config.judge or (not offer.is_available and config.judge in JUDGES[1:])
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
    examine_history,
    examine_caches,
    examine_disks,
    _examine_bosses,
    examine_judging,
    _examine_judges,
    _find_ignored_settings,
)
