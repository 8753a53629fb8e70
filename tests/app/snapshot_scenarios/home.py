"""Scenes before a fight: the first start, the roster, a boss's page, the arena."""

from pathlib import Path

from evalforge.app.fight.arena import ArenaScreen
from evalforge.app.home.boss_page import BossScreen
from evalforge.app.screens.directory_dialog import DirectoryPickerScreen
from evalforge.app.ui.widgets.path_input import PathInput
from tests.app import start_request
from tests.app.harness import shown, until
from tests.app.snapshot_scenarios.camera import Camera
from tests.app.snapshot_scenarios.walks import walk
from tests.app.snapshot_scenarios.world import FURNACE, World
from tests.app.test_screens import on


@walk("welcome", "roster-new", past="none")
async def first_start(world: World, camera: Camera) -> None:
    async with world.game().run_test(size=camera.size) as pilot:
        await until(pilot, lambda: "two-minute tour" in shown(pilot.app), "the welcome")
        await camera.take(pilot, "welcome")
        await pilot.press("escape")
        await until(pilot, lambda: "0 of 12 defeated" in shown(pilot.app), "the roster")
        await camera.take(pilot, "roster-new")


@walk("roster", "teaching-menu", "palette", "palette-search", "help", "roster-search", "roster-nothing")
async def roster(world: World, camera: Camera) -> None:
    async with world.game().run_test(size=camera.size) as pilot:
        await until(pilot, lambda: "continues with" in shown(pilot.app), "the roster")
        await camera.take(pilot, "roster")
        await pilot.press("T")
        await until(pilot, lambda: "Teaching:" in shown(pilot.app), "the teacher's menu")
        await camera.take(pilot, "teaching-menu")
        await pilot.press("escape")
        await pilot.press("ctrl+p")
        await until(pilot, lambda: "here, ⏎" in shown(pilot.app), "the palette")
        await camera.take(pilot, "palette")
        await pilot.press(*"furn")
        await until(pilot, lambda: "Attempts" not in shown(pilot.app), "what matches")
        await camera.take(pilot, "palette-search")
        await pilot.press("escape", "question_mark")
        await until(pilot, lambda: "esc closes" in shown(pilot.app), "the help")
        await camera.take(pilot, "help")
        await pilot.press("escape", "slash", *"titan")
        await until(pilot, lambda: "Flaky Oracle" not in shown(pilot.app), "one of them")
        await camera.take(pilot, "roster-search")
        await pilot.press(*"xy")
        await until(pilot, lambda: "No boss matches." in shown(pilot.app), "none of them")
        await camera.take(pilot, "roster-nothing")


@walk("settings", "settings-editor")
async def settings(world: World, camera: Camera) -> None:
    async with world.game().run_test(size=camera.size) as pilot:
        await until(pilot, lambda: "continues with" in shown(pilot.app), "the roster")
        await pilot.press("comma", "down")
        await until(pilot, lambda: "daylight on paper" in shown(pilot.app), "the themes")
        await camera.take(pilot, "settings")
        await pilot.press("up", "end", "up", "enter")
        await until(pilot, lambda: "keep" in shown(pilot.app), "the question")
        await camera.take(pilot, "settings-editor")


@walk("roster-broken", "roster-empty")
async def broken_packs(world: World, camera: Camera) -> None:
    pack = Path("my-bosses") / "anvil-mimic"
    pack.mkdir(parents=True, exist_ok=True)
    (pack / "boss.yaml").write_text("boss_id: anvil-mimic\ntitle: [Anvil Mimic\n", "utf-8")
    async with world.game(bosses=(pack.parent,)).run_test(size=camera.size) as pilot:
        await until(pilot, lambda: "This pack is broken." in shown(pilot.app), "why")
        await camera.take(pilot, "roster-broken")
    async with world.game(bosses=(Path("drafts"),)).run_test(size=camera.size) as pilot:
        await until(pilot, lambda: "No bosses here." in shown(pilot.app), "nobody")
        await camera.take(pilot, "roster-empty")


@walk("too-small", sizes=((50, 15),))
async def too_small(world: World, camera: Camera) -> None:
    async with world.game().run_test(size=camera.size) as pilot:
        await until(pilot, lambda: "Too small" in shown(pilot.app), "the cover")
        await camera.take(pilot, "too-small")


@walk("boss-briefing", "boss-codex", "boss-rubric", "boss-trials", "boss-attempts")
async def boss_page(world: World, camera: Camera) -> None:
    async with world.game(start_request.boss_page(FURNACE)).run_test(size=camera.size) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the page")
        sides = (("briefing", "contract"), ("codex", "Lore"), ("rubric", "Pass at"), ("trials", "trials in"))
        for key, (side, words) in enumerate((*sides, ("attempts", "#3")), start=1):
            await pilot.press(str(key))
            await until(pilot, lambda words=words: words in shown(pilot.app), words)
            await camera.take(pilot, f"boss-{side}")


@walk("arena-first", "arena", "arena-refused", "picker")
async def arena(world: World, camera: Camera) -> None:
    async with world.game(start_request.boss_page(FURNACE)).run_test(size=camera.size) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the page")
        await pilot.press("f")
        await until(pilot, lambda: on(pilot, ArenaScreen) and "full sandbox" in shown(pilot.app), "the arena")
        folder = pilot.app.screen.query_one(PathInput)
        for scene, path, words in (
            ("arena-first", "", "First time here?"),
            ("arena", "~/drafts/furnace", "readings.bin"),
            ("arena-refused", "drafts/nothing-here", "Not yet"),
        ):
            folder.value = path
            folder.action_end()
            await until(pilot, lambda words=words: words in shown(pilot.app), words)
            await camera.take(pilot, scene)
        await pilot.press("ctrl+o")
        await until(pilot, lambda: on(pilot, DirectoryPickerScreen) and "furnace" in shown(pilot.app), "the folders")
        await camera.take(pilot, "picker")
