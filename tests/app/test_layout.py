"""A screen is laid out for its terminal before it is seen, and nothing moves without need afterwards."""

from pathlib import Path
from typing import Any

import pytest
from textual.content import Content
from textual.screen import Screen

from evalforge.app.app import EvalForge
from evalforge.app.core.navigation import StartRequest
from evalforge.app.fight.stage.stage import SidePanel, Stage
from evalforge.app.ui.widgets.text_panel import Panel, Prose
from evalforge.model import events as ev
from tests.app import start_request
from tests.app.harness import Teller, services, shown, story, until, write_pack, write_solution
from tests.app.test_screens import remember

Frame = tuple[type[Screen[Any]], dict[str, Any]]


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    write_pack(tmp_path / "bosses", "golem", "Stone Golem")
    write_solution(tmp_path / "mine", "main.py")
    remember(tmp_path, "golem", (1, 0, 0), (2, 1, 0))
    return tmp_path


@pytest.fixture
def frames(monkeypatch) -> list[Frame]:
    """Everything that is painted: on which screen, and where its parts lie."""
    seen: list[Frame] = []
    display = EvalForge._display

    def see(app, screen, painted):
        lain = {widget.id: place.region for widget, place in screen._compositor.full_map.items() if widget.id}
        seen.append((type(screen), lain | {"classes": frozenset(screen.classes)}))
        display(app, screen, painted)

    monkeypatch.setattr(EvalForge, "_display", see)
    return seen


def game(yard: Path, opening: StartRequest | None = None, levels: tuple[int, ...] = (2, 1, 0)) -> EvalForge:
    return EvalForge(services(yard, Teller(lambda pack: story(pack, levels)), opening))


@pytest.mark.parametrize("size", [(80, 24), (140, 45), (160, 50)])
@pytest.mark.parametrize("keys", ["c", "a", "P", "b", "ad", "ap", ("a", "enter"), ("a", "enter", "down", "enter")])
async def test_a_screen_is_first_seen_as_it_stays(yard, frames, size, keys):
    app = game(yard)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: "wounded" in shown(app), "history")
        for key in keys:
            frames.clear()
            await pilot.press(key)
            await until(pilot, lambda: "? help" in shown(app).splitlines()[-1], "the next screen")
        await pilot.pause(0.2)
        seen = [lain for screen, lain in frames if screen is type(app.screen)]
        assert seen[0] == seen[-1]


async def test_a_fight_begins_with_the_whole_boss(yard, frames):
    app = game(yard, start_request.fight("golem", str(yard / "mine")))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Do next" in shown(app), "the verdict")
        scenes = {lain["scene"] for _, lain in frames if "scene" in lain}
        assert {scene.height for scene in scenes} == {13}


async def test_words_keep_their_lines_when_a_scrollbar_comes(yard):
    words = Content("one two three four five six seven eight nine ten " * 4)
    app = game(yard, start_request.fight("golem", str(yard / "mine")))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Do next" in shown(app), "the verdict")
        panel = app.screen.query_one("#story", Panel)
        widths = []
        for lines in (1, 40):
            app.screen.query_one(SidePanel).read(Content("\n").join([words] * lines))
            await pilot.pause()
            widths.append((panel.show_vertical_scrollbar, panel.query_one(Prose).size.width))
        assert [scrolls for scrolls, _ in widths] == [False, True]
        assert widths[0][1] == widths[1][1]


async def test_a_terminal_that_is_too_small_shows_nothing_but_that(yard):
    app = game(yard)
    async with app.run_test(size=(50, 15)) as pilot:
        await until(pilot, lambda: "Too small" in shown(app), "it is said")
        assert not app.screen.show_vertical_scrollbar
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "Stone Golem" in shown(app), "the roster")


@pytest.mark.parametrize("columns", range(80, 100, 3))
async def test_help_that_fits_does_not_scroll(yard, columns):
    app = game(yard)
    async with app.run_test(size=(columns, 50)) as pilot:
        await until(pilot, lambda: "Stone Golem" in shown(app), "the roster")
        await pilot.press("question_mark")
        await until(pilot, lambda: "esc closes" in shown(app), "the help")
        assert not app.screen.query_one(Panel).show_vertical_scrollbar


@pytest.mark.parametrize(("size", "words"), [((120, 40), 30), ((200, 60), 150)])
async def test_a_verdict_is_shown_whole_where_there_is_room(yard, size, words):
    advice = " ".join(f"word{count}" for count in range(words))

    def tell(pack):
        told = story(pack, (2, 1, 0))
        return [
            event.model_copy(update={"result": event.result.model_copy(update={"improvements": (advice, advice)})})
            if isinstance(event, ev.Judged)
            else event
            for event in told
        ]

    app = EvalForge(services(yard, Teller(tell), start_request.fight("golem", str(yard / "mine"))))
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: "Do next" in shown(app), "the verdict")
        await pilot.pause()
        assert not app.screen.query_one("#verdict-next", Panel).show_vertical_scrollbar
        stage = app.screen.query_one(Stage)
        assert stage.board.virtual_size.height <= stage.board.size.height
        scene = stage.query_one("#scene").region
        await pilot.press("down", "up", "v", "l")
        assert stage.query_one("#scene").region == scene
