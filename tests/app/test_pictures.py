"""What a player sees is what was seen before: every screen, at two sizes, in a dark and in a light theme.

A picture that changed on purpose is accepted with ``make pictures``; look at it before you do. The smaller size is
looked at on each push; ``EVALFORGE_PICTURES=all`` asks for both, as every night.
"""

import gc
import importlib
import os
import pkgutil
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from textual.screen import Screen

from evalforge import app as game
from tests.app.snapshot_scenarios import classes, evaluations, fights, home, labs, lessons, past
from tests.app.snapshot_scenarios.camera import PICTURES, THEMES, Camera, picture_name
from tests.app.snapshot_scenarios.walks import WALKS, Size, Walk
from tests.app.snapshot_scenarios.world import World

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

_SCENES = (classes, evaluations, fights, home, labs, lessons, past)
"""Modules that declare walks."""
_SMALLER = (80, 24)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> World:
    """The home folder, made once."""
    world = World(tmp_path_factory.mktemp("home"))
    world.build()
    return world


@pytest.fixture
def world(walk: Walk, built: World, own_home: Path) -> Iterator[World]:
    """The home folder as it was before a walk, on a day on which time stands still."""
    with pytest.MonkeyPatch.context() as patch:
        built.begin(patch, walk.past)
        # Looking for garbage takes a fifth of the time of a walk, and finds little.
        gc.disable()
        yield built
        gc.enable()
    time.tzset()


@pytest.fixture
def accepting(request: pytest.FixtureRequest) -> bool:
    """Whether the pictures are being taken anew."""
    return bool(request.config.option.update_snapshots)


@pytest.mark.parametrize(
    ("walk", "size"),
    [
        pytest.param(walk, size, id=f"{walk.name}-{size[0]}x{size[1]}")
        for walk in WALKS
        for size in walk.sizes
        if size == _SMALLER or os.environ.get("EVALFORGE_PICTURES") == "all"
    ],
)
async def test_a_player_sees_what_was_seen_before(
    walk: Walk,
    size: Size,
    world: World,
    tmp_path: Path,
    snapshot: "SnapshotAssertion",
) -> None:
    world.theme = THEMES[0]
    camera = Camera(snapshot, size, THEMES, tmp_path)
    await walk.go(world, camera)
    assert tuple(camera.taken) == walk.scenes
    if camera.changed:
        told = "\n\n".join(camera.changed)
        pytest.fail(f"{told}\n\nIf this is meant to be so, accept it with: make pictures", pytrace=False)


def test_every_stored_picture_is_of_a_scene(accepting: bool) -> None:
    wanted = {
        picture_name(scene, size, theme)
        for walk in WALKS
        for scene in walk.scenes
        for size in walk.sizes
        for theme in THEMES
    }
    left = [path for path in PICTURES.glob("*.svg") if path.stem not in wanted]
    if accepting:
        for path in left:
            path.unlink()
    assert accepting or not left, f"no scene is called so; make pictures removes them: {left}"


def test_every_screen_is_pictured(accepting: bool) -> None:
    if accepting:
        pytest.skip("the pictures are being taken")
    for module in pkgutil.walk_packages(game.__path__, f"{game.__name__}."):
        importlib.import_module(module.name)
    titles = (re.search(r"  (\w+)</text>", path.read_text("utf-8")) for path in PICTURES.glob("*.svg"))
    pictured = {title[1] for title in titles if title}
    assert not {screen.__name__ for screen in _leaves(Screen) if _is_ours(screen)} - pictured


def _leaves(kind: type) -> set[type]:
    """The classes below this one that have none below them."""
    return {leaf for child in kind.__subclasses__() for leaf in _leaves(child) or {child}}


def _is_ours(kind: type) -> bool:
    return kind.__module__.startswith(f"{game.__name__}.")
