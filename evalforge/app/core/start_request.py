"""What the game opens first: the roster, and on top of it what the command line requested."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalforge.app.core.navigation import Navigator
    from evalforge.classroom.class_run import ClassOptions
    from evalforge.packs.pack import BossPack

Opener = Callable[["Navigator", "BossPack"], None]
"""Opens the first screen, once its boss is loaded."""


@dataclass(frozen=True)
class StartRequest:
    """A request to open a screen on top of the roster.

    Attributes:
        boss: The boss's slug; empty for the roster alone.
        opener: Opens the screen; not called if there is no boss.
    """

    boss: str = ""
    opener: Opener = lambda navigator, pack: navigator.open_boss(pack)


ROSTER = StartRequest()
"""Nothing on top of the roster."""


def boss_page(boss: str) -> StartRequest:
    """A request to start on a boss's page."""
    return StartRequest(boss)


def arena(boss: str, directory: str) -> StartRequest:
    """A request to start in a boss's arena with a folder filled in; nothing is judged until the player strikes."""
    return StartRequest(boss, lambda navigator, pack: navigator.open_arena(pack, directory))


def fight(boss: str, directory: Path | str, *, watch: bool = False) -> StartRequest:
    """A request to start with a fight that begins at once, optionally watching the directory."""
    return StartRequest(boss, lambda navigator, pack: navigator.open_fight(pack, Path(directory), watch=watch))


def lab(boss: str) -> StartRequest:
    """A request to start in the rubric lab."""
    return StartRequest(boss, lambda navigator, pack: navigator.open_lab(pack))


def stage(
    boss: str, exemplars: tuple[str, ...] = (), hand_ins: tuple[Path, ...] = (), judge: str = "forge"
) -> StartRequest:
    """A request to start in stage mode on a boss, with its exemplars, further folders, and the judge."""
    return StartRequest(boss, lambda navigator, pack: navigator.open_stage(pack, exemplars, hand_ins, judge))


def speaker_notes(boss: str) -> StartRequest:
    """A request to start with the speaker's notes for a stage that runs elsewhere on this machine."""
    return StartRequest(boss, lambda navigator, pack: navigator.open_speaker_notes(pack))


def tour(boss: str, *, auto: bool = False) -> StartRequest:
    """A request to start with the tour; ``auto`` makes it play by itself, over and over."""
    return StartRequest(boss, lambda navigator, _: navigator.open_tour(auto=auto))


def class_judging(boss: str, place: Path, options: "ClassOptions | None" = None) -> StartRequest:
    """A request to judge a class at once; without options, by the forge and on this machine."""
    return StartRequest(boss, lambda navigator, pack: navigator.open_class(pack, place, options))
