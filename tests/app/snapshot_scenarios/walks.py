"""What is pictured: walks through the game, each with the scenes it passes."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tests.app.snapshot_scenarios.camera import Camera
from tests.app.snapshot_scenarios.world import World

Size = tuple[int, int]
SIZES: tuple[Size, ...] = ((80, 24), (120, 40))
Go = Callable[[World, Camera], Awaitable[None]]


@dataclass(frozen=True)
class Walk:
    """One way through the game.

    Attributes:
        name: What it is called.
        scenes: What is pictured on it, in this order.
        go: Goes it, and takes the pictures.
        sizes: The terminals it is gone on.
        past: What was before: ``none``, that of a ``player`` or of a ``teacher``.
    """

    name: str
    scenes: tuple[str, ...]
    go: Go
    sizes: tuple[Size, ...]
    past: str


WALKS: list[Walk] = []


def walk(*scenes: str, sizes: tuple[Size, ...] = SIZES, past: str = "player") -> Callable[[Go], Go]:
    """Declare a walk, and the scenes on it."""

    def keep(go: Go) -> Go:
        name = getattr(go, "__name__", "").replace("_", "-")
        WALKS.append(Walk(name, scenes, go, sizes, past))
        return go

    return keep
