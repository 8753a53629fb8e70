"""The tour from the command line."""

from argparse import Namespace

from evalforge.cli import settings
from evalforge.cli.play import start
from evalforge.library.summary import find_bosses
from evalforge.model.errors import UsageError


def tour(arguments: Namespace) -> int:
    """Show the game to a first-timer, or to whoever passes a stand.

    Raises:
        UsageError: There are no bosses here.
    """
    from evalforge.app.lesson.tour import TRAINING
    from evalforge.app.showing import Showing

    sound = [boss.slug for boss in find_bosses(settings.load(arguments).bosses) if not boss.error]
    if not sound:
        raise UsageError("There is no boss here to show.", "Name a folder of boss packs: --bosses DIR")
    boss = TRAINING if TRAINING in sound else sound[0]
    return start(arguments, Showing(boss=boss, kind="tour", auto=arguments.auto))
