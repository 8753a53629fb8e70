"""Every screen survives every size: resized while it is open, and left for a screen that was laid out for another.

On each push every scene of the shorter walks is seen at a few sizes; ``EVALFORGE_SIZES=all`` goes every walk and asks
for many more, as every night.
"""

import os
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from evalforge.app.home.roster import RosterScreen
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.line_view import LineScroll
from tests.app.harness import shown, until
from tests.app.snapshot_scenarios import classes, evaluations, fights, home, labs, lessons, past
from tests.app.snapshot_scenarios.walks import WALKS, Size, Walk
from tests.app.snapshot_scenarios.world import World
from tests.app.test_screens import on

ALL = os.environ.get("EVALFORGE_SIZES") == "all"
_SCENES = (classes, evaluations, fights, home, labs, lessons, past)
"""Modules that declare walks."""
_NIGHTLY = {
    "calibration", "class-judging", "duel", "faults", "fight-flawless", "fight-impostors", "fight-impostors-come",
    "practice", "too-small",
}  # fmt: skip
"""Walks that take long for what they show besides the others."""
_COLUMNS, _LINES = range(40, 201), range(12, 61)
_MANY = [*((columns, 24 + columns % 24) for columns in _COLUMNS), *((w, h) for w in (60, 100, 160) for h in _LINES)]
"""Every width, and every height at three of them."""
_FEW = [(_COLUMNS[n * 23 % len(_COLUMNS)], _LINES[n * 5 % len(_LINES)]) for n in range(len(_COLUMNS))]
"""Each width once, and each height a few times, far from the one before."""
_ROSTER_KEYS = ("a", "P", "b", "question_mark")


class SizeChanger:
    """What walks take for a camera: where it would take a picture, it changes the size of the terminal.

    Args:
        size: The size the walk is gone at.
        first: Where in the few sizes it begins.

    Attributes:
        scenes: What it was shown so far.
    """

    def __init__(self, size: Size, first: int) -> None:
        self.size = size
        self.scenes: list[str] = []
        self._numbers = count(first)

    async def take(self, pilot: Pilot[Any], scene: str) -> None:
        """Show the scene at other sizes, and go back to the first."""
        self.scenes.append(scene)
        for size in _MANY if ALL else [_FEW[next(self._numbers) % len(_FEW)]]:
            await resize(pilot, size, scene)
        await resize(pilot, self.size, scene)


async def resize(pilot: Pilot[Any], size: Size, scene: str) -> None:
    """Change the size, and look at every line of what is shown."""
    await pilot.resize_terminal(*size)
    await look_at_every_line(pilot, f"{scene} at {size[0]}x{size[1]}")


async def look_at_every_line(pilot: Pilot[Any], where: str) -> None:
    """Draw the screen, and then the lines of its lists that are out of sight."""
    try:
        shown(pilot.app)
        views = [view for view in pilot.app.screen.query(LineScroll) if view.is_on_screen and view.size.width]
        await until(
            pilot, lambda: all(view.virtual_size == view.lay_out(view.line_width) for view in views), "laid out"
        )
        for view in views:
            assert 0 <= view.scroll_offset.y <= max(0, view.virtual_size.height - view.size.height), view
            for y in range(-view.scroll_offset.y, view.virtual_size.height - view.scroll_offset.y):
                view.render_line(y)
    except Exception as error:
        raise AssertionError(where) from error


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> World:
    """The home folder, made once."""
    world = World(tmp_path_factory.mktemp("home"))
    world.build()
    world.theme = "ember"
    return world


@pytest.fixture
def world(built: World, own_home: Path) -> Iterator[World]:
    """The home folder of a player as it was before a walk."""
    with pytest.MonkeyPatch.context() as patch:
        built.begin(patch, "player")
        yield built
    time.tzset()


@pytest.fixture
def world_of_walk(walk: Walk, built: World, own_home: Path) -> Iterator[World]:
    with pytest.MonkeyPatch.context() as patch:
        built.begin(patch, walk.past)
        yield built
    time.tzset()


@pytest.mark.parametrize(
    ("number", "walk"),
    [pytest.param(number, walk, id=walk.name) for number, walk in enumerate(WALKS) if ALL or walk.name not in _NIGHTLY],
)
async def test_every_scene_survives_other_sizes(number: int, walk: Walk, world_of_walk: World) -> None:
    changer = SizeChanger(walk.sizes[0], 17 * number)
    await walk.go(world_of_walk, changer)
    assert changer.scenes, "the walk shows nothing"


@pytest.mark.parametrize("columns", range(40, 201, 10) if ALL else (140,))
async def test_the_roster_is_left_and_found_at_every_height(columns: int, world: World) -> None:
    async with world.game().run_test(size=(columns, 24)) as pilot:
        await until(pilot, lambda: on(pilot, RosterScreen), "the roster")
        tally = pilot.app.screen.query_one("#tally", Heading)
        await until(pilot, lambda: bool(tally.render_line(0).text.strip()), "its progress")
        for number, height in enumerate(_LINES):
            await resize(pilot, (columns, height), "the roster")
            if number % 4 == 0:
                key, other = _ROSTER_KEYS[number // 4 % len(_ROSTER_KEYS)], _LINES[-number - 1]
                await pilot.press(key)
                await resize(pilot, (columns, other), f"{key} over the roster")
                await pilot.press("escape")
                await look_at_every_line(pilot, f"back from {key} at {columns}x{other}")
