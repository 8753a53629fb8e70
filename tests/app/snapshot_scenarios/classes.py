"""Scenes of a class: while it is judged, every side of it, and what lies over it."""

from evalforge.app.classroom.class_list import ClassesScreen
from evalforge.app.classroom.dialogs import CommentScreen, OverrideScreen
from evalforge.app.classroom.screen import VIEWS, ClassExportScreen, ClassScreen
from evalforge.app.core.navigation import StartRequest
from evalforge.classroom.class_run import ClassOptions
from tests.app import start_request
from tests.app.harness import shown, until
from tests.app.snapshot_scenarios.camera import Camera
from tests.app.snapshot_scenarios.engine import RecordedEngines
from tests.app.snapshot_scenarios.walks import walk
from tests.app.snapshot_scenarios.world import DUMMY, World
from tests.app.test_class_screen import on, says


def on_class(world: World, *stop_at: int) -> StartRequest:
    """A game that begins with the class; perhaps it is never done with a hand-in."""
    fight, events = stop_at or (0, 0)
    # Every fight counts, also one over files that were run before.
    options = ClassOptions(engines=RecordedEngines((fight, events)), again=bool(stop_at))
    return start_request.class_judging(DUMMY, world.home / "class", options)


@walk("class-judging", "class-stopped", past="none")
async def class_judging(world: World, camera: Camera) -> None:
    app = world.game(on_class(world, 6, 17))
    async with app.run_test(size=camera.size) as pilot:
        await until(pilot, lambda: on(pilot, ClassScreen) and says(pilot, "6 of 13"), "five are judged, one is no use")
        screen = app.screen
        assert isinstance(screen, ClassScreen)
        # Lists under judging are drawn anew only now and then.
        screen.show_all()
        await camera.take(pilot, "class-judging")
        await pilot.press("2", "escape")
        await until(pilot, lambda: says(pilot, "r continues"), "it is stopped")
        await camera.take(pilot, "class-stopped")


@walk(
    *(f"class-{side}" for side in VIEWS),
    "class-search",
    "class-override",
    "class-comment",
    "class-export",
    past="teacher",
)
async def class_sides(world: World, camera: Camera) -> None:
    app = world.game(on_class(world))
    async with app.run_test(size=camera.size) as pilot:
        await until(pilot, lambda: on(pilot, ClassScreen) and says(pilot, "nothing had changed"), "the class is read")
        for key, side in enumerate(VIEWS, start=1):
            await pilot.press(str(key))
            await camera.take(pilot, f"class-{side}")
        await pilot.press("2", "s", "slash", *"be")
        await camera.take(pilot, "class-search")
        await pilot.press("escape", "home", "e")
        await until(pilot, lambda: on(pilot, OverrideScreen), "the levels")
        await pilot.press("right")
        await camera.take(pilot, "class-override")
        await pilot.press("escape", "c")
        await until(pilot, lambda: on(pilot, CommentScreen), "the line to write in")
        await camera.take(pilot, "class-comment")
        await pilot.press("escape", "x")
        await until(pilot, lambda: on(pilot, ClassExportScreen), "the forms")
        await camera.take(pilot, "class-export")


@walk("classes", "classes-of-boss", past="teacher")
async def classes(world: World, camera: Camera) -> None:
    app = world.game(start_request.boss_page(DUMMY))
    async with app.run_test(size=camera.size) as pilot:
        await until(pilot, lambda: "contract" in shown(app), "the boss")
        for pack, scene in ((None, "classes"), (app.session.require_boss(DUMMY), "classes-of-boss")):
            app.navigator.open_classes(pack)
            await until(pilot, lambda: on(pilot, ClassesScreen) and says(pilot, "13 rows"), "the past class")
            await camera.take(pilot, scene)
            await pilot.press("escape")
