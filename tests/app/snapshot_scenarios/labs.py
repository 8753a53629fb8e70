"""Scenes of the rubric lab: its texts, what moved, what is wrong, the judges side by side, calibration."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from evalforge.app import start_request
from evalforge.app.home.boss_page import BossScreen
from evalforge.app.lab.attempt_picker import AttemptPickerScreen
from evalforge.app.lab.calibration import TABS, CalibrationScreen
from evalforge.app.lab.judge_comparison import JudgeComparisonScreen
from evalforge.app.lab.screen import LabScreen
from evalforge.app.screens.confirm import ConfirmScreen
from evalforge.lab.draft import DraftPart
from tests.app.harness import shown, until
from tests.app.snapshot_scenarios.camera import Camera
from tests.app.snapshot_scenarios.walks import walk
from tests.app.snapshot_scenarios.world import FURNACE, World
from tests.app.test_lab import on, rewrite, scored

_RULE = ('- fact: trials.bad_input\n        check: ">= 0.6"', '- fact: trials.bad_input\n        check: ">= 0.9"')
_LINE = ("pass_threshold: 6", "pass_threshold: 4")
_WRONG = (_RULE[1], _RULE[1].replace(">=", "=>"))


async def looked_at(pilot: Pilot[None], changes: int) -> None:
    """A text is looked at when that is asked for, and once more a moment after the last key."""
    screen = pilot.app.screen
    assert isinstance(screen, LabScreen)
    await until(
        pilot,
        lambda: bool(screen.score_changes and len(screen.score_changes.revision.changes) == changes),
        "what moved",
    )
    later = screen._editors._pause
    await until(pilot, lambda: later is None or later._task is None or later._task.done(), "the second look")
    await until(pilot, lambda: not [w for w in pilot.app.workers if w.group == "check" and w.is_running], "at rest")


@walk("lab", "lab-moved", "lab-save", "lab-tries", "lab-judges", "lab-wrong")
async def lab(world: World, camera: Camera) -> None:
    app = world.game(start_request.lab(FURNACE))
    async with app.run_test(size=camera.size) as pilot:
        lab_screen = await scored(pilot)
        await camera.take(pilot, "lab")
        await rewrite(pilot, DraftPart.EVIDENCE, *_RULE)
        await rewrite(pilot, DraftPart.RUBRIC, *_LINE)
        await looked_at(pilot, changes=2)
        await pilot.press("escape")
        await camera.take(pilot, "lab-moved")
        for key, scene, screen in (
            ("s", "lab-save", ConfirmScreen),
            ("a", "lab-tries", AttemptPickerScreen),
            ("v", "lab-judges", JudgeComparisonScreen),
        ):
            await pilot.press(key)
            await until(pilot, lambda screen=screen: on(pilot, screen), scene)
            await until(pilot, lambda: "measuring" not in shown(app), "everything is there")
            await camera.take(pilot, scene)
            await pilot.press("escape")
        await pilot.press("2")
        await rewrite(pilot, DraftPart.EVIDENCE, *_WRONG)
        await until(pilot, lambda: bool(lab_screen._draft_check and not lab_screen._draft_check.pack), "what is wrong")
        await looked_at(pilot, changes=2)
        await camera.take(pilot, "lab-wrong")


@walk("calibration", sizes=((120, 40),))
async def calibration(world: World, camera: Camera) -> None:
    async with calibrated(world, camera) as pilot:
        await camera.take(pilot, "calibration")


@walk(*(f"calibration-{tab}" for tab in TABS), sizes=((80, 24),))
async def calibration_sides(world: World, camera: Camera) -> None:
    async with calibrated(world, camera) as pilot:
        for key, tab in enumerate(TABS, start=1):
            await pilot.press(str(key))
            await camera.take(pilot, f"calibration-{tab}")


@asynccontextmanager
async def calibrated(world: World, camera: Camera) -> AsyncGenerator[Pilot[None]]:
    """The forge by a changed rule against gold, all intervals drawn."""
    app = world.game(start_request.lab(FURNACE))
    async with app.run_test(size=camera.size) as pilot:
        await scored(pilot)
        await rewrite(pilot, DraftPart.EVIDENCE, *_RULE)
        await looked_at(pilot, changes=1)
        await pilot.press("escape", "c")
        await until(pilot, lambda: on(pilot, CalibrationScreen), "the pictures")
        await until(pilot, lambda: not [w for w in app.workers if w.group == "figures" and w.is_running], "drawn")
        yield pilot


@walk("duel")
async def duel(world: World, camera: Camera) -> None:
    app = world.game(start_request.boss_page(FURNACE))
    async with app.run_test(size=camera.size) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the page")
        await pilot.press("J")
        await until(
            pilot, lambda: on(pilot, JudgeComparisonScreen) and "could not judge" in shown(app), "one judge is missing"
        )
        await camera.take(pilot, "duel")
