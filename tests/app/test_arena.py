"""The arena: what is struck with is what is named and what lies there now, however fast one types."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.drivers.headless_driver import HeadlessDriver
from textual.events import Key, Paste

from evalforge.app.app import EvalForge
from evalforge.app.fight.arena import ArenaScreen
from evalforge.app.fight.screen import FightScreen
from evalforge.app.home.boss_page import BossScreen
from evalforge.app.home.welcome import WelcomeScreen
from evalforge.app.ui.widgets.path_input import PathInput
from tests.app import start_request
from tests.app.harness import Teller, phase, services, shown, story, until, write_pack, write_solution
from tests.app.test_screens import on, remember, to_arena


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    write_pack(tmp_path / "bosses", "golem", "Stone Golem")
    write_solution(tmp_path / "mine", "main.py")
    return tmp_path


@pytest.fixture
def teller() -> Teller:
    return Teller(lambda pack: story(pack, (2, 1, 0)))


def game(yard: Path, teller: Teller, **more: Any) -> EvalForge:
    return EvalForge(services(yard, teller, start_request.boss_page("golem"), **more))


KEY_NAMES = {"/": "slash", "-": "minus", "~": "tilde"}
"""How Textual calls the keys that aren't letters."""


def burst(app: App[Any], text: str) -> None:
    """Letters and an enter that arrive at once, as from a paste or a fast hand."""
    for letter in text:
        app.post_message(Key(KEY_NAMES.get(letter, letter), letter))
    app.post_message(Key("enter", "\r"))


async def test_enter_never_overtakes_the_letters_before_it(yard, teller):
    write_solution(yard / "mine-too", "main.py")
    app = game(yard, teller)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_arena(pilot, str(yard / "mine"))
        await until(pilot, lambda: "Will be judged" in shown(app), "the files of another folder")
        app.screen.query_one(PathInput).action_end()
        burst(app, "-too")
        await until(pilot, lambda: on(pilot, FightScreen) and phase(app) == "DONE", "the fight")
    assert [folder for folder, _ in teller.handed_in] == [yard / "mine-too"]


@pytest.mark.parametrize("pasted", ["'{}'", "file://{}"])
async def test_a_pasted_path_is_judged_without_its_quoting(yard, teller, pasted):
    write_solution(yard / "my code", "main.py")
    app = game(yard, teller)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_arena(pilot, "")
        app.screen.query_one(PathInput).value = ""
        app.post_message(Paste(pasted.format(yard / "my code")))
        await until(pilot, lambda: "Will be judged" in shown(app), "its files")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, FightScreen) and phase(app) == "DONE", "the fight")
    assert [folder for folder, _ in teller.handed_in] == [yard / "my code"]


async def test_a_folder_is_refused_even_when_enter_comes_at_once(yard, teller, monkeypatch):
    app = game(yard, teller)
    messages, notify = [], app.notify
    monkeypatch.setattr(app, "notify", lambda message, **more: messages.append(message) or notify(message, **more))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await to_arena(pilot, str(yard / "mine"))
        await until(pilot, lambda: "Will be judged" in shown(app), "the files of another folder")
        app.screen.query_one(PathInput).action_end()
        burst(app, "/not-here")
        said = "mine/not-here does not exist"
        await until(pilot, lambda: any(said in message for message in messages), "the reason")
        assert on(pilot, ArenaScreen)
    assert not teller.fights


@pytest.mark.parametrize("key", ["enter", "f3"])
async def test_files_that_are_gone_by_now_are_not_struck_with(yard, teller, key):
    app = game(yard, teller)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_arena(pilot, str(yard / "mine"))
        await until(pilot, lambda: "Will be judged" in shown(app), "the files")
        shutil.rmtree(yard / "mine")
        await pilot.press(key)
        await until(pilot, lambda: "Not yet" in shown(app), "the reason")
        assert on(pilot, ArenaScreen)
    assert not teller.fights


@pytest.mark.parametrize("steps", [0, 1, 2, 3])
async def test_enter_strikes_from_wherever_the_focus_is_and_says_so(yard, teller, steps):
    app = game(yard, teller)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_arena(pilot, str(yard / "mine"))
        await until(pilot, lambda: "Will be judged" in shown(app), "the files")
        for _ in range(steps):
            app.screen.focus_next()
        await until(pilot, lambda: "⏎ strike" in shown(app).splitlines()[-1], "what enter does")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, FightScreen), "the fight")
    assert teller.fights == 1


async def test_the_home_of_nobody_is_refused_in_words(yard, teller):
    app = game(yard, teller)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await to_arena(pilot, "")
        burst(app, "~nobody-at-all/")
        await until(pilot, lambda: "Not yet" in shown(app), "the refusal")
        assert on(pilot, ArenaScreen)
        assert teller.fights == 0


