"""The tour from the command line."""

from argparse import Namespace

from evalforge.cli import settings
from evalforge.cli.commands.play import start
from evalforge.model.errors import UsageError
from evalforge.packs.summary import find_bosses


def tour(arguments: Namespace) -> int:
    """Show the game to a first-timer, or to whoever passes a stand.

    Raises:
        UsageError: There are no bosses here.
    """
    from evalforge.app import start_request
    from evalforge.app.teaching.tour_script import TRAINING

    sound = [boss.slug for boss in find_bosses(settings.load(arguments).bosses) if not boss.error]
    if not sound:
        raise UsageError("There is no boss here to show.", "Name a folder of boss packs: --bosses DIR")
    boss = TRAINING if TRAINING in sound else sound[0]
    return start(arguments, start_request.tour(boss, auto=arguments.auto))
