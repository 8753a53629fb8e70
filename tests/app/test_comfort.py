"""For everyone: practice, resuming, themes that stay, plain signs, quiet bells, a palette with everything."""

from pathlib import Path

import pytest

from evalforge.app.app import EvalForge
from evalforge.app.core.navigation import StartRequest
from evalforge.app.fight.screen import FightScreen
from evalforge.app.fight.stage.hp_bar import HpBar
from evalforge.app.fight.stage.stage import Stage
from evalforge.app.ui.text.paths import short
from evalforge.app.ui.widgets.sprite_view import SpriteView
from evalforge.model.text import is_ascii_only
from tests.app import start_request
from tests.app.harness import Teller, paste, phase, services, shown, story, until, write_pack, write_solution
from tests.app.test_screens import remember


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    write_pack(tmp_path / "bosses", "golem", "Stone Golem")
    write_solution(tmp_path / "mine", "main.py")
    return tmp_path


def tells(*levels: int, **more) -> Teller:
    return Teller(lambda pack: story(pack, levels), **more)


def game(yard: Path, teller: Teller | None = None, opening: StartRequest | None = None, **more) -> EvalForge:
    return EvalForge(services(yard, teller or tells(2, 1, 0), opening, **more))


# Watching


async def saved_until(pilot, save, holds, what: str) -> None:
    """Save until something holds: nothing says when the first look is over, after which no save is missed."""
    for number in range(2, 32):
        save(f"x = {number}\n")
        for _ in range(200):
            if holds():
                return
            await pilot.pause(0.01)
    raise AssertionError(f"it never came to this: {what}\n{shown(pilot.app)}")


async def test_a_save_is_judged_for_practice_and_only_a_strike_counts(yard):
    teller = tells(2, 1, 0)
    app = game(yard, teller, start_request.fight("golem", str(yard / "mine")))
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: phase(app) == "DONE", "the fight")
        await pilot.press("w")
        await until(pilot, lambda: "stop sparring" in shown(app), "it is said")
        await saved_until(
            pilot, (yard / "mine" / "main.py").write_text, lambda: teller.fights == 2, "the save is judged"
        )
        await until(pilot, lambda: "sparring, not saved" in shown(app), "it is said that it doesn't count")
        await pilot.press("r")
        await until(pilot, lambda: teller.fights == 3 and phase(app) == "DONE", "a strike")
        assert "practice" not in shown(app)
        assert teller.saved == [True, False, True]
        await pilot.press("w")
        await until(pilot, lambda: "stop sparring" not in shown(app), "no longer")


async def test_the_arena_can_watch_from_the_start(yard):
    teller = tells(2, 1, 0)
    app = game(yard, teller, start_request.boss_page("golem"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "contract" in shown(app), "the page")
        await pilot.press("f")
        await paste(pilot, str(yard / "mine"))
        await until(pilot, lambda: "Will be judged" in shown(app), "the files")
        await pilot.press("f3")
        await until(pilot, lambda: isinstance(app.screen, FightScreen) and phase(app) == "DONE", "a practice fight")
        assert teller.saved == [False]
        assert "sparring, not saved" in shown(app)


async def test_leaving_ends_the_watch(yard):
    app = game(yard, opening=start_request.fight("golem", str(yard / "mine"), watch=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: phase(app) == "DONE", "the fight")
        screen = app.screen
        await pilot.press("escape")
        await until(pilot, lambda: not screen.is_attached, "left")
        await until(pilot, lambda: not [w for w in app.workers if w.group == "watch" and w.is_running], "no watch left")


# The bar


async def test_arrows_and_the_mouse_name_the_criterion_of_a_stretch(yard):
    app = game(yard, opening=start_request.fight("golem", str(yard / "mine")))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: phase(app) == "DONE", "the fight")
        await pilot.press("down", "down")
        await until(pilot, lambda: "Criterion 1: 1 of 2" in shown(app), "by key")
        await pilot.hover(HpBar, offset=(70, 2))
        await until(pilot, lambda: "Criterion 0: 2 of 2" in shown(app), "by mouse")
        assert app.screen.query_one(Stage).side_panel.view == "story"


# The end


async def test_what_a_fight_earned_is_said_once(yard):
    remember(yard, "golem", (1, 0, 0))

    def tell(pack):
        [attempt_id] = remember(yard, "golem", (2, 2, 2))
        return story(pack, (2, 2, 2), save_as=attempt_id)

    app = game(yard, Teller(tell), start_request.fight("golem", str(yard / "mine")))
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: phase(app) == "DONE", "the fight")
        words = ("New rank: Bellows Hand", "First blood", "Your best on this boss: 6 of 6")
        await until(pilot, lambda: all(word in shown(app) for word in words), "what was earned")


