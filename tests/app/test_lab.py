"""The rubric lab on the screen: every key, what moves and why, and no text ever lost."""

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from evalforge.app.app import EvalForge
from evalforge.app.fight.evidence_screen import EvidenceScreen
from evalforge.app.home.boss_page import BossScreen
from evalforge.app.lab.attempt_picker import AttemptPickerScreen
from evalforge.app.lab.calibration_screen import CalibrationScreen
from evalforge.app.lab.fault_matrix import FaultMatrixScreen
from evalforge.app.lab.judge_comparison import JudgeComparisonScreen
from evalforge.app.lab.rubric_editor import RubricEditor
from evalforge.app.lab.screen import LabScreen
from evalforge.app.screens.confirm import ConfirmScreen
from evalforge.app.ui.widgets.row_list import Rows
from evalforge.calibration.impostor_runs import ProgramCache
from evalforge.history.store import History
from evalforge.judges.base import Case, criterion_event, judged_event
from evalforge.lab.draft import DraftPart
from evalforge.llm.model_options import ModelOptions
from evalforge.model import events as ev
from evalforge.model.cost import Cost
from evalforge.model.evidence import Evidence, Fact, Finding
from evalforge.model.fight_record import FightRecord
from evalforge.model.result import Judgement, Opinion
from evalforge.model.submission import Submission
from evalforge.packs.pack import load_pack
from tests.app import start_request
from tests.app.harness import FORGE, Teller, services, shown, story, until
from tests.lab.conftest import EVIDENCE, RUBRIC, write_small_pack

FACTS = (
    Fact(name="trials.all", value=1.0),
    Fact(name="trials.edges", value=0.7, findings=(Finding(message="an edge is off", path="main.py", line=2),)),
    Fact(name="code.longest_function", value=30),
    Fact(name="code.deciding_functions", value=0),
)
"""Levels 1 and 1: two of four, borderline at a pass line of three."""


class Measuring(Teller):
    """A forge that measures the same of everything, and has a model judge that is easily pleased."""

    def __init__(self, words: str = "because") -> None:
        super().__init__(lambda pack: self._story(pack, words))
        self.asked: list[str] = []

    def _story(self, pack: Any, words: str) -> list[ev.Event]:
        *told, end = story(pack, (1,) * len(pack.rubric.criteria), words)
        return [*told, *(ev.FactMeasured(fact=fact) for fact in FACTS), end]

    async def judge(self, name: str, models: ModelOptions, case: Case) -> AsyncGenerator[ev.Event]:
        self.asked.append(f"{name}:{models.models_to_ask[0]}")
        yield ev.Spent(cost=Cost(usd=0.01, input_tokens=9, output_tokens=9))
        judgements = tuple(
            Judgement(
                criterion_id=one.id, score=one.max_score, comment="I like it", bounded="the edges say no",
                findings=(Finding(message="return x > 1", path="main.py", line=2),),
            )
            for one in case.pack.rubric.criteria
        )  # fmt: skip
        for judgement in judgements:
            yield criterion_event(case.pack.rubric, judgement)
        yield judged_event(case, Opinion(judgements=judgements, summary="Fine.", improvements=()))


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    """One boss with an exemplar, in a folder of the user's own."""
    write_small_pack(tmp_path / "bosses")
    return tmp_path


def game(yard: Path, teller: Teller | None = None, *, lab: bool = True, **more: Any) -> EvalForge:
    start = start_request.lab if lab else start_request.boss_page
    return EvalForge(services(yard, teller or Measuring(), start("golem"), **more))


def on(pilot: Any, screen: type) -> bool:
    return isinstance(pilot.app.screen, screen)


async def scored(pilot: Any) -> LabScreen:
    await until(pilot, lambda: on(pilot, LabScreen), "the lab")
    screen = pilot.app.screen
    await until(pilot, lambda: bool(screen.score_changes and screen.score_changes.by_submission), "everything scored")
    await until(pilot, lambda: not [w for w in pilot.app.workers if w.group == "check" and w.is_running], "at rest")
    return screen


def text(pilot: Any, part: DraftPart = DraftPart.RUBRIC) -> RubricEditor:
    return pilot.app.screen.query_one(f"#{part.value}", RubricEditor)


