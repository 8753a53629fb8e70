"""Scenes of what was: attempts, one of them, two of them, a replay, progress, and all bosses again."""

from evalforge.app.attempts.attempt_export import ExportScreen
from evalforge.app.attempts.attempt_list import AttemptsScreen
from evalforge.app.attempts.comparison_screen import ComparisonScreen
from evalforge.app.attempts.detail import AttemptScreen
from evalforge.app.attempts.replay_screen import ReplayScreen
from evalforge.app.home.progress_screen import ProgressScreen
from evalforge.app.screens.confirm import ConfirmScreen
from tests.app.harness import shown, until
from tests.app.snapshot_scenarios.camera import Camera
from tests.app.snapshot_scenarios.walks import walk
from tests.app.snapshot_scenarios.world import World
from tests.app.test_screens import on


@walk("attempts-none", "progress-none", past="none")
async def no_past(world: World, camera: Camera) -> None:
    world.state.mkdir()
    (world.state / "welcomed").touch()
    app = world.game()
    async with app.run_test(size=camera.size) as pilot:
        await until(pilot, lambda: "0 of 12" in shown(app), "the roster")
        await pilot.press("a")
        await until(pilot, lambda: on(pilot, AttemptsScreen), "the attempts")
        await camera.take(pilot, "attempts-none")
        await pilot.press("escape", "P")
        await until(pilot, lambda: on(pilot, ProgressScreen), "the progress")
        await camera.take(pilot, "progress-none")


@walk("attempts", "attempts-search", "confirm-delete", "export", "comparison", "replay", "attempt", "attempt-files")
async def attempts(world: World, camera: Camera) -> None:
    app = world.game()
    async with app.run_test(size=camera.size) as pilot:
        await until(pilot, lambda: "continues with" in shown(app), "the roster")
        await pilot.press("a")
        await until(pilot, lambda: on(pilot, AttemptsScreen) and "6 attempts" in shown(app), "the attempts")
        await camera.take(pilot, "attempts")
        await pilot.press("slash", *"furn")
        await until(pilot, lambda: "3 attempts" in shown(app), "some of them")
        await camera.take(pilot, "attempts-search")
        await pilot.press("enter", "m")
        for key, scene, screen in (
            ("delete", "confirm-delete", ConfirmScreen),
            ("x", "export", ExportScreen),
            ("d", "comparison", ComparisonScreen),
            ("p", "replay", ReplayScreen),
            ("enter", "attempt", AttemptScreen),
        ):
            await pilot.press(key)
            await until(pilot, lambda screen=screen: on(pilot, screen), scene)
            await camera.take(pilot, scene)
            await pilot.press(*["escape"] * (scene != "attempt"))
        await pilot.press("F")
        await camera.take(pilot, "attempt-files")


@walk("progress")
async def progress(world: World, camera: Camera) -> None:
    app = world.game()
    async with app.run_test(size=camera.size) as pilot:
        await until(pilot, lambda: "continues with" in shown(app), "the roster")
        await pilot.press("P")
        await until(pilot, lambda: on(pilot, ProgressScreen), "the progress")
        await camera.take(pilot, "progress")
