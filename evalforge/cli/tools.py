"""What works here, and the formats."""

import asyncio
import platform
import shutil
import sys
from argparse import Namespace

from evalforge import __version__
from evalforge.cli import output, settings
from evalforge.library.summary import find_bosses
from evalforge.model.errors import EvalForgeError, UsageError


def doctor(arguments: Namespace) -> int:
    """Check what the game needs; the exit status is 0 if a fight is possible."""
    chosen = settings.load(arguments)
    out = output.console()
    sound = True
    for name, (works, words) in _checks(chosen).items():
        mark, style = ("ok    ", "green") if works else ("failed", "bold red")
        output.line(out, (mark, style), f"  {name:<12} ", words)
        sound = sound and works
    return 0 if sound else 3


def _checks(chosen: settings.Settings) -> dict[str, tuple[bool, str]]:
    size = shutil.get_terminal_size()
    terminal = f"{size.columns}x{size.lines}" if sys.stdout.isatty() else "not a terminal (the game needs one)"
    return {
        "evalforge": (True, f"{__version__} on Python {platform.python_version()}, {platform.system()}"),
        "terminal": (True, terminal),
        "history": _history(chosen),
        "bosses": _bosses(chosen),
        "isolation": asyncio.run(_isolation()),
        "forge judge": (True, "works without network or key"),
    }


def _history(chosen: settings.Settings) -> tuple[bool, str]:
    from evalforge.history.store import History

    try:
        with History(chosen.history) as history:
            return True, f"{history.count():,} attempts in {chosen.history}"
    except EvalForgeError as error:
        return False, str(error)


def _bosses(chosen: settings.Settings) -> tuple[bool, str]:
    found = find_bosses(chosen.bosses)
    broken = [boss for boss in found if boss.error]
    if broken:
        return False, f"{len(found) - len(broken)} sound, {len(broken)} broken. {broken[0].error}"
    return bool(found), f"{len(found)} in " + ", ".join(str(folder) for folder in chosen.bosses if folder.is_dir())


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
    from evalforge.model.schemas import SCHEMAS, schema_of

    if not arguments.name:
        output.line(output.console(), "\n".join(SCHEMAS))
        return 0
    if arguments.name not in SCHEMAS:
        raise UsageError(f"There is no schema called {arguments.name!r}.", f"Schemas: {', '.join(SCHEMAS)}.")
    output.print_json(schema_of(arguments.name))
    return 0