async def rewrite(pilot: Any, part: DraftPart, old: str, new: str) -> None:
    """Change a text as a paste does, and have it checked."""
    editor = text(pilot, part)
    assert old in editor.text
    editor.text = editor.text.replace(old, new)
    editor.focus()
    await pilot.press("ctrl+s")


def rubric_draft(yard: Path) -> Path:
    (path,) = (yard / "lab" / "drafts").glob("golem-*/pack/golem/rubric.yaml")
    return path


LOWER = ("pass_threshold: 3", "pass_threshold: 2")


# Scoring


async def test_r_opens_the_lab_and_exemplars_are_measured_once(yard: Path) -> None:
    teller = Measuring()
    app = game(yard, teller, lab=False)
    async with app.run_test(size=(140, 45)) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the page")
        await pilot.press("R")
        await scored(pilot)
        assert "2/4  borderline" in shown(app)
        assert "The forge meets 1" in shown(app)
        assert "of 2 gold levels." in shown(app)
        assert "No change so far" in shown(app)
        await rewrite(pilot, DraftPart.RUBRIC, *LOWER)
        await until(pilot, lambda: "borderline → pass" in shown(app), "scored anew")
    assert teller.fights == 1, "a changed rubric needs no other evidence"
    assert teller.saved == [False], "nothing of it is anyone's attempt"


async def test_at_80_columns_the_results_are_below_the_text(yard: Path) -> None:
    release = asyncio.Event()

    class Slow(Measuring):
        async def fight(self, pack: Any, *arguments: Any, **more: Any) -> AsyncGenerator[ev.Event]:
            await release.wait()
            async for event in super().fight(pack, *arguments, **more):
                yield event

    app = game(yard, Slow())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Scoring 1 of 1: solid ..." in shown(app), "what is being scored")
        release.set()
        await scored(pilot)
        assert "2/4  borderline" in shown(app)
        await rewrite(pilot, DraftPart.RUBRIC, *LOWER)
        await until(pilot, lambda: "borderline → pass" in shown(app), "the change")
        assert "pass_threshold: 2" in shown(app), "the text is still there"


async def test_a_changed_pass_line_moves_the_verdict_and_is_named(yard: Path) -> None:
    app = game(yard)
    async with app.run_test(size=(140, 45)) as pilot:
        await scored(pilot)
        await rewrite(pilot, DraftPart.RUBRIC, *LOWER)
        await until(pilot, lambda: "pass at: 3 → 2  rubric.yaml:3" in shown(app), "the cause")
        assert "borderline → pass" in shown(app)
        assert "1 verdict, no levels" in shown(app)
        assert "draft on version 1" in shown(app)
    assert "threshold: 3" in (yard / "bosses" / "golem" / "rubric.yaml").read_text("utf-8")


async def test_typing_alone_is_enough_and_every_key_is_on_the_disk(yard: Path) -> None:
    app = game(yard)
    async with app.run_test(size=(140, 45)) as pilot:
        await scored(pilot)
        text(pilot).move_cursor((2, len("  pass_threshold: 3")))
        await pilot.press("backspace", "2")
        draft = rubric_draft(yard)
        assert "pass_threshold: 2" in draft.read_text("utf-8")
        await until(pilot, lambda: "borderline → pass" in shown(app), "scored without being asked")


async def test_a_changed_rule_shows_old_words_beside_new(yard: Path) -> None:
    app = game(yard)
    async with app.run_test(size=(140, 45)) as pilot:
        await scored(pilot)
        await rewrite(pilot, DraftPart.EVIDENCE, '">= 0.8"', '">= 0.7"')
        await until(pilot, lambda: "1 partly → 2 whole" in shown(app), "the level")
        assert "trials.edges for 'whole': >= 0.8 → >= 0.7" in shown(app)
        assert "evidence.yaml:8" in shown(app)
        assert "The forge meets 2 of 2 gold levels, 1" in shown(app)


