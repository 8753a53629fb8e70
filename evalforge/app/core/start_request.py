"""What the game opens first: the roster, and on top of it what the command line requested."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalforge.app.core.navigation import Navigator
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
