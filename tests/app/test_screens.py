"""Roster, boss page, arena, attempts, welcome, help: every key does what the line at the bottom says."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from textual.widgets import Input, Static

from evalforge.app.app import EvalForge, FatalError
from evalforge.app.attempts.attempt_list import AttemptsScreen
from evalforge.app.attempts.detail import AttemptScreen
from evalforge.app.core.navigation import StartRequest
from evalforge.app.fight.arena import ArenaScreen
from evalforge.app.fight.screen import FightScreen
from evalforge.app.home.boss_list import BossList
from evalforge.app.home.boss_page import BossScreen
from evalforge.app.home.roster import RosterScreen
from evalforge.app.home.welcome import WelcomeScreen
from evalforge.app.screens.base import HelpScreen
from evalforge.app.screens.directory_dialog import DirectoryPickerScreen
from evalforge.app.ui.widgets.path_input import PathInput
from evalforge.history.store import History
from evalforge.model.attempt import AttemptState
from evalforge.model.events import TrialFinished
from evalforge.model.fight_record import FightRecord
from evalforge.packs.pack import load_pack
from evalforge.submissions.collect import collect
from tests.app import start_request
from tests.app.harness import FORGE, Teller, phase, services, shown, story, until, write_pack, write_solution
from tests.database import execute_sql


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    """Two sound bosses, a broken one, and a solution."""
    write_pack(tmp_path / "bosses", "golem", "Stone Golem")
    write_pack(tmp_path / "bosses", "wisp", "Pale Wisp")
    broken = write_pack(tmp_path / "bosses", "wreck", "Wreck")
    (broken / "boss.yaml").write_text("boss_id: [wreck\n", "utf-8")
    write_solution(tmp_path / "mine", "main.py", ".venv/lib.py", "data.bin")
    return tmp_path


def game(yard: Path, opening: StartRequest | None = None, **more) -> EvalForge:
    return EvalForge(services(yard, Teller(lambda pack: story(pack, (2, 1, 0))), opening, **more))


def remember(
    yard: Path, slug: str, *tries: tuple[int, int, int], words: str = "because", folder: str = "mine", tell=story
) -> list[str]:
    """Put judged attempts into the history."""
    pack = load_pack(yard / "bosses" / slug)
    ids = []
    with History(yard / "attempts.sqlite3") as history:
        for levels in tries:
            submission = collect(yard / folder, "my notes")
            told = tell(pack, levels, words)
            record = FightRecord(submission=submission)
            for event in told:
                record.add(event)
            ids.append(
                history.begin(slug, pack.definition.title, pack.rubric_hash, str(yard / folder), FORGE, submission)
            )
            history.finish(ids[-1], record)
    return ids


def on(pilot, screen: type) -> bool:
    return isinstance(pilot.app.screen, screen)


# The roster


async def test_the_roster_tells_how_every_boss_stands(yard):
    remember(yard, "golem", (2, 1, 0))
    remember(yard, "wisp", (2, 2, 2), (1, 1, 1))
    async with game(yard).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "HP 25 %" in shown(pilot.app), "the golem is wounded")
        text = shown(pilot.app)
        assert "flawless" in text
        assert "broken" in text
        assert "1 of 2 defeated" in text


async def test_a_tall_roster_shows_lore_fights_and_what_moved(yard):
    remember(yard, "golem", (2, 1, 0), (2, 2, 0))
    async with game(yard).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "2 to gold" in shown(pilot.app), "history is read")
        pilot.app.screen.query_one(BossList).point("golem")
        assert "Last fights" not in shown(pilot.app)
        await pilot.resize_terminal(140, 45)
        await until(pilot, lambda: "#1" in shown(pilot.app), "the last fights")
        assert "lore plain words" in shown(pilot.app)
        fights = [line for line in shown(pilot.app).splitlines() if "#1" in line or "#2" in line]
        assert "Criterion 1 +1" in fights[0]
        assert "Criterion" not in fights[1]


async def test_a_boss_takes_one_line_at_every_size(yard):
    async with game(yard).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Stone Golem" in shown(pilot.app), "the roster")
        bosses = pilot.app.screen.query_one(BossList)
        for size in ((80, 24), (140, 45), (160, 50)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert [bosses.region_of(index).height for index in range(bosses.count)] == [1] * bosses.count


async def test_a_broken_pack_is_listed_with_its_reason(yard):
    async with game(yard).run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "Stone Golem" in shown(pilot.app), "the roster")
        pilot.app.screen.query_one(BossList).point("wreck")
        await until(pilot, lambda: "This pack is broken." in shown(pilot.app), "the reason")
        assert "boss.yaml" in str(pilot.app.screen.query_one("#about", Static).content)
        await pilot.press("enter")
        assert on(pilot, RosterScreen)


async def test_a_new_boss_has_one_briefing_and_two_keys_for_it(yard):
    (yard / "welcomed").touch()
    for key in ("enter", "b"):
        async with game(yard).run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda pilot=pilot: "never fought" in shown(pilot.app), "the roster")
            assert shown(pilot.app).splitlines()[-1].count("briefing") == 1
            await pilot.press(key)
            await until(pilot, lambda pilot=pilot: on(pilot, BossScreen), "its page")


async def test_the_last_fight_is_offered_again(yard):
    remember(yard, "wisp", (1, 1, 1))
    async with game(yard).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "wounded" in shown(pilot.app), "history is read")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, ArenaScreen), "the arena")
        assert "PALE WISP" in shown(pilot.app)
        assert str(yard / "mine") in pilot.app.screen.query_one(PathInput).value


async def test_the_last_fight_is_offered_where_enter_continues_it(yard):
    remember(yard, "wisp", (1, 1, 1))
    async with game(yard).run_test(size=(80, 24)) as pilot:
        app, offer = pilot.app, "continues with Pale Wisp"
        await until(pilot, lambda: offer in shown(app), "it is offered")
        bosses = app.screen.query_one(BossList)
        region = bosses.region
        bosses.point("golem")
        await until(pilot, lambda: offer not in shown(app), "another boss is chosen")
        assert bosses.region == region
        bosses.point("wisp")
        await until(pilot, lambda: offer in shown(app), "it is offered again")
        await pilot.press("slash")
        await until(pilot, lambda: offer not in shown(app), "enter goes to the list")
        await pilot.press(*"wisp", "enter")
        await until(pilot, lambda: offer in shown(app), "enter goes on with it")
        await pilot.press("slash", *"xy", "enter")
        await until(pilot, lambda: "No boss matches." in shown(app), "nobody is found")
        assert offer not in shown(app)


async def test_the_fight_just_fought_is_the_one_that_is_offered(yard):
    write_solution(yard / "other", "main.py")
    remember(yard, "wisp", (1, 1, 1))
    async with game(yard).run_test(size=(160, 50)) as pilot:
        app = pilot.app
        await until(pilot, lambda: "continues with Pale Wisp" in shown(app), "the last fight")
        await pilot.press("b")
        remember(yard, "wisp", (2, 1, 1), folder="other")
        await pilot.press("escape", "enter")
        await until(pilot, lambda: on(pilot, ArenaScreen), "the arena")
        assert app.screen.query_one(PathInput).value == str(yard / "other")
        remember(yard, "golem", (1, 0, 0))
        await pilot.press("escape")
        await until(pilot, lambda: on(pilot, RosterScreen) and "continues" not in shown(app), "it was another boss")
        app.screen.query_one(BossList).point("golem")
        await until(pilot, lambda: "continues with Stone Golem" in shown(app), "that one")


async def test_search_narrows_and_escape_widens(yard):
    async with game(yard).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Pale Wisp" in shown(pilot.app), "the roster")
        await pilot.press("slash", *"wisp")
        await until(pilot, lambda: "Stone Golem" not in shown(pilot.app), "only the wisp")
        await pilot.press("escape")
        await until(pilot, lambda: "Stone Golem" in shown(pilot.app), "all of them")


async def test_no_bosses_at_all_is_said(tmp_path):
    async with game(tmp_path).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "No bosses here." in shown(pilot.app), "the reason")


@pytest.mark.parametrize(("key", "words"), [("b", "The contract"), ("c", "How it punishes"), ("u", "Pass at")])
async def test_the_boss_page_opens_at_the_side_asked_for(yard, key, words):
    async with game(yard).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Stone Golem" in shown(pilot.app), "the roster")
        await pilot.press(key)
        await until(pilot, lambda: on(pilot, BossScreen) and words in shown(pilot.app), words)
        await pilot.press("escape")
        assert on(pilot, RosterScreen)


# The boss's page


async def test_the_page_shows_contract_codex_levels_and_trials(yard):
    async with game(yard, start_request.boss_page("golem")).run_test(size=(120, 60)) as pilot:
        await until(pilot, lambda: "contract plain words" in shown(pilot.app), "the contract")
        await pilot.press("right")
        for tier in ("lore", "attacks", "strategy"):
            assert f"{tier} plain words" in shown(pilot.app)
        await pilot.press("3")
        await pilot.pause()
        text = shown(pilot.app)
        for word in (
            "Criterion 2",
            "level 0 plain words",
            "level 2 plain words",
            "good plain words",
            "bad plain words",
        ):
            assert word in text
        await pilot.press("4")
        await pilot.pause()
        assert "Trials in 1 group." in shown(pilot.app)
        assert "Title plain words" in shown(pilot.app)


async def test_the_page_lists_past_attempts_and_opens_one(yard):
    remember(yard, "golem", (1, 1, 1), (2, 1, 1))
    async with game(yard, start_request.boss_page("golem")).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the page")
        await pilot.press("5")
        await until(pilot, lambda: "#2" in shown(pilot.app), "the attempts")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, AttemptScreen), "the attempt")


async def test_the_page_counts_trials_as_the_fight_does(yard):
    trial_file = yard / "bosses" / "golem" / "trials" / "test_it.py"
    trial_file.write_text(trial_file.read_text("utf-8").replace("Title plain words", "An edge holds."), "utf-8")

    def tell(*arguments):
        for event in story(*arguments):
            if isinstance(event, TrialFinished):
                changes = {
                    "id": f"test_it[{event.trial.id}]",
                    "title": f"An edge holds: {event.trial.id}.",
                    "group": "basics",
                }
                yield event.model_copy(update={"trial": event.trial.model_copy(update=changes)})
            else:
                yield event

    remember(yard, "golem", (1, 1, 1), tell=tell)
    async with game(yard, start_request.boss_page("golem")).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the page")
        await pilot.press("4")
        await until(pilot, lambda: "2 trials in 1 group. Results of attempt 1." in shown(pilot.app), "both cases")
        assert "1 of 2 passed" in shown(pilot.app)
        assert "1 of 2 cases" in shown(pilot.app)


async def test_hand_ins_of_a_class_are_not_among_ones_own(yard):
    remember(yard, "golem", (1, 1, 1))
    (hand_in,) = remember(yard, "golem", (2, 2, 2))
    execute_sql(
        yard / "attempts.sqlite3", f"UPDATE attempts SET of_class = 1, directory = '/ann' WHERE id = '{hand_in}'"
    )
    async with game(yard, start_request.boss_page("golem")).run_test(size=(140, 45)) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the page")
        await pilot.press("5")
        await until(pilot, lambda: "#1" in shown(pilot.app), "the attempts")
        assert "flawless" not in shown(pilot.app)
        await pilot.press("escape", "a")
        await until(pilot, lambda: "1 attempt" in shown(pilot.app), "all attempts")
        assert "ann" not in shown(pilot.app)


async def test_ctrl_n_makes_the_starter_and_says_where(yard):
    async with game(yard, start_request.boss_page("golem")).run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the page")
        await pilot.press("ctrl+n")
        await until(pilot, lambda: "Made" in shown(pilot.app), "where it is")
        await until(pilot, lambda: on(pilot, ArenaScreen), "the arena")
        assert (yard / "workshop" / "golem" / "main.py").is_file()
        await until(pilot, lambda: "Will be judged" in shown(pilot.app), "its files")


# The arena


async def to_arena(pilot, folder: str = "") -> None:
    await until(pilot, lambda: on(pilot, BossScreen), "the page")
    await pilot.press("f")
    await until(pilot, lambda: on(pilot, ArenaScreen), "the arena")
    if folder:
        pilot.app.screen.query_one(PathInput).value = folder


async def test_what_is_sent_and_left_out_is_shown_before_the_fight(yard):
    async with game(yard, start_request.boss_page("golem")).run_test(size=(80, 24)) as pilot:
        await to_arena(pilot, str(yard / "mine"))
        await until(pilot, lambda: "Will be judged" in shown(pilot.app), "the files")
        for word in ("main.py", ".venv/", "data.bin", "not a type of text file", "forge judge: runs the code"):
            await until(pilot, lambda word=word: word in shown(pilot.app), word)
        await until(pilot, lambda: "full sandbox" in shown(pilot.app), "the cage is said")


@pytest.mark.parametrize(("folder", "words"), [("/nowhere/at/all", "does not exist"), ("", "First time here?")])
async def test_an_unusable_folder_is_refused_with_the_reason(yard, folder, words):
    async with game(yard, start_request.boss_page("golem")).run_test(size=(80, 24)) as pilot:
        await to_arena(pilot, folder)
        await until(pilot, lambda: words in shown(pilot.app), words)
        await pilot.press("enter")
        assert on(pilot, ArenaScreen)


async def test_enter_strikes_with_folder_and_notes(yard):
    teller = Teller(lambda pack: story(pack, (2, 1, 0)))
    app = EvalForge(services(yard, teller, start_request.boss_page("golem")))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_arena(pilot, str(yard / "mine"))
        await until(pilot, lambda: "Will be judged" in shown(pilot.app), "the files")
        app.screen.query_one("#notes", Input).value = "pure core"
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, FightScreen) and phase(app) == "DONE", "the fight")
        assert teller.handed_in == [(yard / "mine", "pure core")]


async def test_tab_completes_a_folder(yard):
    async with game(yard, start_request.boss_page("golem")).run_test(size=(80, 24)) as pilot:
        await to_arena(pilot, str(yard / "mi"))
        folder = pilot.app.screen.query_one(PathInput)
        folder.action_end()
        await until(pilot, lambda: "mine" in folder.render_line(0).text, "a suggestion")
        await pilot.press("tab")
        assert folder.value == f"{yard / 'mine'}/"


async def test_the_arrows_walk_through_recent_folders(yard):
    remember(yard, "golem", (1, 1, 1))
    async with game(yard, start_request.boss_page("golem")).run_test(size=(80, 24)) as pilot:
        await to_arena(pilot, "elsewhere")
        await pilot.press("up")
        assert pilot.app.screen.query_one(PathInput).value.endswith("mine")


@pytest.mark.parametrize(("key", "folders"), [("up", ["c", "b", "a", "c"]), ("down", ["a", "b", "c", "a"])])
async def test_no_recent_folder_is_skipped_from_an_empty_field(yard, key, folders):
    for name in "abc":
        write_solution(yard / name)
        remember(yard, "golem", (1, 1, 1), folder=name)
    async with game(yard, start_request.boss_page("golem")).run_test(size=(80, 24)) as pilot:
        await to_arena(pilot)
        pilot.app.screen.query_one(PathInput).value = ""
        for name in folders:
            await pilot.press(key)
            assert pilot.app.screen.query_one(PathInput).value == str(yard / name)


async def test_browsing_shows_folders_only_and_takes_one(yard):
    async with game(yard, start_request.boss_page("golem")).run_test(size=(80, 24)) as pilot:
        await to_arena(pilot, str(yard))
        await pilot.press("ctrl+o")
        await until(pilot, lambda: on(pilot, DirectoryPickerScreen) and "mine" in shown(pilot.app), "the tree")
        assert ".venv" not in shown(pilot.app)
        assert "attempts.sqlite3" not in shown(pilot.app)
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: on(pilot, ArenaScreen), "back in the arena")
        assert pilot.app.screen.query_one(PathInput).value == str(yard / "mine")


async def test_a_folder_can_be_typed_in_the_picker(yard):
    async with game(yard, start_request.boss_page("golem")).run_test(size=(160, 40), notifications=True) as pilot:
        await to_arena(pilot, str(yard))
        await pilot.press("ctrl+o")
        await until(pilot, lambda: on(pilot, DirectoryPickerScreen) and "mine" in shown(pilot.app), "the tree")
        await pilot.press("slash")
        for typed in ("nowhere", "mine"):
            pilot.app.screen.query_one(PathInput).value = str(yard / typed)
            await pilot.press("enter")
            await until(pilot, lambda: on(pilot, ArenaScreen) or "does not exist" in shown(pilot.app), "an answer")
        await until(pilot, lambda: on(pilot, ArenaScreen), "back in the arena")
        assert pilot.app.screen.query_one(PathInput).value == str(yard / "mine")


async def test_only_the_dialogs_keys_are_shown_while_it_is_open(yard):
    async with game(yard, start_request.boss_page("golem")).run_test(size=(80, 24)) as pilot:
        await to_arena(pilot, str(yard))
        await until(pilot, lambda: "strike" in shown(pilot.app).splitlines()[-1], "the arena's keys")
        await pilot.press("ctrl+o")
        await until(pilot, lambda: on(pilot, DirectoryPickerScreen) and "mine" in shown(pilot.app), "the tree")
        assert "⏎ choose" in shown(pilot.app)
        await until(pilot, lambda: not shown(pilot.app).splitlines()[-1].strip(), "no keys of the arena")
        await pilot.press("escape")
        await until(pilot, lambda: "strike" in shown(pilot.app).splitlines()[-1], "the arena's keys again")


async def test_a_starter_never_overwrites(yard):
    (yard / "workshop" / "golem").mkdir(parents=True)
    (yard / "workshop" / "golem" / "mine.py").write_text("x", "utf-8")
    async with game(yard, start_request.boss_page("golem")).run_test(size=(80, 24), notifications=True) as pilot:
        await to_arena(pilot)
        await pilot.press("ctrl+n")
        await until(pilot, lambda: "Opened" in shown(pilot.app), "it is said")
        assert not (yard / "workshop" / "golem" / "main.py").exists()
        assert pilot.app.screen.query_one(PathInput).value == str(yard / "workshop" / "golem")


# Attempts


async def test_attempts_are_listed_newest_first_searched_and_opened(yard):
    remember(yard, "golem", (1, 0, 0), (2, 2, 2))
    remember(yard, "wisp", (1, 1, 1))
    async with game(yard).run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "wounded" in shown(pilot.app), "the roster")
        await pilot.press("a")
        await until(pilot, lambda: "3 attempts" in shown(pilot.app), "the table")
        rows = [line for line in shown(pilot.app).splitlines() if "#" in line]
        assert ["Wisp" in rows[0], "flawless" in rows[1], "fail" in rows[2]] == [True, True, True]
        await pilot.press("slash", *"golem", "enter")
        await until(pilot, lambda: "2 attempts" in shown(pilot.app), "only the golem's")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, AttemptScreen), "one attempt")
        await until(pilot, lambda: "6 of 6" in shown(pilot.app), "its end")
        await pilot.press("F")
        await until(pilot, lambda: "my notes" in shown(pilot.app), "what was handed in")
        for word in ("main.py", "Left out", ".venv/"):
            assert word in shown(pilot.app)


async def test_an_attempt_whose_boss_is_gone_can_still_be_read(yard):
    [attempt] = remember(yard, "golem", (2, 1, 0))
    import shutil

    shutil.rmtree(yard / "bosses" / "golem")
    async with game(yard).run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "Wisp" in shown(pilot.app), "the roster")
        pilot.app.navigator.open_attempt(attempt)
        await until(pilot, lambda: "3 of 6" in shown(pilot.app), "its end")
        assert "level 1" in shown(pilot.app)
        await pilot.press("down", "enter")
        await until(pilot, lambda: "comment because" in shown(pilot.app), "its reasons")


async def test_a_hundred_thousand_attempts_are_read_by_pages(yard):
    from datetime import UTC, datetime

    from evalforge.app.attempts.attempt_table import AttemptTable
    from evalforge.model.attempt import AttemptRow

    asked: list[int] = []

    def reader(start: int, limit: int) -> list[AttemptRow]:
        asked.append(start)
        return [
            AttemptRow(
                id=f"a{i}", boss_id="golem", boss_title="Golem", number=i, state=AttemptState.JUDGED,
                started_at=datetime(2030, 1, 1, tzinfo=UTC), directory="/x", judge="forge", score_total=3, score_max=6,
                integrity=0.5, verdict="borderline", content_hash="h",
            )
            for i in range(start, start + limit)
        ]  # fmt: skip

    async with game(yard).run_test(size=(80, 24)) as pilot:
        await pilot.app.push_screen(AttemptsScreen())
        await until(pilot, lambda: "No fights yet" in shown(pilot.app), "the screen")
        await pilot.pause()
        table = pilot.app.screen.query_one(AttemptTable)
        table.show(100_000, reader, {})
        table.action_move(100_000)  # at once: there isn't even a scrollbar yet
        await until(pilot, lambda: "#99999" in shown(pilot.app), "the last one")
        await pilot.press("home", "pagedown", "down")
        assert table.cursor > 10
        assert len(set(asked)) <= 3


# Welcome and help


async def test_the_first_start_makes_the_training_boss_folder(yard):
    write_pack(yard / "bosses", "training-dummy", "Training Dummy")
    app = game(yard)
    (yard / "welcomed").unlink()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: on(pilot, WelcomeScreen), "the welcome")
        await until(pilot, lambda: "minutes" in shown(app), "the offer")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, ArenaScreen), "the arena")
        assert (yard / "workshop" / "training-dummy" / "main.py").is_file()
    again = EvalForge(services(yard, Teller(lambda _: [])))
    async with again.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Golem" in shown(again), "the roster")
        assert on(pilot, RosterScreen)


@pytest.mark.parametrize("keys", [(), ("b",), ("a",)])
async def test_help_explains_the_screen_one_is_on(yard, keys):
    async with game(yard).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Golem" in shown(pilot.app), "the roster")
        await pilot.press(*keys)
        name = pilot.app.screen.NAME
        await pilot.press("question_mark")
        assert on(pilot, HelpScreen)
        assert name in shown(pilot.app)
        await pilot.press("escape")
        assert not on(pilot, HelpScreen)


@pytest.mark.parametrize("size", [(59, 24), (80, 17), (20, 5), (3, 2)])
async def test_a_terminal_that_is_too_small_is_told_so(yard, size):
    async with game(yard).run_test(size=size) as pilot:
        await pilot.pause()
        if size[0] >= 20:
            assert "Too small" in shown(pilot.app)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "Golem" in shown(pilot.app) and "Too small" not in shown(pilot.app), "the roster")


async def test_an_unknown_boss_asked_for_is_said(yard):
    async with game(yard, start_request.boss_page("nobody")).run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: "no boss called nobody" in shown(pilot.app), "it is said")


def nothing_to_open(path: Path) -> None:
    path.mkdir()


def damaged(path: Path) -> None:
    remember(path.parent, "golem", (2, 1, 0))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE attempts SET started_at = 'yesterday'")


@pytest.mark.parametrize("spoil", [nothing_to_open, damaged])
async def test_an_unreadable_history_is_reported_and_play_goes_on(yard, spoil):
    spoil(yard / "attempts.sqlite3")
    async with game(yard).run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: "No history" in shown(pilot.app), "it is said")
        await pilot.press("enter", "enter")
        await until(pilot, lambda: on(pilot, ArenaScreen), "the arena")


async def test_damage_that_shows_late_ends_the_game_in_words(yard):
    remember(yard, "golem", (2, 1, 0))
    with closing(sqlite3.connect(yard / "attempts.sqlite3", isolation_level=None)) as db:
        db.execute("UPDATE attempts SET levels = '[['")

    async def look() -> None:
        async with game(yard).run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: "wounded" in shown(pilot.app), "history is read")
            pilot.app.action_progress()
            await pilot.pause()

    with pytest.raises(FatalError, match="is damaged and can't be read"):
        await look()
