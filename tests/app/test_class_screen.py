"""The screen of a class: every key, on a small class that was judged before, and once on one that is judged here."""

import asyncio
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import DirectoryTree, Input

from evalforge.app.app import EvalForge
from evalforge.app.attempts.detail import AttemptScreen
from evalforge.app.classroom.class_list import ClassesScreen
from evalforge.app.classroom.dialogs import CommentScreen, LevelSetter, OverrideScreen
from evalforge.app.classroom.screen import ClassExportScreen, ClassScreen
from evalforge.app.classroom.wall import ClassWall
from evalforge.app.core.navigation import StartRequest
from evalforge.app.fight.arena import ArenaScreen
from evalforge.app.home.boss_list import BossList
from evalforge.app.home.boss_page import BossScreen
from evalforge.app.home.roster import RosterScreen
from evalforge.app.screens.confirm import ConfirmScreen
from evalforge.app.screens.directory_dialog import DirectoryPickerScreen
from evalforge.app.ui.widgets.path_input import PathInput
from evalforge.app.ui.widgets.row_list import Rows
from evalforge.classroom.class_run import ClassOptions, ClassRun
from evalforge.history.listing import AttemptFilter
from evalforge.history.store import History
from evalforge.packs.pack import load_pack
from tests.app import start_request
from tests.app.harness import Teller, services, shown, until
from tests.command_line import run
from tests.conftest import REPOSITORY
from tests.database import execute_sql

pytestmark = pytest.mark.usefixtures("warm_engine")

BOSS = "training-dummy"
PACK = REPOSITORY / "bosses" / BOSS
OPTIONS = ClassOptions(workers=2)
CLASS = {"ash": "flawless", "birch": "weak", "cedar": "weak", "dogwood": "first-win"}


