"""Impostors in the game: masks that shatter or laugh in a fight, and what the tests made of each."""

from functools import partial
from pathlib import Path

import pytest

from evalforge.app.app import EvalForge
from evalforge.app.attempts.detail import AttemptScreen
from evalforge.app.attempts.replay_screen import ReplayScreen
from evalforge.app.fight.evidence_screen import EvidenceScreen
from evalforge.app.fight.impostor_list import ImpostorList
from evalforge.app.fight.stage.impostor_row import ImpostorRow
from evalforge.app.home.boss_page import BossScreen
from evalforge.app.screens.directory_dialog import DirectoryPickerScreen
from evalforge.history.store import History
from evalforge.model import events as ev
from evalforge.model.errors import SubmissionError
from evalforge.model.evidence import Fact, Finding, ImpostorFate, ImpostorResult
from evalforge.model.fight_record import FightRecord
from evalforge.packs.pack import load_pack
from evalforge.submissions.collect import collect
from tests.app import start_request
from tests.app.harness import FORGE, Teller, phase, services, shown, story, until, write_pack, write_solution

UNMASKED, THROUGH, UNTRIED = ImpostorFate.UNMASKED, ImpostorFate.LET_THROUGH, ImpostorFate.NOT_TRIED
FATES = (UNMASKED, THROUGH, UNMASKED, UNTRIED)
WRONG = Finding(message="`test_wrong` fails on a program that keeps the contract.", path="tests/test_main.py", line=9)
REASON = "Most tests need more of the program than the contract names."


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    write_pack(tmp_path / "bosses", "golem", "Stone Golem")
    write_solution(tmp_path / "mine")
    (tmp_path / "mine" / "tests" / "test_main.py").write_text("x = 1\n" * 7 + "def test_wrong(): ...\n", "utf-8")
    return tmp_path


def met(fates=FATES, wrong=(), inner=(), wavering=(), reason="") -> list[ev.Event]:
    """What the tests made of impostors: of those at even places by a test in ``tests/test_main.py``."""
    results = [
        ImpostorResult(
            id=f"i{i}", owner="c1", clause=f"CLAUSE {i}", riddle=f"Riddle {i}.", fate=fate,
            **({"test": f"test_{i}", "path": "tests/test_main.py", "line": 8} if fate is UNMASKED else {}),
        )
        for i, fate in enumerate(fates)
    ]  # fmt: skip
    tried = [fate for fate in fates if fate is not UNTRIED]
    share = None if reason else tried.count(UNMASKED) / max(1, len(tried))
    named = {"wrong_expectations": wrong, "inner": inner, "wavering": wavering}
    facts = [Fact(name=f"tests.{name}", value=len(found), findings=tuple(found)) for name, found in named.items()]
    why = (Finding(message=reason),) if reason else ()
    facts += [Fact(name="tests.unmasked", value=share, findings=why), Fact(name="tests.contract", value=5)]
    return [*(ev.ImpostorMet(impostor=one) for one in results), *(ev.FactMeasured(fact=fact) for fact in facts)]


def with_impostors(pack, **more) -> list[ev.Event]:
    """A fight in which impostors come after the trials."""
    events = story(pack, (2, 1, 0))
    first = next(i for i, event in enumerate(events) if isinstance(event, ev.CriterionJudged))
    return [*events[:first], *met(**more), *events[first:]]


def game(yard: Path, tell=with_impostors, opening=None, **more) -> EvalForge:
    opening = opening or start_request.fight("golem", str(yard / "mine"))
    return EvalForge(services(yard, Teller(tell), opening, **more))


async def trials_shown(pilot) -> None:
    await until(pilot, lambda: phase(pilot.app) == "DONE", "the fight is over")
    await pilot.press("l")
    await pilot.pause()


def masks(pilot) -> str:
    """The impostors' row as text."""
    at = pilot.app.screen.query_one(ImpostorRow).region
    return "\n".join(line[at.x : at.right] for line in shown(pilot.app).splitlines()[at.y : at.bottom])


def whole_list(pilot) -> str:
    """All lines of the list of impostors, those out of sight included."""
    listed = pilot.app.screen.query_one(ImpostorList)
    lines = (listed.line(y) for y in range(listed.virtual_size.height))
    return "\n".join("".join(text for text, _ in line) for line in lines)


# In the fight


@pytest.mark.parametrize("motion", ["none", "reduced", "full"])
async def test_masks_end_shattered_or_laughing_whatever_moves(yard, motion):
    app = game(yard, motion=motion)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "IMPOSTORS" in shown(app) or phase(app) == "DONE", "the impostors")
        await pilot.press("space")
        await trials_shown(pilot)
        text = masks(pilot)
        assert "2 of 3 caught" in text
        assert "1 missed" in text
        assert text.count("▁▂✓▂▁") == 2
        assert text.count("▀█▄█▀") == 1
        assert text.count("· · ·") == 1


