"""What the game opens first: the roster, or on top of it whatever the command line asked for."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalforge.app.navigation import Navigator
    from evalforge.classroom.class_run import ClassOptions
    from evalforge.packs.pack import BossPack

Opener = Callable[["Navigator", "BossPack"], None]
"""Opens the first screen, once its boss is loaded."""


@dataclass(frozen=True)
class StartRequest:
    """What is opened on top of the roster.

    Attributes:
        boss: The boss's slug; empty for the roster alone.
        opener: What opens the screen; not asked if there is no boss.
    """

    boss: str = ""
    opener: Opener = lambda navigator, pack: navigator.open_boss(pack)


ROSTER = StartRequest()
"""Nothing on top of the roster."""


def boss_page(boss: str) -> StartRequest:
    """A request to start on a boss's page."""
    return StartRequest(boss)


def arena(boss: str, directory: str) -> StartRequest:
    """The arena of a boss with a folder filled in; nothing is judged until the player strikes."""
    return StartRequest(boss, lambda navigator, pack: navigator.open_arena(pack, directory))


def fight(boss: str, directory: Path | str, *, watch: bool = False) -> StartRequest:
    """A fight that begins at once, perhaps watching the directory."""
    return StartRequest(boss, lambda navigator, pack: navigator.open_fight(pack, Path(directory), watch=watch))


def lab(boss: str) -> StartRequest:
    """The rubric lab on a boss."""
    return StartRequest(boss, lambda navigator, pack: navigator.open_lab(pack))


def stage(
    boss: str, exemplars: tuple[str, ...] = (), hand_ins: tuple[Path, ...] = (), judge: str = "forge"
) -> StartRequest:
    """Stage mode on a boss: names of its exemplars, folders shown after them, and who judges them."""
    return StartRequest(boss, lambda navigator, pack: navigator.open_stage(pack, exemplars, hand_ins, judge))


def speaker_notes(boss: str) -> StartRequest:
    """The speaker's notes to a stage that runs elsewhere on this machine."""
    return StartRequest(boss, lambda navigator, pack: navigator.open_speaker_notes(pack))


def tour(boss: str, *, auto: bool = False) -> StartRequest:
    """The tour; ``auto`` lets it go on by itself, over and over."""
    return StartRequest(boss, lambda navigator, _: navigator.open_tour(auto=auto))


def class_judging(boss: str, place: Path, options: "ClassOptions | None" = None) -> StartRequest:
    """A class that is judged at once; by the forge, on this machine, without options."""
    return StartRequest(boss, lambda navigator, pack: navigator.open_class_judging(pack, place, options))