async def test_the_welcome_makes_the_folder_that_was_typed_to_its_end(yard, teller):
    write_pack(yard / "bosses", "training-dummy", "Training Dummy")
    app = EvalForge(services(yard, teller))
    (yard / "welcomed").unlink()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: on(pilot, WelcomeScreen) and "⏎ make the folder" in shown(app), "the welcome")
        app.screen.query_one(PathInput).action_end()
        burst(app, "-of-mine")
        await until(pilot, lambda: on(pilot, ArenaScreen), "the arena")
    assert (yard / "workshop" / "training-dummy-of-mine" / "main.py").is_file()
    assert not (yard / "workshop" / "training-dummy").exists()


async def test_back_from_a_fight_files_and_folders_are_current(yard, teller):
    app = game(yard, teller)
    async with app.run_test(size=(160, 40)) as pilot:
        await to_arena(pilot, str(yard / "mine"))
        await until(pilot, lambda: "1 file," in shown(app), "the files")
        assert "recent" not in shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, FightScreen) and phase(app) == "DONE", "the fight")
        remember(yard, "golem", (2, 1, 0))
        write_solution(yard / "mine", "helper.py")
        await pilot.press("escape", "enter")
        await until(pilot, lambda: "2 files," in shown(app) and "helper.py" in shown(app), "the files of now")
        await until(pilot, lambda: "↑↓ recent" in shown(app).splitlines()[-1], "it can be chosen again")


async def test_a_starter_goes_into_the_empty_folder_that_is_named(yard, teller):
    write_solution(yard / "workshop" / "golem", "earlier.py")
    (yard / "empty").mkdir()
    app = game(yard, teller)
    async with app.run_test(size=(160, 40)) as pilot:
        await to_arena(pilot, str(yard / "empty"))
        await until(pilot, lambda: "Not yet" in shown(app), "there is nothing in it")
        assert "ctrl+n for a starter folder" in shown(app)
        assert "evalforge new" not in shown(app)
        await pilot.press("ctrl+n")
        await until(pilot, lambda: "Will be judged" in shown(app), "its files")
        assert app.screen.query_one(PathInput).value == str(yard / "empty")
        await pilot.press("escape", "enter")
        await until(pilot, lambda: "↑↓ recent" in shown(app).splitlines()[-1], "it is offered before it fought")
        await pilot.press("up")
        assert app.screen.query_one(PathInput).value == str(yard / "empty")
    assert (yard / "empty" / "main.py").is_file()
    assert [path.name for path in (yard / "workshop" / "golem").iterdir()] == ["earlier.py"]


async def test_the_starter_made_before_is_opened_untouched(yard, teller):
    write_solution(yard / "workshop" / "golem", "earlier.py")
    app = game(yard, teller)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the page")
        await pilot.press("ctrl+n")
        await until(pilot, lambda: on(pilot, ArenaScreen) and "Opened" in shown(app), "the arena, and why")
        assert app.screen.query_one(PathInput).value == str(yard / "workshop" / "golem")


# The way in


async def test_a_starter_says_where_to_begin_and_e_opens_it_there(yard, teller, monkeypatch, tmp_path):
    starter = yard / "bosses" / "golem" / "starter"
    (starter / "main.py").write_text("import sys\n\n# EDIT 1: say hello\nprint(1)\n", "utf-8")
    (starter / "README.md").write_text("# Golem\n\nMend one line.\n", "utf-8")
    opened = tmp_path / "opened"
    editor = tmp_path / "vi"
    editor.write_text(f'#!/bin/sh\necho "$@" > {opened}\n', "utf-8")
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    app = EvalForge(services(yard, teller, start_request.boss_page("golem")))
    async with app.run_test(size=(120, 40)) as pilot:
        monkeypatch.setattr(HeadlessDriver, "can_suspend", True)
        await until(pilot, lambda: isinstance(app.screen, BossScreen), "the page")
        await pilot.press("ctrl+n")
        await until(pilot, lambda: "Mend one line." in shown(app), "the first step")
        assert "Begin here  README.md" in shown(app)
        await until(pilot, lambda: "e edit" in shown(app).splitlines()[-1], "the key for it")
        await pilot.press("e")
        await until(pilot, opened.exists, "the editor")
        assert opened.read_text("utf-8").split() == ["+3", str(yard / "workshop" / "golem" / "main.py")]
        (yard / "workshop" / "golem" / "main.py").write_text("print(2)\n", "utf-8")
        await pilot.press("e")
        await until(pilot, lambda: "Begin here" not in shown(app), "it is the player's own now")
