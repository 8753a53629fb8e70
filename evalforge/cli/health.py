"""Checks whether a judging is possible here: what ``evalforge doctor`` shows."""

import platform
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator

from evalforge import __version__
from evalforge.cli.folder_checks import examine_caches, examine_disks, examine_history
from evalforge.cli.health_report import Check, CheckState, HealthReport
from evalforge.cli.judging_checks import examine_judging
from evalforge.cli.settings import Settings
from evalforge.llm.model_options import ModelOptions
from evalforge.model.installation import name_clash, source
from evalforge.packs.locations import config_file, user_bosses
from evalforge.packs.path_checks import is_folder
from evalforge.packs.summary import find_bosses

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
    examine_history,
    examine_caches,
    examine_disks,
    _examine_bosses,
    examine_judging,
    _examine_judges,
    _find_ignored_settings,
)
