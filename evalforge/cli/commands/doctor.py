"""What works here, and the formats."""

import asyncio
import platform
import shutil
import sys
from argparse import Namespace
from collections.abc import Iterator

from evalforge import __version__
from evalforge.cli import output, settings
from evalforge.cli.exit_status import ExitStatus
from evalforge.llm.options import ModelOptions
from evalforge.model.errors import EvalForgeError, UsageError
from evalforge.packs.locations import user_bosses
from evalforge.packs.path_checks import is_folder
from evalforge.packs.summary import find_bosses


def doctor(arguments: Namespace) -> int:
    """Check what the game needs; the exit status is 0 if a fight is possible."""
    config = settings.load(arguments)
    out = output.console()
    sound = True
    for name, (works, words) in _checks(config).items():
        mark, style = ("ok    ", "green") if works else ("failed", "bold red")
        output.print_line(out, (mark, style), f"  {name:<12} ", words)
        sound = sound and works
    for name, words in _ignored_settings(config):
        output.print_line(out, ("note  ", "yellow"), f"  {name:<12} ", words)
    return ExitStatus.SUCCESS if sound else ExitStatus.UNGRADED


def _checks(config: settings.Settings) -> dict[str, tuple[bool, str]]:
    size = shutil.get_terminal_size()
    terminal = f"{size.columns}x{size.lines}" if sys.stdout.isatty() else "not a terminal (the game needs one)"
    return {
        "evalforge": (True, f"{__version__} on Python {platform.python_version()}, {platform.system()}"),
        "terminal": (True, terminal),
        "history": _history(config),
        "bosses": _bosses(config),
        "isolation": asyncio.run(_isolation()),
        **_judges(config),
    }


def _ignored_settings(config: settings.Settings) -> Iterator[tuple[str, str]]:
    """What was asked for and is passed over; a fight is possible all the same."""
    from evalforge.app.ui.theme.themes import DEFAULT_THEME, PALETTES

    if config.theme and config.theme not in PALETTES:
        yield "theme", f"there is none called {config.theme!r}: {DEFAULT_THEME} is taken. Themes: {', '.join(PALETTES)}"
    for folder in config.bosses:
        # The user's own comes to be when the lab saves a first version there.
        if not is_folder(folder) and folder != user_bosses(config.home):
            yield "bosses", f"there is no folder {folder} (named in EVALFORGE_BOSSES or config.toml)"


def _judges(config: settings.Settings) -> dict[str, tuple[bool, str]]:
    """Each judge, and why it can or can't be had. Only the one in force has to work; no key is no fault."""
    from evalforge.judges.registry import judge_offers
    from evalforge.llm.budget import price_table_date

    checks: dict[str, tuple[bool, str]] = {}
    offers = judge_offers(config.models)
    if config.judge not in [offer.name for offer in offers]:
        checks["judge"] = (False, f"there is none called {config.judge!r}: {', '.join(offer.name for offer in offers)}")
    for offer in offers:
        words = offer.description if offer.is_available else f"not available: {offer.description}"
        if offer.name == config.judge:
            words += " (taken by default)"
        checks[f"{offer.name} judge"] = (offer.is_available or offer.name != config.judge, words)
    fault = _why_server_unreachable(config.models)
    if fault:
        checks["model server"] = (config.judge == "forge", fault)
    elif checks["claude judge"][1].startswith("also"):
        budget = f"${config.models.budget_usd:.2f} for a session"
        checks["model prices"] = (True, f"as of {price_table_date()}; budget {budget}")
    return checks


def _why_server_unreachable(models: ModelOptions) -> str:
    """Why a local server can't be reached; empty if it can, or if it isn't local."""
    import socket
    from urllib.parse import urlsplit

    if not models.is_local:
        return ""
    parts = urlsplit(models.server)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
        with socket.create_connection((parts.hostname or "", port), timeout=1.0):
            return ""
    except (OSError, ValueError) as error:
        return f"nothing answers at {models.server} ({error})"


def _history(config: settings.Settings) -> tuple[bool, str]:
    from evalforge.history.store import History

    try:
        with History(config.history) as history:
            history.check()
            return True, f"{history.count():,} attempts in {config.history}"
    except EvalForgeError as error:
        return False, str(error)


def _bosses(config: settings.Settings) -> tuple[bool, str]:
    bosses = find_bosses(config.bosses)
    broken = [boss for boss in bosses if boss.error]
    if broken:
        return False, f"{len(bosses) - len(broken)} sound, {len(broken)} broken. {broken[0].error}"
    return bool(bosses), f"{len(bosses)} in " + ", ".join(str(folder) for folder in config.bosses if is_folder(folder))


async def _isolation() -> tuple[bool, str]:
    from evalforge.evidence.engine import Engine

    engine = Engine()
    try:
        await engine.warm()
        return engine.layer != "none", f"{engine.layer}. {engine.isolation_note}".strip()
    except EvalForgeError as error:
        return False, str(error)
    finally:
        await engine.close()


def schema(arguments: Namespace) -> int:
    """Print a JSON Schema."""
    from evalforge.cli.formats import FORMATS, schema_of

    if not arguments.name:
        output.print_line(output.console(), "\n".join(FORMATS))
        return ExitStatus.SUCCESS
    if arguments.name not in FORMATS:
        raise UsageError(f"There is no schema called {arguments.name!r}.", f"Schemas: {', '.join(FORMATS)}.")
    output.print_json(schema_of(arguments.name))
    return ExitStatus.SUCCESS