async def test_masks_are_on_until_all_is_known(yard):
    app = EvalForge(services(yard, Teller(with_impostors, 11), start_request.fight("golem", str(yard / "mine"))))
    async with app.run_test(size=(140, 45)) as pilot:
        await until(pilot, lambda: "4 to catch" in shown(app), "the impostors")
        assert masks(pilot).count("▀▄█▄▀") == 4
        assert "caught" not in shown(app)


async def test_ascii_tells_masks_apart(yard):
    app = game(yard, ascii_only=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await trials_shown(pilot)
        assert shown(app).count(".,+,.") == 2
        assert shown(app).count("(^_^)") == 1
        assert shown(app).isascii()


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (140, 45)])
@pytest.mark.parametrize("count", [1, 21, 40, 77])
async def test_any_number_of_masks_fits(yard, size, count):
    fates = [UNMASKED if index % 3 else THROUGH for index in range(count)]
    app = game(yard, lambda pack: with_impostors(pack, fates=fates))
    async with app.run_test(size=size) as pilot:
        await trials_shown(pilot)
        row = pilot.app.screen.query_one(ImpostorRow)
        assert row.region.bottom <= row.parent.region.bottom
        assert row.parent.region.height - row.region.height >= 2
        unmasked = fates.count(UNMASKED)
        assert any(f"{unmasked}{of}{count} caught" in shown(app) for of in ("/", " of "))


async def test_a_wrong_test_is_named_with_its_place(yard):
    app = game(yard, lambda pack: with_impostors(pack, wrong=[WRONG]))
    async with app.run_test(size=(140, 45)) as pilot:
        await trials_shown(pilot)
        assert "! 1 wrong test" in shown(app)
        assert "tests/test_main.py:9: test_wrong fails on a program that keeps the contract." in shown(app)


async def test_tests_that_could_not_meet_them_break_no_mask(yard):
    app = game(yard, lambda pack: with_impostors(pack, reason=REASON))
    async with app.run_test(size=(140, 45)) as pilot:
        await trials_shown(pilot)
        assert "4 to catch, not measured" in shown(app)
        assert masks(pilot).count("▀▄█▄▀") == 4
        assert REASON in shown(app)


async def test_a_fight_without_impostors_shows_no_row(yard):
    app = game(yard, lambda pack: story(pack, (2, 1, 0)))
    async with app.run_test(size=(80, 24)) as pilot:
        await trials_shown(pilot)
        assert not pilot.app.screen.query_one(ImpostorRow).display
        assert "IMPOSTORS" not in shown(app)


# Stored


def stored(yard: Path, events: list[ev.Event]) -> str:
    """The id of an attempt that was fought so."""
    pack = load_pack(yard / "bosses" / "golem")
    record = FightRecord(submission=collect(yard / "mine"))
    for event in events:
        record.add(event)
    with History(yard / "attempts.sqlite3") as history:
        name, directory = pack.definition.title, str(yard / "mine")
        attempt = history.begin("golem", name, pack.rubric_hash, directory, FORGE, record.submission)
        history.finish(attempt, record)
    return attempt


async def opened_attempt(pilot, attempt: str) -> None:
    pilot.app.navigator.open_attempt(attempt)
    await until(pilot, lambda: isinstance(pilot.app.screen, AttemptScreen), "the attempt")
    await pilot.pause()


async def test_a_stored_attempt_and_its_replay_show_the_same_masks(yard):
    attempt = stored(yard, with_impostors(load_pack(yard / "bosses" / "golem"), wrong=[WRONG]))
    async with game(yard, opening=start_request.ROSTER).run_test(size=(140, 45)) as pilot:
        await opened_attempt(pilot, attempt)
        await pilot.press("l")
        await pilot.pause()
        kept = masks(pilot)
        assert "2 of 3 caught" in kept
        assert "! 1 wrong test" in kept
        await pilot.press("p")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen), "the replay")
        await until(pilot, lambda: "the end" in shown(pilot.app), "its end")
        pilot.app.screen.action_turn("log-view")
        await pilot.pause()
        assert masks(pilot) == kept


async def test_an_attempt_from_before_impostors_shows_no_row(yard):
    attempt = stored(yard, story(load_pack(yard / "bosses" / "golem"), (2, 1, 0)))
    async with game(yard, opening=start_request.ROSTER).run_test(size=(80, 24)) as pilot:
        await opened_attempt(pilot, attempt)
        await pilot.press("l")
        await pilot.pause()
        assert not pilot.app.screen.query_one(ImpostorRow).display


# Among the evidence

