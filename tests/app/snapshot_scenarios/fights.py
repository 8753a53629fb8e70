"""Scenes of a fight: while it is judged, how it ends, and the evidence behind it."""

from evalforge.app.core.navigation import StartRequest
from evalforge.app.fight.evidence_screen import EvidenceScreen
from evalforge.app.fight.screen import FightScreen
from evalforge.app.home.boss_page import BossScreen
from evalforge.app.screens.directory_dialog import DirectoryPickerScreen
from evalforge.model.events import ImpostorMet
from tests.app import start_request
from tests.app.harness import phase, shown, until
from tests.app.snapshot_scenarios.camera import Camera
from tests.app.snapshot_scenarios.engine import RecordedEngine, measured
from tests.app.snapshot_scenarios.walks import walk
from tests.app.snapshot_scenarios.world import DUMMY, FURNACE, WRAITH, World
from tests.app.test_screens import on

_SIZES_OF_MASKS = (80, 24), (140, 45)


def fight(world: World, folder: str, boss: str = FURNACE) -> StartRequest:
    """A game that begins with a fight."""
    return start_request.fight(boss, str(world.home / folder))


@walk("fight-judging", "fight-stopped")
async def fight_judging(world: World, camera: Camera) -> None:
    app = world.game(fight(world, "furnace"), RecordedEngine((1, 31)))
    async with app.run_test(size=camera.size) as pilot:
        await until(pilot, lambda: "29/" in shown(app), "half of the trials")
        await camera.take(pilot, "fight-judging")
        await pilot.press("escape")
        await until(pilot, lambda: "stopped" in shown(app), "the end")
        await camera.take(pilot, "fight-stopped")


@walk("fight-victory", "fight-criterion", "fight-trials", "fight-practice")
async def fight_victory(world: World, camera: Camera) -> None:
    app = world.game(fight(world, "furnace"))
    async with app.run_test(size=camera.size) as pilot:
        await until(pilot, lambda: phase(app) == "DONE", "the verdict")
        await camera.take(pilot, "fight-victory")
        await pilot.press("down", "down", "down")
        await camera.take(pilot, "fight-criterion")
        await pilot.press("escape", "l")
        await camera.take(pilot, "fight-trials")
        await pilot.press("v", "w")
        screen = app.screen
        assert isinstance(screen, FightScreen)
        screen.begin(practice=True)
        await until(pilot, lambda: phase(app) == "DONE" and "not saved" in shown(app), "judged again")
        await camera.take(pilot, "fight-practice")


@walk("fight-flawless")
async def fight_flawless(world: World, camera: Camera) -> None:
    app = world.game(fight(world, "class/alder", DUMMY))
    async with app.run_test(size=camera.size) as pilot:
        await until(pilot, lambda: phase(app) == "DONE", "the verdict")
        await camera.take(pilot, "fight-flawless")


@walk("fight-defeat", "evidence-code", "evidence-trials", "evidence-next-level", "evidence-hint")
async def fight_defeat(world: World, camera: Camera) -> None:
    app = world.game(fight(world, "drafts/furnace"))
    async with app.run_test(size=camera.size) as pilot:
        await until(pilot, lambda: phase(app) == "DONE" and "Do next" in shown(app), "the verdict")
        await camera.take(pilot, "fight-defeat")
        await pilot.press("down", "down", "down", "enter")
        await until(pilot, lambda: on(pilot, EvidenceScreen), "the evidence")
        for key, side in enumerate(("code", "trials", "next-level"), start=1):
            await pilot.press(str(key))
            await camera.take(pilot, f"evidence-{side}")
        await pilot.press("h", "h")
        await camera.take(pilot, "evidence-hint")


@walk("fight-impostors-come", sizes=_SIZES_OF_MASKS)
async def fight_impostors_come(world: World, camera: Camera) -> None:
    events = measured(WRAITH, "late-burial")
    last_met = max(count for count, event in enumerate(events) if isinstance(event, ImpostorMet))
    app = world.game(fight(world, "drafts/wraith", WRAITH), RecordedEngine((1, last_met + 2)))
    async with app.run_test(size=camera.size) as pilot:
        await until(pilot, lambda: "61 to catch" in shown(app), "the impostors")
        await camera.take(pilot, "fight-impostors-come")


@walk("fight-impostors", "evidence-impostors", "evidence-test", sizes=_SIZES_OF_MASKS)
async def fight_impostors(world: World, camera: Camera) -> None:
    app = world.game(fight(world, "drafts/wraith", WRAITH))
    async with app.run_test(size=camera.size) as pilot:
        await until(pilot, lambda: phase(app) == "DONE", "the verdict")
        await pilot.press("l")
        await until(pilot, lambda: " of 61" in shown(app), "the masks")
        await camera.take(pilot, "fight-impostors")
        await pilot.press("up", "enter")
        await until(pilot, lambda: on(pilot, EvidenceScreen), "the evidence")
        await pilot.press("5")
        await camera.take(pilot, "evidence-impostors")
        await pilot.press("end", "enter")
        await camera.take(pilot, "evidence-test")


@walk("impostors-folder", "impostors", sizes=_SIZES_OF_MASKS)
async def practice(world: World, camera: Camera) -> None:
    app = world.game(start_request.boss_page(WRAITH))
    async with app.run_test(size=camera.size) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the boss's page")
        await pilot.press("i")
        await until(pilot, lambda: on(pilot, DirectoryPickerScreen), "the folders")
        await camera.take(pilot, "impostors-folder")
        app.screen.dismiss(world.home / "drafts" / "wraith")
        await until(pilot, lambda: "10 tests met them" in shown(app), "the masks")
        await camera.take(pilot, "impostors")


@walk("fight-ungraded")
async def fight_ungraded(world: World, camera: Camera) -> None:
    app = world.game(fight(world, "furnace"), RecordedEngine((1, 12), breaks=True))
    async with app.run_test(size=camera.size) as pilot:
        await until(pilot, lambda: phase(app) == "DONE" and "ungraded" in shown(app), "no verdict")
        await camera.take(pilot, "fight-ungraded")
