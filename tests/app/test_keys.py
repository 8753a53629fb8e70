"""Keys: the line at the bottom, the help and the palette name what can be done here, and nothing else."""

from pathlib import Path

import pytest

from evalforge.app.attempts.attempt_list import AttemptsScreen
from evalforge.app.attempts.attempt_table import AttemptTable
from evalforge.app.fight.evidence_screen import EvidenceScreen
from evalforge.app.home.boss_list import BossList
from evalforge.app.home.roster import BossCard
from evalforge.app.lab.judge_comparison import JudgeComparisonScreen
from evalforge.app.screens.base import HelpScreen
from evalforge.app.ui.widgets.row_list import Row, Rows
from tests.app import start_request
from tests.app.harness import shown, until, write_pack
from tests.app.test_screens import game, on, remember


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    write_pack(tmp_path / "bosses", "golem", "Stone Golem")
    write_pack(tmp_path / "bosses", "wisp", "Pale Wisp")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "main.py").write_text("x = 1\n", "utf-8")
    return tmp_path


def bar(app) -> str:
    """The line of keys."""
    return shown(app).splitlines()[-1].strip()


# A search


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40), (160, 50)])
@pytest.mark.parametrize(("keys", "kind"), [((), BossList), (("a",), AttemptTable)])
async def test_a_search_leaves_its_list_where_it_was(yard, keys, kind, size):
    remember(yard, "golem", (1, 0, 0))
    app = game(yard)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: "HP 75 %" in shown(app), "the roster")
        await pilot.press(*keys)
        await until(pilot, lambda: bool(app.screen.query(kind)), "the list")
        before = app.screen.query_one(kind).region
        await pilot.press("slash", "g")
        await until(pilot, lambda: "to the list" in bar(app), "the search")
        after = app.screen.query_one(kind).region
        assert (after.x, after.width) == (before.x, before.width)


@pytest.mark.parametrize(("keys", "everything"), [((), "all bosses"), (("a",), "all attempts")])
async def test_only_keys_that_type_nothing_are_named_while_typing(yard, keys, everything):
    remember(yard, "golem", (1, 0, 0))
    app = game(yard)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "HP 75 %" in shown(app), "the roster")
        await pilot.press(*keys, "slash")
        await until(pilot, lambda: bar(app) == f"⏎ to the list  esc {everything}  f1 help", "the keys")
        await pilot.press("question_mark", "slash")
        assert app.screen.query_one("#search").value == "?/"
        await pilot.press("escape")
        await until(pilot, lambda: everything not in bar(app), "the list again")


# What enter does


async def test_where_there_is_nothing_nothing_is_offered_for_it(yard):
    app = game(yard)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "0 of 2 defeated" in shown(app), "the roster")
        await pilot.press("a")
        await until(pilot, lambda: on(pilot, AttemptsScreen) and bar(app) == "esc back  ? help", "no attempts")


async def test_enter_is_not_offered_on_a_line_without_action(yard):
    app = game(yard, start_request.boss_page("golem"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "contract" in shown(app), "the page")
        app.navigator.open_classes()
        await until(pilot, lambda: "No class was judged yet" in shown(app), "no classes")
        rows = app.screen.query_one(Rows)
        rows.show([Row("said", lambda _: [(("words", "dim"),)], is_static=True)])
        await pilot.pause()
        assert "open" not in bar(app)
        rows.show([Row("a class", lambda _: [(("words", "dim"),)])])
        await until(pilot, lambda: bar(app).startswith("⏎ open"), "there is something to open")


async def test_the_duel_says_what_enter_does_and_does_it(yard):
    remember(yard, "golem", (1, 0, 0))
    app = game(yard, start_request.boss_page("golem"))
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "contract" in shown(app), "the page")
        await pilot.press("J")
        await until(pilot, lambda: on(pilot, JudgeComparisonScreen) and "could not judge" in shown(app), "the duel")
        await until(pilot, lambda: bar(app).startswith("⏎ evidence"), "what enter does")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, EvidenceScreen), "the evidence")


# Help and palette


async def test_the_help_tells_first_what_the_screen_is_for(yard):
    remember(yard, "golem", (1, 0, 0))
    app = game(yard)
    async with app.run_test(size=(100, 60)) as pilot:
        await until(pilot, lambda: "HP 75 %" in shown(app), "the roster")
        await pilot.press("question_mark")
        await until(pilot, lambda: on(pilot, HelpScreen) and "esc closes" in shown(app), "the help")
        await pilot.pause()
        text = shown(app)
        at = [text.index(words) for words in ("⏎  fight", "b  briefing", "↑  up", "ctrl+q  quit", "ctrl+p  palette")]
        assert at == sorted(at)
        assert "^" not in text


async def test_the_palette_begins_with_the_screens_own_commands(yard):
    remember(yard, "golem", (1, 0, 0))
    app = game(yard)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "HP 75 %" in shown(app), "the roster")
        titles = [command.title for command in app.get_system_commands(app.screen)]
        assert titles[0] == "Fight"
        assert not {"Up", "Down", "First", "Last"} & set(titles)


# The look


async def test_what_lies_open_wears_a_new_theme_at_once(yard):
    remember(yard, "golem", (1, 0, 0))
    app = game(yard)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "HP 75 %" in shown(app), "the roster")
        about = app.screen.query_one(BossCard).query_one("#about")
        await until(pilot, lambda: "1 attempt" in about.visual.plain, "the card knows its boss")
        words, colours = about.visual.plain, about.visual.spans  # equal contents have equal words, whatever their spans
        await pilot.press("ctrl+p")
        await pilot.pause()
        app.theme = "vellum"
        await until(pilot, lambda: about.visual.spans != colours, "the card has another accent")
        assert about.visual.plain == words
        ground = app.look.palette.ground
        await until(pilot, lambda: app.screen.styles.background.hex6.lower() == ground, "and so has the palette")


# Where there is nobody


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40)])
async def test_a_roster_without_bosses_says_what_to_do(tmp_path, size):
    (tmp_path / "bosses").mkdir()
    app = game(tmp_path)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: "No bosses here." in shown(app), "nobody")
        text = shown(app)
        assert "evalforge --bosses FOLDER" in text
        assert "evalforge new-boss NAME" in text
        assert "0 of 0" not in text
        assert not [words for words in ("search", "fight") if words in bar(app)]