INNER = Finding(message="`test_inner` uses names that only your program has.", path="x.py", line=3)


async def evidence_opened(pilot) -> None:
    await until(pilot, lambda: phase(pilot.app) == "DONE", "the fight is over")
    await pilot.press("down", "enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, EvidenceScreen), "the evidence")
    await pilot.press("5")
    await until(pilot, lambda: pilot.app.screen.query_one(ImpostorList).display, "the impostors")
    await pilot.pause()


@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
async def test_wrong_tests_come_first_then_riddles_then_unmasked(yard, size):
    tell = partial(with_impostors, wrong=[WRONG], inner=[INNER], wavering=[INNER])
    async with game(yard, tell).run_test(size=size) as pilot:
        await evidence_opened(pilot)
        text = whole_list(pilot)
        said = (
            "These tests fail on a right program", "test_wrong fails", "tests/test_main.py:9", "Missed  1",
            "Riddle 1.", "CLAUSE 1", "Caught  2", "Riddle 0.", "test_0", "tests/test_main.py:8",
            "Unstable tests", "Inner tests",
        )  # fmt: skip
        assert not [words for words in said if words not in text], text
        places = [text.index(words) for words in said]
        assert places == sorted(places)


async def test_enter_on_a_test_shows_its_code_and_what_it_did(yard):
    async with game(yard).run_test(size=(140, 45)) as pilot:
        await evidence_opened(pilot)
        await pilot.press("down", "enter")
        await until(pilot, lambda: "def test_wrong(): ..." in shown(pilot.app), "the test's code")
        assert "tests/test_main.py:8" in shown(pilot.app)
        assert "Catches: Riddle 0." in shown(pilot.app)


async def test_the_line_of_a_test_far_below_is_in_sight(yard):
    source = "x = 1\n" * 90 + "def test_wrong(): ...\n"
    (yard / "mine" / "tests" / "test_main.py").write_text(source, "utf-8")
    far = WRONG.model_copy(update={"line": 91})
    async with game(yard, partial(with_impostors, wrong=[far])).run_test(size=(80, 24)) as pilot:
        await evidence_opened(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: "def test_wrong(): ..." in shown(pilot.app), "the test's code")


async def test_the_editor_opens_at_the_test_under_the_cursor(yard, monkeypatch):
    opened = []
    monkeypatch.setattr("evalforge.app.screens.edit.edit", lambda _, file, line: opened.append((file.name, line)))
    async with game(yard, partial(with_impostors, wrong=[WRONG])).run_test(size=(80, 24)) as pilot:
        await evidence_opened(pilot)
        await pilot.press("e")
        await until(pilot, lambda: opened == [("test_main.py", 9)], "the editor")


async def test_t_opens_the_editor_where_a_test_is_to_be_written(yard, monkeypatch):
    opened = []
    monkeypatch.setattr("evalforge.app.screens.edit.edit", lambda _, file, line: opened.append((file.name, line)))
    async with game(yard).run_test(size=(80, 24)) as pilot:
        await evidence_opened(pilot)
        await pilot.press("t")
        await until(pilot, lambda: opened == [("test_main.py", 9)], "the editor")
        await pilot.press("1")
        await pilot.pause()
        assert not pilot.app.screen.check_action("write_test", ())


async def test_h_quotes_the_contract_among_the_evidence(yard):
    with_file_of_impostors(yard)
    (yard / "bosses" / "golem" / "impostors" / "impostors.yaml").write_text(IMPOSTORS, "utf-8")
    async with game(yard).run_test(size=(140, 45)) as pilot:
        await evidence_opened(pilot)
        await pilot.press("h")
        await until(pilot, lambda: "The contract says: “ends with a full stop”" in shown(pilot.app), "the hint")
        assert pilot.app.screen.query_one(ImpostorList).display


async def test_a_riddle_opens_nothing(yard):
    async with game(yard).run_test(size=(80, 24)) as pilot:
        await evidence_opened(pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert pilot.app.screen.query_one(ImpostorList).display
        assert not pilot.app.screen.check_action("edit", ())


@pytest.mark.parametrize(
    ("tell", "sentence"),
    [
        (partial(with_impostors, reason=REASON), REASON),
        (partial(with_impostors, fates=(), reason="This boss has no impostors."), "This boss has no impostors."),
        (lambda pack: story(pack, (2, 1, 0)), "This was judged before impostors existed."),
    ],
)
async def test_where_nothing_was_measured_a_sentence_says_why(yard, tell, sentence):
    async with game(yard, tell).run_test(size=(80, 24)) as pilot:
        await evidence_opened(pilot)
        assert sentence in whole_list(pilot)
        assert "Missed" not in whole_list(pilot)


async def test_a_stored_attempt_lists_the_same(yard):
    attempt = stored(yard, with_impostors(load_pack(yard / "bosses" / "golem"), wrong=[WRONG]))
    async with game(yard, opening=start_request.ROSTER).run_test(size=(80, 24)) as pilot:
        await opened_attempt(pilot, attempt)
        await pilot.press("down", "enter", "5")
        await until(pilot, lambda: "test_wrong fails" in shown(pilot.app), "the wrong test")


# Practice


async def practice(pilot) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, BossScreen), "the boss's page")
    await pilot.press("i")