# Resuming


async def test_the_bare_start_offers_the_last_fight(yard, monkeypatch):
    monkeypatch.setenv("HOME", str(yard))  # a short name, however deep the tests run
    remember(yard, "golem", (1, 1, 1))
    app = game(yard)
    async with app.run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: "continues with Stone Golem" in shown(app), "the offer")
        await until(pilot, lambda: short(yard / "mine")[:30] in shown(app), "its folder")


@pytest.mark.parametrize("size", [(150, 40), (200, 60)])
async def test_a_large_terminal_doubles_the_boss(yard, size):
    remember(yard, "golem", (1, 1, 1))
    app = game(yard)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: "Last fights" in shown(app) and "plain words" in shown(app), "lore and last fights")
        sprite = app.screen.query_one(SpriteView)
        await until(pilot, lambda: sprite.size.width >= sprite.doubled.width, "room for twice the width")
        assert sprite.size.height >= sprite.doubled.height
        assert all(one in shown(app) for one in ("Stone Golem", "STONE GOLEM", "1 attempt"))


# Toasts


async def test_a_toast_stays_on_the_screen_that_raised_it(yard):
    app = game(yard)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: "Stone Golem" in shown(app), "the roster")
        app.notify("It is full.", timeout=60)
        await until(pilot, lambda: "It is full." in shown(app), "the toast")
        await pilot.press("P")
        await until(pilot, lambda: "Everybody starts" in shown(app), "the next screen")
        assert "It is full." not in shown(app)
        await pilot.press("escape")
        await until(pilot, lambda: "Stone Golem" in shown(app), "the roster again")
        assert "It is full." not in shown(app)


@pytest.mark.parametrize("size", [(80, 24), (150, 40)])
async def test_a_toast_covers_the_line_above_the_keys_alone(yard, size):
    app = game(yard)
    async with app.run_test(size=size, notifications=True) as pilot:
        last_words = "lore plain words" if size == (150, 40) else "Stone Golem"
        await until(pilot, lambda: last_words in shown(app), "the roster, with the lore where there is room for it")
        app.notify("~/evalforge/card.svg", title="Written", timeout=60)
        await until(pilot, lambda: "Written: ~/evalforge/card.svg" in shown(app), "the toast")
        covered = shown(app).splitlines()
        app.clear_notifications()
        await until(pilot, lambda: "Written" not in shown(app), "the keys again")
        uncovered = shown(app).splitlines()
        assert covered[:-2] == uncovered[:-2]
        assert covered[-1] == uncovered[-1]


async def test_a_message_about_a_change_of_screen_follows_it(yard):
    app = game(yard)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: "Stone Golem" in shown(app), "the roster")
        app.notify("It was kept.", timeout=60)
        app.action_progress()
        await until(pilot, lambda: "Everybody starts" in shown(app), "the next screen")
        await until(pilot, lambda: "It was kept." in shown(app), "what was said on the way")


# Themes, signs, bells


@pytest.mark.parametrize(("asked", "rings"), [(False, 0), (True, 1)])
async def test_the_bell_rings_only_for_those_who_asked(yard, monkeypatch, asked, rings):
    heard = []
    monkeypatch.setattr(EvalForge, "bell", lambda self: heard.append(1))
    app = game(yard, opening=start_request.fight("golem", str(yard / "mine")), bell=asked)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: phase(app) == "DONE", "the fight")
    assert len(heard) == rings