async def test_a_fault_shows_beside_its_line_and_sound_scores_stay(yard: Path) -> None:
    app = game(yard)
    async with app.run_test(size=(140, 45)) as pilot:
        await scored(pilot)
        await rewrite(pilot, DraftPart.RUBRIC, *LOWER)
        await until(pilot, lambda: "borderline → pass" in shown(app), "a sound change")
        await rewrite(pilot, DraftPart.EVIDENCE, '">= 0.8"', '"=> 0.8"')
        await until(pilot, lambda: "Not scored: evidence.yaml:8" in shown(app), "it is said")
        assert "borderline → pass" in shown(app)
        assert "a check is one of" in shown(app)
        await pilot.press("escape")
        for _ in range(40):
            await pilot.press("f4")
            if pilot.app.focused is text(pilot, DraftPart.EVIDENCE):
                break
        assert text(pilot, DraftPart.EVIDENCE).cursor_location[0] == 7
        marked = next(line for line in shown(app).splitlines() if "=> 0.8" in line)
        assert "✗" in marked


async def test_a_note_is_followed_with_enter(yard: Path) -> None:
    app = game(yard)
    async with app.run_test(size=(140, 45)) as pilot:
        screen = await scored(pilot)
        await rewrite(pilot, DraftPart.RUBRIC, "pass_threshold: 3", "pass_threshold: 9")
        await until(pilot, lambda: "above the highest possible total" in shown(app), "the note")
        notes = screen.query_one("#notes", Rows)
        notes.focus()
        await pilot.press("home", "enter")
        await until(pilot, lambda: pilot.app.focused is text(pilot), "back in the text")
        assert text(pilot).cursor_location[0] == 2


async def test_the_screen_under_a_dialog_stays_while_rescoring(yard: Path) -> None:
    app = game(yard)
    async with app.run_test(size=(140, 45)) as pilot:
        screen = await scored(pilot)
        await rewrite(pilot, DraftPart.RUBRIC, *LOWER)
        await until(pilot, lambda: "1 verdict" in shown(app), "what moved")
        await pilot.press("escape", "s")
        await until(pilot, lambda: on(pilot, ConfirmScreen), "the question")
        screen._score_changes = screen._draft_check = None
        screen._check()
        app.screen.refresh()
        for _ in range(20):
            assert "RUBRIC LAB" in shown(app)
            await pilot.pause(0)
        await until(pilot, lambda: screen.score_changes is not None, "scored again")
        await until(pilot, lambda: "1 verdict" in shown(app), "told below the question")


async def test_words_and_rules_side_by_side_say_what_changed_alone(yard: Path) -> None:
    app = game(yard)
    async with app.run_test(size=(120, 40)) as pilot:
        await scored(pilot)
        await rewrite(pilot, DraftPart.EVIDENCE, '">= 0.8"', '">= 0.6"')
        await pilot.press("escape", "4")
        await until(pilot, lambda: "Only the conditions changed" in shown(app), "what changed alone")
        assert any("- trials.edges >= 0.6" in line for line in shown(app).splitlines())
        await pilot.press("enter")
        assert app.focused is text(pilot, DraftPart.RUBRIC)


async def test_long_lines_are_wrapped_and_marked_once(yard: Path) -> None:
    app = game(yard)
    async with app.run_test(size=(80, 24)) as pilot:
        await scored(pilot)
        await rewrite(pilot, DraftPart.RUBRIC, "pass_threshold: 3", "pass_threshold: 99   # " + "word " * 30 + "end")
        await until(pilot, lambda: "99 is above the highest" in shown(app), "what is wrong")
        lines = shown(app).splitlines()
        at = next(index for index, line in enumerate(lines) if "pass_threshold: 99" in line)
        end = next(index for index, line in enumerate(lines) if line.rstrip().endswith("end"))
        assert end > at
        assert ["✗" in line for line in lines[at : end + 1]] == [True] + [False] * (end - at)


# Ways around


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_tabs_are_opened_by_f2_digits_e_and_escape(yard: Path, size: tuple[int, int]) -> None:
    app = game(yard)
    async with app.run_test(size=size) as pilot:
        await scored(pilot)
        assert app.focused is text(pilot)
        await pilot.press("f2")
        assert app.focused is text(pilot, DraftPart.EVIDENCE)
        await pilot.press("escape")
        moves = app.screen.query_one("#moves", Rows)
        assert app.focused is moves
        assert "2/4" in shown(app)
        for key, part in (("1", DraftPart.RUBRIC), ("2", DraftPart.EVIDENCE)):
            await pilot.press(key)
            assert app.focused is text(pilot, part)
            await pilot.press("escape")
            await pilot.press("e")
            assert app.focused is text(pilot, part)
            await pilot.press("escape", "3")
            assert app.focused is moves
        await pilot.press("escape")
        await until(pilot, lambda: not on(pilot, LabScreen), "out")