def with_file_of_impostors(yard: Path) -> Path:
    (yard / "bosses" / "golem" / "impostors").mkdir()
    (yard / "bosses" / "golem" / "impostors" / "impostors.yaml").write_text(IMPOSTORS, "utf-8")
    return yard


async def test_i_runs_the_last_folders_tests_and_keeps_nothing(yard):
    with_file_of_impostors(yard)
    stored(yard, story(load_pack(yard / "bosses" / "golem"), (2, 1, 0)))
    app = game(yard, partial(with_impostors, wrong=[WRONG]), start_request.boss_page("golem"))
    async with app.run_test(size=(140, 45)) as pilot:
        await practice(pilot)
        await until(pilot, lambda: "test_wrong fails" in shown(app), "the list")
        assert "2 of 3 caught" in masks(pilot)
        assert "5 tests met them" in shown(app)
        await pilot.press("r")
        await until(pilot, lambda: "test_wrong fails" in shown(app), "once more")
        await pilot.press("enter")
        await until(pilot, lambda: "def test_wrong(): ..." in shown(app), "the test's code")
        await pilot.press("escape")
        await until(pilot, lambda: "Riddle 1." in shown(app), "the list again")
        assert len(app.session.history().page()) == 1
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, BossScreen), "the boss's page again")


IMPOSTORS = """
right: [{name: flawless, exemplar: flawless, design: "One file."}]
impostors:
  - {id: i1, of: flawless, owner: c1, level: 1, clause: WORDS, says: "ends with a full stop", fault: "It doesn't end.",
     riddle: "Riddle 1.", change: [{file: main.py, old: "a", new: "b"}]}
"""


async def test_h_quotes_the_contract_below_a_riddle(yard):
    with_file_of_impostors(yard)
    stored(yard, story(load_pack(yard / "bosses" / "golem"), (2, 1, 0)))
    app = game(yard, opening=start_request.boss_page("golem"))
    async with app.run_test(size=(80, 24)) as pilot:
        await practice(pilot)
        await until(pilot, lambda: "Riddle 1." in shown(app), "the list")
        assert "full stop" not in shown(app)
        await pilot.press("h")
        await until(pilot, lambda: "The contract says: “ends with a full stop”" in shown(app), "the hint")
        assert not app.screen.check_action("hint", ())
        await pilot.press("r")
        await until(pilot, lambda: app.screen.check_action("hint", ()), "the tests have run again")
        assert "full stop" not in shown(app)


async def test_without_a_last_folder_one_is_asked_for(yard):
    with_file_of_impostors(yard)
    app = game(yard, opening=start_request.boss_page("golem"))
    async with app.run_test(size=(80, 24)) as pilot:
        await practice(pilot)
        await until(pilot, lambda: isinstance(app.screen, DirectoryPickerScreen), "the folders")
        await pilot.press("escape")
        await until(pilot, lambda: "choose the folder that holds your tests" in shown(app), "what to do")
        await pilot.press("ctrl+o")
        await until(pilot, lambda: isinstance(app.screen, DirectoryPickerScreen), "the folders")
        app.screen.dismiss(yard / "mine")
        await until(pilot, lambda: "Riddle 1." in shown(app), "the list")


@pytest.mark.parametrize(
    "trouble",
    [SubmissionError("There is nothing to run.", "Write a test."), ev.Ungraded(reason="There is nothing to run.")],
)
async def test_tests_that_could_not_be_run_are_said_to_be(yard, trouble):
    with_file_of_impostors(yard)
    stored(yard, story(load_pack(yard / "bosses" / "golem"), (2, 1, 0)))
    app = game(yard, lambda _: [trouble], start_request.boss_page("golem"))
    async with app.run_test(size=(80, 24)) as pilot:
        await practice(pilot)
        await until(pilot, lambda: "There is nothing to run." in shown(app), "the reason")


async def test_a_boss_without_impostors_offers_no_practice(yard):
    app = game(yard, opening=start_request.boss_page("golem"))
    async with app.run_test(size=(140, 45)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, BossScreen), "the boss's page")
        assert "impostors" not in shown(app)
        await pilot.press("i")
        await pilot.pause()
        assert isinstance(app.screen, BossScreen)