@pytest.mark.parametrize(
    ("environment", "plain"),
    [
        ({}, False),
        ({"LANG": "de_DE.UTF-8"}, False),
        ({"LANG": "en_US.utf8"}, False),
        ({"LC_ALL": "C.UTF-8", "LANG": "C"}, False),
        ({"LANG": "C"}, True),
        ({"LC_ALL": "en_US.ISO-8859-1", "LANG": "en_US.UTF-8"}, True),
        ({"EVALFORGE_ASCII": "1", "LANG": "en_US.UTF-8"}, True),
        ({"EVALFORGE_ASCII": "0", "LANG": "C"}, False),
    ],
)
def test_ascii_is_drawn_where_the_terminal_knows_no_more(environment, plain):
    assert is_ascii_only(environment) is plain


@pytest.mark.parametrize("theme", ["ember", "terminal"])
async def test_ascii_draws_every_screen_without_a_stranger(yard, theme):
    remember(yard, "golem", (1, 0, 0), (2, 1, 0))
    app = game(yard, opening=start_request.fight("golem", str(yard / "mine")), ascii_only=True, theme=theme)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: phase(app) == "DONE", "the fight")
        for keys in (("down", "enter"), ("escape", "a"), ("escape", "escape", "p"), ("escape", "r")):
            await pilot.press(*keys)
            await pilot.pause()
            assert shown(app).isascii(), keys


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("TEXTUAL_ANIMATIONS", "none")])
async def test_colour_and_motion_can_be_forbidden_from_outside(yard, monkeypatch, variable, value):
    from textual import constants

    monkeypatch.setenv(variable, value)
    if variable == "TEXTUAL_ANIMATIONS":
        monkeypatch.setattr(constants, "TEXTUAL_ANIMATIONS", "none")
    app = game(yard, opening=start_request.fight("golem", str(yard / "mine")), motion="full")
    async with app.run_test(size=(80, 24)) as pilot:
        if variable == "TEXTUAL_ANIMATIONS":
            assert app.look.motion == "none"
        await until(pilot, lambda: phase(app) in ("JUDGING", "DONE"), "the fight")
        await pilot.press("x")
        await until(pilot, lambda: phase(app) == "DONE", "its end")
        assert "HP 25 %" in shown(app)
        if variable == "NO_COLOR":
            from tests.app.harness import lines

            colours = {s.style.color.get_truecolor() for line in lines(app) for s in line if s.style and s.style.color}
            assert all(max(c) - min(c) < 3 for c in colours)


# The palette and help


async def test_the_palette_offers_everything(yard):
    app = game(yard)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Stone Golem" in shown(app), "the roster")
        titles = {command.title for command in app.get_system_commands(app.screen)}
        for title in (
            "Stone Golem",
            "Attempts",
            "Progress",
            "Settings",
        ):
            assert title in titles
        assert {"Search", "Codex", "Quit"} <= titles
        assert not {"Screenshot", "Save screenshot"} & titles
        await pilot.press("ctrl+p", *"progress", "enter")
        await until(pilot, lambda: "Achievements" in shown(app), "the screen it names")


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40), (160, 50)])
@pytest.mark.parametrize("keys", [("a",), ("P",), ("b",), ("a", "d"), ("a", "p"), ("a", "enter")])
async def test_every_screen_has_its_keys_and_its_help_at_every_size(yard, size, keys):
    remember(yard, "golem", (1, 0, 0), (2, 1, 0))
    app = game(yard)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: "Stone Golem" in shown(app), "the roster")
        await until(pilot, lambda: "HP 25 %" in shown(app), "history")
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        await until(pilot, lambda: "? help" in shown(app).splitlines()[-1], "the keys")
        assert "esc" in shown(app).splitlines()[-1]
        await pilot.press("question_mark")
        await until(pilot, lambda: "esc closes" in shown(app), "the help")


@pytest.mark.parametrize(("columns", "wide", "vast"), [(109, False, False), (110, True, False), (160, True, True)])
async def test_a_vast_screen_is_a_wide_one_too(yard, columns, wide, vast):
    app = game(yard, opening=start_request.boss_page("golem"))
    async with app.run_test(size=(columns, 45)) as pilot:
        await until(pilot, lambda: "contract" in shown(app), "the page")
        assert (app.screen.has_class("-wide"), app.screen.has_class("-vast")) == (wide, vast)
        assert app.screen.query_one("#portrait").display is wide