def hand_in(place: Path, name: str, exemplar: str) -> None:
    """A hand-in without tests of its own: it is judged sooner."""
    shutil.rmtree(place / name, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", "test_*", "gold.yaml")
    shutil.copytree(PACK / "exemplars" / exemplar, place / name, ignore=ignored)


async def judge(place: Path, history: Path) -> None:
    with History(history) as store:
        async with aclosing(ClassRun(load_pack(PACK), place, store, OPTIONS).events()) as events:
            async for _ in events:
                pass


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class that was judged twice: two wrote the same, one did better the second time, one handed in nothing."""
    folder = tmp_path_factory.mktemp("past")
    for name, exemplar in CLASS.items():
        hand_in(folder / "class", name, exemplar)
    (folder / "class" / "elm").mkdir()
    asyncio.run(judge(folder / "class", folder / "attempts.sqlite3"))
    hand_in(folder / "class", "dogwood", "flawless")
    asyncio.run(judge(folder / "class", folder / "attempts.sqlite3"))
    return folder


@pytest.fixture
def yard(past: Path, tmp_path: Path) -> Path:
    """Its history, to be written to; the hand-ins stay where they are."""
    for path in past.glob("attempts.sqlite3*"):
        shutil.copy(path, tmp_path)
    (tmp_path / "class").symlink_to(past / "class")
    (tmp_path / "workshop").mkdir()
    return tmp_path


def game(yard: Path, opening: StartRequest, **more) -> EvalForge:
    return EvalForge(services(yard, Teller(lambda _: []), opening, bosses=(REPOSITORY / "bosses",), **more))


def on_class(yard: Path, options: ClassOptions = OPTIONS) -> StartRequest:
    return start_request.class_judging(BOSS, (yard / "class").resolve(), options)


def on(pilot: Pilot[None], screen: type) -> bool:
    return isinstance(pilot.app.screen, screen)


def says(pilot: Pilot[None], *words: str) -> bool:
    return all(word in shown(pilot.app) for word in words)


@asynccontextmanager
async def opened(yard: Path, size: tuple[int, int] = (120, 40), **more) -> AsyncIterator[Pilot[None]]:
    """The class, every row settled and the report there."""
    async with game(yard, on_class(yard), **more).run_test(size=size) as pilot:
        await until(pilot, lambda: on(pilot, ClassScreen) and says(pilot, "nothing had changed"), "the class is read")
        yield pilot


@pytest.mark.parametrize(("size", "ascii_only"), [((80, 24), False), ((140, 45), False), ((60, 18), True)])
async def test_a_class_that_was_judged_is_there_at_once(yard, size, ascii_only):
    async with opened(yard, size, ascii_only=ascii_only) as pilot:
        await until(pilot, lambda: says(pilot, "5 of 5", *CLASS, "elm", "unusable"), "every row")
        assert shown(pilot.app).isascii() or not ascii_only
        tabs = ("against impostors", "Changes", "Similarity alone", "Unreadable arguments", "mean", "verdict")
        for number, words in enumerate(tabs, start=1):
            await pilot.press(str(8 - number))
            await until(pilot, lambda words=words: says(pilot, words), words)


async def test_enter_on_the_wall_opens_the_fight_under_the_cursor(yard):
    async with opened(yard) as pilot:
        await pilot.press("right")
        assert pilot.app.screen.query_one(ClassWall).key == "birch"
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, AttemptScreen), "the fight")
        await pilot.press("escape")
        await until(pilot, lambda: on(pilot, ClassScreen), "back on the wall")
        await pilot.press("end", "enter")
        assert on(pilot, ClassScreen)
        await until(pilot, lambda: says(pilot, "holds no file that can be judged"), "why there is none")


async def test_the_wall_is_walked_and_clicked(yard):
    async with opened(yard, (80, 24)) as pilot:
        wall = pilot.app.screen.query_one(ClassWall)
        for key, name in (("down", "cedar"), ("left", "birch"), ("end", "elm"), ("home", "ash"), ("pagedown", "elm")):
            await pilot.press(key)
            assert wall.key == name
            description = re.compile(rf"\b{name}  (\d of \d, |unusable: )")
            await until(pilot, lambda line=description: line.search(shown(pilot.app)), f"what {name} has")
        await pilot.click(ClassWall, offset=(4, 0))
        assert wall.key == "ash"
        await pilot.click(ClassWall, offset=(4, 0))
        await until(pilot, lambda: on(pilot, AttemptScreen), "the fight")


async def test_the_table_is_searched_filtered_and_sorted(yard):
    async with opened(yard) as pilot:
        await pilot.press("2")
        table = pilot.app.screen.query_one("#table-view Rows", Rows)
        await pilot.press("slash", *"wood", "enter")
        await until(pilot, lambda: table.keys == ("dogwood",), "only the dogwood")
        await pilot.press("escape")
        await until(pilot, lambda: len(table.keys) == 5, "all again")
        await pilot.press("s")
        await until(pilot, lambda: table.keys[0] in ("birch", "cedar"), "the worst first")
        await until(pilot, lambda: says(pilot, "worst first"), "in which order")
        await pilot.press("f", "f")
        await until(pilot, lambda: set(table.keys) == {"birch", "cedar"}, "who did not pass")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, AttemptScreen), "the fight")


async def test_a_level_a_cluster_and_a_pair_open_to_those_in_it(yard):
    async with opened(yard) as pilot:
        table = pilot.app.screen.query_one("#table-view Rows", Rows)
        for side, members in (("3", {"ash", "dogwood"}), ("4", {"ash", "dogwood"}), ("5", {"ash", "dogwood"})):
            await pilot.press(side)
            await pilot.pause()
            await pilot.press("enter")
            await until(pilot, lambda members=members: set(table.keys) == members, side)
            await until(pilot, lambda: says(pilot, "2 shown"), "how many")
            await pilot.press("escape")
            await until(pilot, lambda: len(table.keys) == 5, "all again")


async def test_who_is_stuck_and_who_looks_alike_are_told_in_full(yard):
    async with opened(yard) as pilot:
        await pilot.press("4")
        await pilot.press("end")
        await until(pilot, lambda: says(pilot, "2 submissions", "birch, cedar", "The trials they fail"), "the cluster")
        await pilot.press("5")
        await until(pilot, lambda: says(pilot, "100 %", "Similarity alone proves nothing", "dummy.py:"), "the pair")
        await pilot.press("6")
        await until(pilot, lambda: says(pilot, "Changes (1)", "the submission changed", "Without a score (1)"), "moved")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, AttemptScreen), "the fight of who moved")


@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
async def test_what_tests_of_a_class_miss_opens_to_who_misses_it(tmp_path, size):
    wrong = (
        "import dummy\n\ndef test_blow(capsys):\n    dummy.main(['A'])\n    assert capsys.readouterr().out == 'A!'\n"
    )
    right = wrong.replace("'A!'", "'Thwack! A lands blow 1.\\n'")
    for name, tests in (("ash", right), ("birch", right), ("cedar", wrong)):
        hand_in(tmp_path / "class", name, "flawless")
        (tmp_path / "class" / name / "test_dummy.py").write_text(tests)
    (tmp_path / "workshop").mkdir()
    await judge(tmp_path / "class", tmp_path / "attempts.sqlite3")
    async with opened(tmp_path, size) as pilot:
        await pilot.press("7")
        await until(pilot, lambda: says(pilot, "What the tests miss", "3 of 3", "Refusals"), "who is missed")
        await pilot.press("end")
        await until(pilot, lambda: says(pilot, "cedar: test_blow fails", "test_dummy.py:3"), "the wrong expectation")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, AttemptScreen), "the fight it is in")
        await pilot.press("escape", "home", "enter")
        table = pilot.app.screen.query_one("#table-view Rows", Rows)
        await until(pilot, lambda: set(table.keys) == {"ash", "birch", "cedar"}, "those who miss it")
        await until(pilot, lambda: says(pilot, "whose tests miss"), "why these")


@pytest.mark.parametrize("side", ["1", "2", "6"])
async def test_where_there_is_no_fight_to_read_none_is_offered(yard, side):
    async with opened(yard) as pilot:
        await pilot.press(side, "home")
        await until(pilot, lambda: "⏎ open" in shown(pilot.app).splitlines()[-1], "one that was fought")
        await pilot.press("end")
        await until(pilot, lambda: says(pilot, "holds no file that can be judged"), "the one that was not")
        await until(pilot, lambda: "⏎ open" not in shown(pilot.app).splitlines()[-1], "nothing to open")
        await pilot.press("enter")
        await pilot.pause()
        assert on(pilot, ClassScreen)


async def test_a_level_is_set_with_a_reason_and_taken_back(yard):
    async with opened(yard) as pilot:
        await pilot.press("2", "down", "e")
        await until(pilot, lambda: on(pilot, OverrideScreen), "the levels")
        await pilot.press("enter")
        await until(pilot, lambda: says(pilot, "This level already counts."), "what is missing")
        await pilot.press("right", "enter", "enter")
        await until(pilot, lambda: says(pilot, "Give a reason.", "⏎ save"), "what is missing, and the key")
        await pilot.press(*"late", "enter")
        await until(pilot, lambda: on(pilot, ClassScreen), "the class")
        place = pilot.app.screen.class_state.row_states["birch"]
        judged = place.row.judged.score_total
        assert place.result.score_total > judged
        await pilot.press("6")
        await until(pilot, lambda: says(pilot, "Set by a person (1)", "late"), "what was said")
        with History(yard / "attempts.sqlite3") as history:
            assert history.overrides.of(place.row.attempt_id).in_force[0].reason == "late"
            assert history.get(place.row.attempt_id).result.score_total == judged
        await pilot.press("2", "e", "left", "enter", *"no", "enter")
        await until(
            pilot, lambda: pilot.app.screen.class_state.row_states["birch"].total == judged, "the judge's word again"
        )


async def test_the_space_key_sets_half_a_level(yard):
    async with opened(yard) as pilot:
        await pilot.press("2", "down", "e")
        await until(pilot, lambda: on(pilot, OverrideScreen), "the levels")
        setter = pilot.app.screen.query_one(LevelSetter)
        judged = setter.judged_score
        await pilot.press("space")
        half = setter.score
        assert abs(half - judged) == 0.5
        score = f" {half:g}  between "
        await until(pilot, lambda: says(pilot, score, f"(judged {judged:g})", "More than "), "what half a level means")
        await pilot.press("space")
        assert setter.score in (judged, judged - 1)
        await pilot.press("space", "enter", *"half", "enter")
        await until(pilot, lambda: on(pilot, ClassScreen), "the class")
        total = pilot.app.screen.class_state.row_states["birch"].total
        assert total % 1 == 0.5
        await pilot.press("3")
        await until(pilot, lambda: says(pilot, f"{setter.score:g}  between "), "its own line among the levels")


async def test_escape_leaves_the_levels_as_they_were(yard):
    async with opened(yard) as pilot:
        await pilot.press("e", "left", "enter", *"x", "escape")
        assert on(pilot, OverrideScreen)
        await pilot.press("escape")
        await until(pilot, lambda: on(pilot, ClassScreen), "the class")
        assert pilot.app.screen.class_state.row_states["ash"].row.revised is None


async def test_a_comment_to_a_student_is_exported_and_taken_back(yard):
    async with opened(yard) as pilot:
        await pilot.press("2", "down", "c")
        await until(pilot, lambda: on(pilot, CommentScreen), "the line to write in")
        await pilot.press("enter")
        await until(pilot, lambda: says(pilot, "Write something first."), "what is missing")
        await pilot.press(*"See me", "enter")
        await until(pilot, lambda: on(pilot, ClassScreen), "the class")
        with History(yard / "attempts.sqlite3") as history:
            comments = history.comments.of_class(str((yard / "class").resolve()), BOSS)
            assert {row_id: [one.text for one in kept] for row_id, kept in comments.items()} == {"birch": ["See me"]}
        await pilot.press("x", "f")
        reports = lambda: list((yard / "workshop").rglob("*birch*"))  # noqa: E731
        await until(pilot, lambda: any("See me" in path.read_text() for path in reports()), "what the student reads")
        await pilot.press("c", "down", "enter")
        await until(pilot, lambda: not pilot.app.screen.class_state.row_states["birch"].row.comments, "taken back")


async def test_a_level_and_a_comment_are_for_everybody_in_a_cluster(yard):
    async with opened(yard) as pilot:
        await pilot.press("4", "down")
        await until(pilot, lambda: says(pilot, "birch, cedar"), "the two who fail alike")
        await pilot.press("c", *"Read on", "enter")
        states = pilot.app.screen.class_state.row_states
        await until(pilot, lambda: on(pilot, ClassScreen), "the class")
        assert [name for name, state in states.items() if state.row.comments == ("Read on",)] == ["birch", "cedar"]
        await pilot.press("e")
        await until(
            pilot, lambda: on(pilot, OverrideScreen) and says(pilot, "2 submissions that fail alike"), "the levels"
        )
        await pilot.press("right", "enter", *"read it", "enter")
        await until(pilot, lambda: on(pilot, ClassScreen), "the class")
        raised = [name for name, state in states.items() if state.row.revised and state.row.revised.in_force]
        assert raised == ["birch", "cedar"]


async def test_a_cluster_says_where_levels_differ(yard):
    async with opened(yard) as pilot:
        await pilot.press("2", "down", "e", "right", "enter", *"alone", "enter")
        await until(pilot, lambda: on(pilot, ClassScreen), "one level is set")
        states = pilot.app.screen.class_state.row_states
        judged = states["cedar"].total
        assert states["birch"].total > judged
        await pilot.press("4", "down", "e")
        await until(pilot, lambda: says(pilot, "levels differ"), "no level is pretended")
        await pilot.press("right", "right", "enter", *"both", "enter")
        await until(pilot, lambda: on(pilot, ClassScreen), "the class")
        assert (states["birch"].total, states["cedar"].total) == (judged, judged)


async def test_a_class_is_handed_out_and_nothing_is_written_over(yard):
    async with opened(yard) as pilot:
        for _ in range(2):
            await pilot.press("x")
            await until(pilot, lambda: on(pilot, ClassExportScreen), "the forms")
            await pilot.press("c")
            await until(pilot, lambda: on(pilot, ClassScreen), "the class")
        tables = yard / "workshop"
        await until(pilot, lambda: len(list(tables.glob("evalforge-class-training-dummy-2*.csv"))) == 2, "two tables")
        await pilot.press("x", "a")
        folder = tables / "evalforge-class-training-dummy-2-2"
        plain = tables / "evalforge-class-training-dummy-2"
        await until(pilot, lambda: (plain / "gradescope" / "ash" / "results.json").exists(), "everything")
        assert not folder.exists()
        assert {path.name for path in plain.iterdir()} > {"class.html", "class.csv", "class.json", "feedback", "github"}


@pytest.mark.parametrize("keys", [("j",), ("down", "down", "down", "enter")])
async def test_a_form_is_taken_by_its_letter_or_from_the_list(yard, keys):
    async with opened(yard) as pilot:
        await pilot.press("x")
        await until(pilot, lambda: on(pilot, ClassExportScreen) and says(pilot, "everything, as data"), "the forms")
        await pilot.press(*keys)
        await until(pilot, lambda: bool(list((yard / "workshop").glob("*.json"))), "the data")


async def test_an_export_never_lands_among_the_hand_ins(yard):
    async with opened(yard, starter_folder=(yard / "class").resolve()) as pilot:
        before = sorted(path.name for path in (yard / "class").iterdir())
        await pilot.press("x", "f")
        beside = (yard / "class").resolve().parent
        await until(pilot, lambda: bool(list(beside.glob("*-feedback/elm.md"))), "beside the class")
        assert sorted(path.name for path in (yard / "class").iterdir()) == before


@pytest.mark.usefixtures("own_engine")
@pytest.mark.parametrize("motion", ["full", "none"])
async def test_a_run_that_is_stopped_goes_on_where_it_was(tmp_path, motion):
    for name in ("ash", "birch", "cedar"):
        hand_in(tmp_path / "class", name, "first-win")
        (tmp_path / "class" / name / "who.md").write_text(name, "utf-8")
    app = game(tmp_path, on_class(tmp_path, ClassOptions(workers=1)), motion=motion)
    async with app.run_test(size=(100, 30)) as pilot:
        await until_long(
            pilot, lambda: on(pilot, ClassScreen) and pilot.app.screen.class_state.settled_count >= 1, "one is settled"
        )
        await pilot.press("escape")
        await until_long(pilot, lambda: says(pilot, "r continues"), "it says how to go on")
        done = pilot.app.screen.class_state.settled_count
        assert says(pilot, f"{done} of 3", "every result so far is kept")
        kept = count_judged(tmp_path)  # perhaps one more than was shown: the stop may come just as a fight ends
        await pilot.press("r")
        end = f"{plural(3 - kept)} judged in" if kept < 3 else "nothing had changed"
        await until_long(pilot, lambda: says(pilot, end, "3 of 3"), "the rest alone is judged")
        wall = pilot.app.screen.query_one(ClassWall)
        await until_long(pilot, lambda: not wall._moving, "nothing moves any more")
        await pilot.press("escape")
        await until(pilot, lambda: not on(pilot, ClassScreen), "the roster")
    assert count_judged(tmp_path) == 3


def count_judged(yard) -> int:
    with History(yard / "attempts.sqlite3") as history:
        return history.count(AttemptFilter(state="judged", with_classes=True))


def plural(count: int) -> str:
    return f"{count} submission{'s' if count != 1 else ''}"


async def until_long(pilot: Pilot[None], holds, what: str) -> None:
    """Judging takes its time on a busy machine."""
    for _ in range(1200):
        if holds():
            return
        await pilot.pause(0.05)
    raise AssertionError(f"it never came to this: {what}\n{shown(pilot.app)}")


async def test_what_keeps_a_class_from_being_judged_is_said(tmp_path):
    (tmp_path / "class").mkdir()
    async with game(tmp_path, on_class(tmp_path)).run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: on(pilot, ClassScreen) and says(pilot, "holds no submissions"), "the reason")
        await pilot.press("escape")
        assert not on(pilot, ClassScreen)


# The ways to a class


async def test_a_past_class_is_opened_from_the_boss(yard):
    async with game(yard, start_request.boss_page(BOSS)).run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the boss")
        await pilot.press("C")
        await until(pilot, lambda: on(pilot, ClassesScreen) and says(pilot, "5 rows", "run 2"), "the past class")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, ClassScreen) and says(pilot, "nothing had changed"), "the class")
        await pilot.press("escape")
        await until(pilot, lambda: on(pilot, ClassesScreen) and says(pilot, "run 2"), "back: looking is no run")
        assert "run 3" not in shown(pilot.app)


async def test_the_first_class_asks_for_its_folder(yard):
    (yard / "attempts.sqlite3").unlink()
    async with game(yard, start_request.boss_page(BOSS), starter_folder=yard / "class").run_test(
        size=(100, 30)
    ) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the boss")
        await pilot.press("C")
        await until(pilot, lambda: on(pilot, DirectoryPickerScreen), "the folders")
        await pilot.press("escape", "ctrl+n")
        await until(pilot, lambda: on(pilot, DirectoryPickerScreen), "the folders again")
        await until(pilot, lambda: bool(pilot.app.screen.query_one(DirectoryTree).root.children), "what is in it")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, ConfirmScreen), "the question")
        count = sum(path.is_dir() for path in (yard / "class").iterdir())
        assert says(pilot, "Let forge judge a whole class?", f"{count} folders")
        await pilot.press("n")
        await until(pilot, lambda: on(pilot, ClassesScreen), "nothing was judged")


async def test_a_class_that_lies_nowhere_any_more_is_said(yard):
    execute_sql(yard / "attempts.sqlite3", "UPDATE class_runs SET source = '/nowhere/at/all'")
    async with game(yard, start_request.boss_page(BOSS)).run_test(size=(100, 30), notifications=True) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the boss")
        await pilot.press("C", "enter")
        await until(pilot, lambda: says(pilot, "is not there any more"), "the reason")
        assert on(pilot, ClassesScreen)


async def test_a_judge_that_costs_money_is_asked_only_after_a_yes(yard):
    with History(yard / "attempts.sqlite3") as history:
        before = history.count(AttemptFilter(with_classes=True))
    execute_sql(
        yard / "attempts.sqlite3", "UPDATE class_runs SET judge_info = json_set(judge_info, '$.name', 'claude')"
    )
    async with game(yard, start_request.boss_page(BOSS)).run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the boss")
        await pilot.press("C")
        await until(pilot, lambda: on(pilot, ClassesScreen) and says(pilot, "claude judge"), "the past class")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, ConfirmScreen) and says(pilot, "$"), "the price")
        await pilot.press("n")
        await until(pilot, lambda: on(pilot, ClassesScreen), "nothing was judged")
    with History(yard / "attempts.sqlite3") as history:
        assert history.count(AttemptFilter(with_classes=True)) == before


async def test_search_keeps_its_keys_to_itself(yard):
    async with opened(yard) as pilot:
        await pilot.press("slash", *"e1so")
        assert pilot.app.screen.query_one("#search", Input).value == "e1so"
        await until(pilot, lambda: says(pilot, "Nobody matches."), "nobody")


@pytest.mark.parametrize(
    ("more", "words"),
    [(["--csv", "t.csv"], "--csv and --screen don't go together"), ([], "The game needs a terminal")],
)
def test_an_impossible_request_is_refused_before_drawing(yard, more, words):
    ended = run("batch", BOSS, (yard / "class").resolve(), "--screen", *more)
    assert (ended.returncode, words in ended.stderr, ended.stdout) == (2, True, "")


async def test_a_teacher_is_not_offered_a_students_folder(yard):
    async with opened(yard, (80, 24)) as pilot:
        await pilot.press("escape")
        await until(pilot, lambda: on(pilot, RosterScreen), "the roster")
        await pilot.pause()
        assert not says(pilot, "continues with")
        pilot.app.screen.query_one(BossList).point(BOSS)
        pilot.app.screen.action_fight()
        await until(pilot, lambda: on(pilot, ArenaScreen) and pilot.app.screen.query(PathInput), "the arena")
        await pilot.pause()
        assert pilot.app.screen.query_one(PathInput).value == ""


async def test_a_search_leaves_the_table_where_it_was(yard):
    async with opened(yard, (80, 24)) as pilot:
        await pilot.press("2")
        rows = pilot.app.screen.query_one("#table-view Rows")
        await until(pilot, lambda: rows.region.width > 0, "the table")
        before = rows.region
        await pilot.press("slash", "b")
        await until(pilot, lambda: says(pilot, "to the list"), "the search")
        assert (rows.region.x, rows.region.width) == (before.x, before.width)
