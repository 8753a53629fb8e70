"""Start the game: with its roster, the tour, or the stage of a lesson."""

import os
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from evalforge.cli import settings
from evalforge.model.errors import UsageError
from evalforge.model.text import is_ascii_only
from evalforge.packs.boss_marker import marked_boss
from evalforge.packs.locations import config_file
from evalforge.packs.summary import find_bosses, training_boss

if TYPE_CHECKING:
    from evalforge.app.core.navigation import Opener


def play(arguments: Namespace) -> int:
    """Run the game in this terminal; in a folder that ``new`` created, its boss's arena opens."""
    if boss := marked_boss(Path()):
        from evalforge.packs.find_pack import find_pack

        find_pack(boss, settings.load(arguments).bosses)
        directory = str(Path.cwd())
        return start(arguments, boss, lambda navigator, pack: navigator.open_arena(pack, directory))
    return start(arguments)


def start(arguments: Namespace, boss: str = "", opener: "Opener | None" = None) -> int:
    """Run the game in this terminal, with a boss's page in front of the roster, or what an opener opens for the boss.

    Raises:
        UsageError: There is no terminal, or it can't draw.
    """
    if not (_in_browser() or (sys.stdin.isatty() and sys.stdout.isatty())):
        raise UsageError("The game needs a terminal.", "For pipes and scripts: evalforge judge BOSS DIR --plain")
    if os.environ.get("TERM") == "dumb" and not _in_browser():
        raise UsageError("This terminal can't draw (TERM=dumb).", "Use: evalforge judge BOSS DIR --plain")
    config = settings.load(arguments)
    from evalforge.app.app import EvalForge
    from evalforge.app.core.navigation import StartRequest
    from evalforge.app.core.services import Services

    services = Services(
        bosses=config.bosses,
        history=config.history,
        judge=config.judge,
        motion=config.motion,
        tone=config.tone,
        theme=config.theme,
        bell=config.bell,
        editor=config.editor,
        config=config_file(),
        ascii_only=is_ascii_only(os.environ),
        models=config.models,
        python=config.python,
        trusted=config.trusted,
        starter_folder=config.solutions,
        start=StartRequest(boss, opener) if opener else StartRequest(boss),
    )
    game = EvalForge(services)
    game.run()
    return game.return_code or 0


def _in_browser() -> bool:
    """Whether `evalforge serve` started this process: then a web page is the terminal."""
    return os.environ.get("TEXTUAL_DRIVER", "").endswith(":WebDriver")


def tour(arguments: Namespace) -> int:
    """Show the game to a first-time player, or unattended at an exhibition.

    Raises:
        UsageError: There are no bosses here.
    """
    boss = training_boss(find_bosses(settings.load(arguments).bosses))
    if boss is None:
        raise UsageError("There is no boss to show.", "Name a folder of boss packs: --bosses DIR")
    return start(arguments, boss.slug, lambda navigator, _: navigator.open_tour(auto=arguments.auto))


def stage(arguments: Namespace) -> int:
    """Teach a boss's rubric, or follow a running stage.

    Raises:
        UsageError: There is no such boss, exemplar or folder; raised before anything is drawn.
    """
    from evalforge.app.teaching.lesson_plan import make_lesson
    from evalforge.packs.find_pack import find_pack

    pack = find_pack(arguments.boss, settings.load(arguments).bosses)
    # The game would not find a pack that was given by its path.
    arguments.bosses = [pack.path, *arguments.bosses]
    if arguments.notes:
        if arguments.exemplar or arguments.hand_in:
            raise UsageError(
                "--notes shows what the stage shows.",
                "Name exemplars and folders in the terminal that opens the stage.",
            )
        return start(arguments, pack.boss_id, lambda navigator, pack: navigator.open_speaker_notes(pack))
    make_lesson(pack, arguments.exemplar, arguments.hand_in)
    exemplars = tuple(arguments.exemplar)
    hand_ins = tuple(folder.absolute() for folder in arguments.hand_in)
    # A key in the environment may make Claude the judge of a fight; a lesson costs money only on explicit request.
    judge = getattr(arguments, "judge", "") or "forge"
    return start(
        arguments, pack.boss_id, lambda navigator, pack: navigator.open_stage(pack, exemplars, hand_ins, judge)
    )