async def test_letters_are_typed_into_a_text_and_do_nothing_else(yard: Path) -> None:
    app = game(yard)
    async with app.run_test(size=(80, 24)) as pilot:
        await scored(pilot)
        await pilot.press("s", "J", "x", "question_mark")
        assert on(pilot, LabScreen)
        assert text(pilot).text.startswith("sJx?rubric_id")
        assert "J judges" not in shown(app)


async def test_enter_opens_the_evidence_of_an_exhibit_by_the_draft(yard: Path) -> None:
    app = game(yard)
    async with app.run_test(size=(140, 45)) as pilot:
        await scored(pilot)
        await pilot.press("escape", "enter")
        await until(pilot, lambda: on(pilot, EvidenceScreen), "the evidence")
        await until(pilot, lambda: "return x > 1" in shown(app), "its line of code")


# The draft


async def test_a_draft_is_kept_and_discarded_only_when_asked_twice(yard: Path) -> None:
    app = game(yard)
    async with app.run_test(size=(140, 45)) as pilot:
        await scored(pilot)
        await rewrite(pilot, DraftPart.RUBRIC, *LOWER)
        await pilot.press("escape", "escape")
        await until(pilot, lambda: not on(pilot, LabScreen), "left")
    app = game(yard)
    async with app.run_test(size=(140, 45), notifications=True) as pilot:
        await scored(pilot)
        await until(pilot, lambda: "borderline → pass" in shown(app), "it was kept")
        await pilot.press("escape", "x")
        await until(pilot, lambda: on(pilot, ConfirmScreen), "the question")
        await pilot.press("n", "x", "y")
        await until(pilot, lambda: "a copy is kept" in shown(app), "said where")
        assert text(pilot).text == RUBRIC
        await until(pilot, lambda: "version 1, unchanged" in shown(app), "anew")
    assert list((yard / "lab").rglob("kept/*/rubric.yaml"))


async def test_s_saves_a_version_and_the_boss_page_shows_it(yard: Path) -> None:
    app = game(yard, lab=False)
    async with app.run_test(size=(140, 45), notifications=True) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the page")
        await pilot.press("3", "R")
        await scored(pilot)
        await rewrite(pilot, DraftPart.RUBRIC, *LOWER)
        await until(pilot, lambda: "borderline → pass" in shown(app), "moved")
        await pilot.press("escape", "s")
        await until(pilot, lambda: on(pilot, ConfirmScreen) and "1 verdict, no levels" in shown(app), "the question")
        await pilot.press("y")
        await until(pilot, lambda: on(pilot, LabScreen) and "version 2, unchanged" in shown(app), "the new one")
        await scored(pilot)
        await pilot.press("escape", "escape")
        await until(pilot, lambda: on(pilot, BossScreen) and "Pass at 2 of 4" in shown(app), "the page knows")
    pack = yard / "bosses" / "golem"
    assert "pass_threshold: 2" in (pack / "rubric.yaml").read_text("utf-8")
    assert (pack / "versions" / "0001" / "rubric.yaml").read_text("utf-8") == RUBRIC


async def test_a_text_that_cannot_be_scored_is_not_saved(yard: Path) -> None:
    app = game(yard)
    async with app.run_test(size=(140, 45), notifications=True) as pilot:
        await scored(pilot)
        await rewrite(pilot, DraftPart.EVIDENCE, "works:", "works: [")
        await until(pilot, lambda: "not valid YAML" in shown(app), "the note")
        await pilot.press("escape", "s")
        await until(pilot, lambda: "Can't be saved yet" in shown(app), "why")
    assert (yard / "bosses" / "golem" / "evidence.yaml").read_text("utf-8") == EVIDENCE


