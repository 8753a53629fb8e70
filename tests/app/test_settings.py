"""The settings: seen at once, kept in config.toml with the player's own lines, and the editor asked for once."""

import sys
from argparse import Namespace
from pathlib import Path

import pytest
from textual.drivers.headless_driver import HeadlessDriver
from textual.widgets import Input

from evalforge.app.app import EvalForge
from evalforge.app.home.boss_page import BossScreen
from evalforge.app.home.settings_screen import SettingsScreen
from evalforge.app.screens.ask import AskScreen
from evalforge.app.ui.theme.motion import Motion
from evalforge.cli import settings
from tests.app import start_request
from tests.app.harness import Teller, services, shown, story, until, write_pack, write_solution
from tests.app.test_screens import on

CONFIG = '# My own.\nmotion = "reduced"  # I get dizzy\nbosses = []\n'


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    pack = write_pack(tmp_path / "bosses", "golem", "Stone Golem")
    write_solution(pack / "starter", "main.py")
    (tmp_path / "config.toml").write_text(CONFIG, "utf-8")
    return tmp_path


def game(yard: Path, **more) -> EvalForge:
    return EvalForge(services(yard, Teller(lambda pack: story(pack, (2, 1, 0))), **more))


async def open_settings(pilot) -> None:
    await until(pilot, lambda: "Stone Golem" in shown(pilot.app), "the roster")
    await pilot.press("comma")
    await until(pilot, lambda: on(pilot, SettingsScreen) and "motion" in shown(pilot.app), "the settings")


def row(app: EvalForge, name: str) -> str:
    return next(line.rstrip() for line in shown(app).splitlines() if line.strip(" ▸").startswith(name))


async def answer(pilot, text: str) -> None:
    """Answer the question that is asked with a text."""
    await until(pilot, lambda: on(pilot, AskScreen), "the question")
    pilot.app.screen.query_one(Input).value = text
    await pilot.press("enter")


async def test_a_change_is_seen_at_once_and_keeps_the_comments(yard):
    app = game(yard, motion="reduced")
    async with app.run_test(size=(80, 24)) as pilot:
        await open_settings(pilot)
        assert row(app, "motion").split()[-1] == "reduced"
        await pilot.press("right")
        await until(pilot, lambda: row(app, "motion").endswith("none"), "the next motion")
        assert app.motion is Motion.NONE
        await pilot.press("down", "left")
        await until(pilot, lambda: row(app, "theme").endswith("terminal"), "the previous theme")
        assert app.theme == "terminal"
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: row(app, "bell").endswith("on"), "the bell")
        await pilot.press("escape")
        await until(pilot, lambda: not on(pilot, SettingsScreen), "the roster again")
    assert (yard / "config.toml").read_text("utf-8") == (
        '# My own.\nmotion = "none"  # I get dizzy\nbosses = []\ntheme = "terminal"\nbell = true\n'
    )


async def test_an_interpreter_that_is_missing_is_refused(yard):
    app = game(yard)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await open_settings(pilot)
        for typed, message in (("/no/python", "/no/python does not exist"), (sys.executable, "")):
            await pilot.press("end", "enter")
            await answer(pilot, typed)
            await until(pilot, lambda: on(pilot, SettingsScreen), "answered")
            await until(pilot, lambda message=message: message in shown(app), "what is wrong with it")
        await until(pilot, lambda: app.session.services.python == sys.executable, "the right one")
    assert f'python = "{sys.executable}"' in (yard / "config.toml").read_text("utf-8")


async def test_models_are_a_list_and_an_empty_answer_forgets_them(yard):
    app = game(yard)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_settings(pilot)
        for typed, models in (("claude-a, claude-b", ("claude-a", "claude-b")), ("", ())):
            app.screen.query_one("#settings").point("model")
            await pilot.press("enter")
            await answer(pilot, typed)
            await until(pilot, lambda: on(pilot, SettingsScreen), "answered")
            assert app.session.services.models.models == models
    assert (yard / "config.toml").read_text("utf-8") == CONFIG


async def test_the_next_start_has_the_theme_of_the_last(yard, monkeypatch):
    monkeypatch.setenv("EVALFORGE_HOME", str(yard))
    app = game(yard)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Stone Golem" in shown(app), "the roster")
        await pilot.press("ctrl+t")
        assert app.theme == "quench"
    assert settings.load(Namespace()).theme == "quench"
    assert settings.load(Namespace()).motion == "reduced"


async def test_a_variable_that_wins_is_named(yard, monkeypatch):
    monkeypatch.setenv("EVALFORGE_MOTION", "full")
    async with game(yard).run_test(size=(80, 24)) as pilot:
        await open_settings(pilot)
        await until(pilot, lambda: "EVALFORGE_MOTION is set" in shown(pilot.app), "which wins")


@pytest.mark.parametrize("text", ["motion = \n", "\udcff"])
async def test_a_broken_file_stays_and_the_change_holds_for_now(yard, text):
    content = text.encode("utf-8", "surrogateescape")
    (yard / "config.toml").write_bytes(content)
    app = game(yard, theme="ember")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: "Stone Golem" in shown(app), "the roster")
        await pilot.press("ctrl+t")
        await until(pilot, lambda: "Not kept" in shown(app), "the reason")
        assert app.theme == "quench"
    assert (yard / "config.toml").read_bytes() == content


@pytest.fixture
def editor(yard, monkeypatch):
    """An editor that writes down its arguments, while the environment names none."""
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "no-such-editor-anywhere")
    monkeypatch.setattr(HeadlessDriver, "can_suspend", True)
    script = yard / "vim"
    script.write_text(f'#!/bin/sh\necho "$@" >> {yard / "opened"}\n', "utf-8")
    script.chmod(0o755)
    return script


async def make_folder(pilot) -> None:
    """Make the starter folder, whose program `e` opens."""
    await until(pilot, lambda: on(pilot, BossScreen), "the page")
    await pilot.press("ctrl+n")
    await until(pilot, lambda: "e edit" in shown(pilot.app).splitlines()[-1], "the new folder")


async def test_an_editor_is_asked_for_once_and_kept(yard, editor):
    app = game(yard, start=start_request.boss_page("golem"))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await make_folder(pilot)
        await pilot.press("e")
        await answer(pilot, "nothing-like-this")
        await until(pilot, lambda: "can't be run here" in shown(app), "the refusal")
        await pilot.press("e")
        await answer(pilot, str(editor))
        await until(pilot, (yard / "opened").exists, "the editor")
        await pilot.press("e")
        await until(pilot, lambda: len((yard / "opened").read_text().splitlines()) == 2, "not asked again")
    assert f'editor = "{editor}"' in (yard / "config.toml").read_text("utf-8")


async def test_a_chosen_editor_wins_over_the_environment(yard, editor, monkeypatch):
    monkeypatch.setenv("EDITOR", "/bin/false")
    app = game(yard, start=start_request.boss_page("golem"), editor=str(editor))
    async with app.run_test(size=(80, 24)) as pilot:
        await make_folder(pilot)
        await pilot.press("e")
        await until(pilot, (yard / "opened").exists, "the chosen editor")
        assert (yard / "opened").read_text().split()[-1] == str(yard / "workshop" / "golem" / "main.py")