async def test_what_another_editor_writes_is_taken_up(yard: Path) -> None:
    app = game(yard)
    async with app.run_test(size=(140, 45)) as pilot:
        await scored(pilot)
        rubric_draft(yard).write_text(RUBRIC.replace(*LOWER), "utf-8")
        await until(pilot, lambda: "borderline → pass" in shown(app), "noticed and scored")
        assert "pass_threshold: 2" in text(pilot).text


@pytest.mark.parametrize(("variable", "words"), [("", "Which editor?"), ("/bin/true", "No editor can be opened")])
async def test_ctrl_o_asks_for_an_editor_or_names_the_text(
    yard: Path, monkeypatch: pytest.MonkeyPatch, variable: str, words: str
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", variable)
    app = game(yard)
    async with app.run_test(size=(140, 45), notifications=True) as pilot:
        await scored(pilot)
        await pilot.press("ctrl+o")
        await until(pilot, lambda: words in shown(app), words)


async def test_a_second_lab_on_the_same_boss_is_warned(yard: Path) -> None:
    first, second = game(yard), game(yard)
    async with first.run_test(size=(80, 24)) as pilot:
        await scored(pilot)
        async with second.run_test(size=(80, 24), notifications=True) as other:
            await until(other, lambda: "No lab" in shown(second), "why")


async def test_an_exemplar_that_cannot_be_measured_says_why(yard: Path) -> None:
    teller = Teller(lambda _: [ev.Ungraded(reason="the cage did not open")])
    app = game(yard, teller)
    async with app.run_test(size=(140, 45)) as pilot:
        await until(pilot, lambda: "not scored: the cage did not open" in shown(app), "the reason")
        await pilot.press("escape", "J", "c", "enter")
        assert on(pilot, LabScreen), "there is nothing to compare"


# Past tries


def remember(yard: Path, count: int) -> list[str]:
    pack = load_pack(yard / "bosses" / "golem")
    submission = services(yard, Measuring()).collect(pack, pack.exemplars[0])
    ids = []
    with History(yard / "attempts.sqlite3") as history:
        for _ in range(count):
            told = story(pack, (1, 1))
            end = next(event for event in told if isinstance(event, ev.Judged))
            ids.append(history.begin("golem", "Golem", pack.rubric_hash, "/x/mine", FORGE, submission))
            history.finish(ids[-1], FightRecord(events=told, facts=[*FACTS], isolation="full", conclusion=end))
    return ids


async def test_chosen_attempts_are_measured_and_scored(yard: Path) -> None:
    remember(yard, 3)
    teller = Measuring()
    app = game(yard, teller)
    async with app.run_test(size=(140, 45)) as pilot:
        await scored(pilot)
        await pilot.press("escape", "a")
        await until(pilot, lambda: on(pilot, AttemptPickerScreen) and "attempt 3" in shown(app), "the tries")
        await pilot.press("space", "down", "space", "space", "enter")
        await until(pilot, lambda: on(pilot, LabScreen) and "1 exemplar, 1 attempt" in shown(app), "one of them")
        await pilot.press("a", "a", "enter")
        await until(pilot, lambda: "1 exemplar, 3 attempts" in shown(app), "all of them")
        assert set(teller.saved) == {False}, "nothing of it is a new attempt"
        await rewrite(pilot, DraftPart.RUBRIC, *LOWER)
        await until(pilot, lambda: "4 verdicts" in shown(app), "all move")
        await pilot.press("escape", "a", "a", "escape")
        await until(pilot, lambda: on(pilot, LabScreen), "cancel")
        assert "1 exemplar, 3 attempts" in shown(app)
        await pilot.press("a", "a", "enter")
        await until(pilot, lambda: "1 verdict" in shown(app), "none of them")


# Two judges


async def test_v_compares_before_and_after_at_the_first_difference(yard: Path) -> None:
    app = game(yard)
    async with app.run_test(size=(140, 45)) as pilot:
        await scored(pilot)
        await rewrite(pilot, DraftPart.EVIDENCE, '"<= 40"', '"<= 20"')
        await until(pilot, lambda: "1 parts → 0 lump" in shown(app), "moved")
        await pilot.press("escape", "J")
        await until(pilot, lambda: on(pilot, JudgeComparisonScreen) and "forge, after" in shown(app), "two judges")
        await until(pilot, lambda: "2/4 borderline" in shown(app) and "1/4 fail" in shown(app), "both")
        row = next(line for line in shown(app).splitlines() if "Shape" in line)
        assert "◆" in row
        assert "parts" in row
        assert "lump" in row
        assert app.screen.query_one("#criteria", Rows).key == "shape"
        await pilot.press("e")
        await until(pilot, lambda: on(pilot, EvidenceScreen) and "SHAPE" in shown(app), "the left one's evidence")
        await pilot.press("escape", "E")
        await until(pilot, lambda: on(pilot, EvidenceScreen) and "lump" in shown(app), "the right one's")
        await pilot.press("escape", "escape")
        await until(pilot, lambda: on(pilot, LabScreen), "back")


async def test_what_many_trials_found_is_listed_once(yard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unrun = tuple(Finding(message="not run: it hung", trial=f"trial {number}") for number in range(3))
    edges = FACTS[1].model_copy(update={"findings": unrun})
    monkeypatch.setattr("tests.app.test_lab.FACTS", (FACTS[0], edges, *FACTS[2:]))
    app = game(yard, lab=False)
    async with app.run_test(size=(140, 45)) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the page")
        await pilot.press("J")
        await until(pilot, lambda: on(pilot, JudgeComparisonScreen) and "Points at" in shown(app), "the findings")
        assert shown(app).count("not run: it hung") == 1


async def test_an_unavailable_judge_says_why_beside_the_other(yard: Path) -> None:
    app = game(yard, lab=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the page")
        await pilot.press("J")
        await until(pilot, lambda: on(pilot, JudgeComparisonScreen) and "ANTHROPIC_API_KEY" in shown(app), "why not")
        assert "2/4 borderline" in shown(app)
        await pilot.press("1")
        await until(pilot, lambda: shown(app).count("could not judge") == 2, "claude on both sides")
        await pilot.press("2", "2", "escape")
        await until(pilot, lambda: on(pilot, BossScreen), "back")


async def test_a_model_is_asked_on_enter_alone_and_its_bounds_shown(yard: Path) -> None:
    remember(yard, 1)
    teller = Measuring()
    models = ModelOptions(models=("small", "large"), base_url="http://127.0.0.1:9")
    app = game(yard, teller, lab=False, models=models)
    async with app.run_test(size=(140, 45)) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the page")
        await pilot.press("J")
        await until(pilot, lambda: on(pilot, JudgeComparisonScreen) and "asks, free" in shown(app), "the price")
        assert teller.asked == []
        await pilot.press("enter")
        await until(pilot, lambda: "4/4 flawless" in shown(app), "its word")
        assert teller.asked == ["claude:small"]
        for words in ("I like it", "Capped by the evidence: the edges say no", "main.py:2", "$0.0100"):
            assert words in shown(app)
        await pilot.press("1")
        await pilot.press("1")
        await until(pilot, lambda: "claude:large" in shown(app) and "asks, free" in shown(app), "two models")
        await pilot.press("enter")
        await until(pilot, lambda: shown(app).count("4/4 flawless") == 2, "both")
        assert teller.asked == ["claude:small", "claude:large"]
        assert "attempt 1" in shown(app)
        await pilot.press("n")
        await until(pilot, lambda: "solid  2 of 2" in shown(app), "the next hand-in")
        await pilot.press("p", "pagedown", "pageup", "down")
        await until(pilot, lambda: "attempt 1  1 of 2" in shown(app), "and back")


# Calibration


async def to_calibration(pilot: Any) -> CalibrationScreen:
    await scored(pilot)
    await pilot.press("escape", "c")
    await until(pilot, lambda: on(pilot, CalibrationScreen), "the pictures")
    await until(pilot, lambda: not [w for w in pilot.app.workers if w.group == "figures" and w.is_running], "drawn")
    return pilot.app.screen


async def test_c_shows_confusion_intervals_and_disagreements(yard: Path) -> None:
    app = game(yard)
    async with app.run_test(size=(140, 45)) as pilot:
        await to_calibration(pilot)
        picture = shown(app)
        for words in ("forge  against  gold", "gold / judged", "0 of 1", "exact agreement", "50 %", "Gold: it runs"):
            assert words in picture, words
        assert "WHERE THEY DIFFER  1 of 2" in picture
        assert "gold 2 whole → judged 1 partly" in picture
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, EvidenceScreen) and "WORKS" in shown(app), "the exemplar behind it")
        await until(pilot, lambda: "return x > 1" in shown(app), "its lines")
        await pilot.press("escape", "escape")
        await until(pilot, lambda: on(pilot, LabScreen), "back")


async def test_at_80_columns_the_pictures_are_turned_one_by_one(yard: Path) -> None:
    app = game(yard)
    async with app.run_test(size=(80, 24)) as pilot:
        await to_calibration(pilot)
        await until(pilot, lambda: "gold / judged" in shown(app), "confusion first")
        assert "←→ tab" in shown(app).splitlines()[-1]
        await pilot.press("right")
        await until(pilot, lambda: "exact agreement" in shown(app), "agreement")
        await pilot.press("3")
        await until(pilot, lambda: "WHERE THEY DIFFER" in shown(app), "differences")
        assert "←→ tab" in shown(app).splitlines()[-1]
        await pilot.press("left", "left", "1", "2", "3", "enter")
        await until(pilot, lambda: on(pilot, EvidenceScreen), "one key away here too")


async def test_before_and_after_can_be_compared_as_two_judges(yard: Path) -> None:
    app = game(yard)
    async with app.run_test(size=(140, 45)) as pilot:
        await scored(pilot)
        await rewrite(pilot, DraftPart.EVIDENCE, '"<= 40"', '"<= 20"')
        await until(pilot, lambda: "1 parts → 0 lump" in shown(app), "moved")
        await to_calibration(pilot)
        assert "forge, as drafted  against  gold" in shown(app)
        await pilot.press("a")
        await until(pilot, lambda: "against  forge, as saved" in shown(app), "against the other")
        await until(pilot, lambda: "the other 1 parts → judged 0 lump" in shown(app), "where they differ")
        await pilot.press("j")
        await until(pilot, lambda: "forge, as saved  against  gold" in shown(app), "the next judge")


async def test_a_model_round_is_confirmed_priced_kept_and_compared(yard: Path) -> None:
    teller = Measuring()
    models = ModelOptions(models=("small",), base_url="http://127.0.0.1:9")
    app = game(yard, teller, models=models)
    async with app.run_test(size=(140, 45)) as pilot:
        await to_calibration(pilot)
        await pilot.press("c")
        await until(pilot, lambda: on(pilot, ConfirmScreen) and "1 exemplar, each free" in shown(app), "the price")
        await pilot.press("y")
        await until(pilot, lambda: "claude small, " in shown(app) and "against  gold" in shown(app), "its round")
        await until(pilot, lambda: "gold 1 parts → judged 2 fine" in shown(app), "what it saw otherwise")
        await pilot.press("C")
        await until(pilot, lambda: on(pilot, ConfirmScreen) and "Ask panel?" in shown(app), "a panel")
        await pilot.press("y")
        await until(pilot, lambda: "panel small, " in shown(app), "its round")
        await pilot.press("a", "a")
        await until(pilot, lambda: "against  claude small" in shown(app), "two rounds of models")
        await until(pilot, lambda: "No disagreements." in shown(app), "agreed")
    stored = list((yard / "lab" / "rounds" / "golem").glob("*.json"))
    assert sorted(json.loads(path.read_text("utf-8"))["judge"]["name"] for path in stored) == ["claude", "panel"]


async def test_a_round_without_a_key_says_what_is_missing(yard: Path) -> None:
    app = game(yard)
    async with app.run_test(size=(140, 45), notifications=True) as pilot:
        await to_calibration(pilot)
        await pilot.press("c")
        await until(pilot, lambda: "ANTHROPIC_API_KEY" in shown(app), "why not")


# What each fault costs

FAULTS = """\
right: [{name: solid, exemplar: solid, design: "One function."}]
impostors:
  - id: off-by-one
    of: solid
    owner: works
    level: 1
    clause: Build
    says: Build
    fault: "The limit itself is above."
    riddle: "One step too early."
    change: [{file: main.py, old: "x > 1", new: "x >= 1"}]
faults:
  - id: long-name
    of: solid
    owner: shape
    level: 0
    fault: "A name that says nothing."
    change: [{file: main.py, old: "decide(x)", new: "decide(x, y=0)"}]
"""


def keep_evidence(yard: Path) -> None:
    """Evidence of the right program and of two wrong ones, as a measuring would keep it."""
    pack = load_pack(yard / "bosses" / "golem")
    program = {"main.py": "def decide(x):\n    return x > 1\n"}
    off = {"main.py": program["main.py"].replace("x > 1", "x >= 1")}
    named = {"main.py": program["main.py"].replace("decide(x)", "decide(x, y=0)")}
    good = tuple(fact.model_copy(update={"value": 1.0}) for fact in FACTS[:2]) + FACTS[2:]
    kept = ProgramCache(pack, yard)
    kept.programs.store(Submission.of(program).content_hash, Evidence(facts=good))
    kept.programs.store(Submission.of(named).content_hash, Evidence(facts=good))
    long = (*FACTS[:2], Fact(name="code.longest_function", value=90), FACTS[3])
    kept.programs.store(Submission.of(off).content_hash, Evidence(facts=long))
    kept.tests.store(Submission.of(program).content_hash, Evidence())


async def test_m_says_how_to_measure_faults(yard: Path) -> None:
    app = game(yard)
    async with app.run_test(size=(140, 45)) as pilot:
        await scored(pilot)
        await pilot.press("escape", "m")
        await until(pilot, lambda: "evalforge calibrate golem --faults" in shown(app), "what to run")


async def test_m_shows_which_criteria_fall_by_which_faults(yard: Path) -> None:
    folder = yard / "bosses" / "golem" / "impostors"
    folder.mkdir()
    (folder / "impostors.yaml").write_text(FAULTS, "utf-8")
    keep_evidence(yard)
    app = game(yard)
    async with app.run_test(size=(140, 45)) as pilot:
        await scored(pilot)
        await pilot.press("escape", "m")
        await until(pilot, lambda: "1 of 2 faults lower their own criterion; 1 lowers another." in shown(app), "sums")
        picture = shown(app)
        assert "NOT CHARGED EXACTLY ONCE  2" in picture
        assert "Shape falls to 0" in picture
        assert "Shape stays at 1" in picture


# For everyone


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (160, 50)])
async def test_every_screen_of_the_lab_has_its_keys_at_every_size(yard: Path, size: tuple[int, int]) -> None:
    remember(yard, 1)
    app = game(yard)
    async with app.run_test(size=size) as pilot:
        await scored(pilot)
        for key, screen in (
            ("", LabScreen),
            ("J", JudgeComparisonScreen),
            ("c", CalibrationScreen),
            ("m", FaultMatrixScreen),
            ("a", AttemptPickerScreen),
        ):
            if key:
                await pilot.press("escape", key)
            await until(pilot, lambda screen=screen: on(pilot, screen) and "esc" in shown(app), "the way out")
            await until(pilot, lambda: "help" in shown(app) or on(pilot, AttemptPickerScreen), "and help")


@pytest.mark.parametrize("theme", ["ember", "terminal"])
async def test_hostile_words_stay_words_and_ascii_stays_ascii(yard: Path, theme: str) -> None:
    pack = yard / "bosses" / "golem"
    words = "[/nope] [@click=app.quit]x[/]"
    for name in ("rubric.yaml", "evidence.yaml"):
        path = pack / name
        path.write_text(
            path.read_text("utf-8").replace("whole", "'" + words + "'").replace("Edges are off.", f"'{words}'")
        )
    (pack / "rubric.yaml").write_text(
        (pack / "rubric.yaml").read_text("utf-8").replace("label: Shape", f"label: '{words}'")
    )
    app = game(yard, Measuring(words), ascii_only=True, theme=theme)
    async with app.run_test(size=(140, 45), notifications=True) as pilot:
        await scored(pilot)
        await rewrite(pilot, DraftPart.EVIDENCE, '"<= 40"', '"<= 20"')
        await until(pilot, lambda: "[/nope]" in shown(app), "as words")
        for keys in ((), ("escape", "J"), ("escape", "c"), ("escape", "x")):
            await pilot.press(*keys)
            await pilot.pause()
            assert shown(app).isascii(), keys
