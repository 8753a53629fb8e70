"""The fight: events strike the boss, the bar adds up, keys do what they say."""

from pathlib import Path

import pytest
from textual.events import MouseScrollUp

from evalforge.app.app import EvalForge
from evalforge.app.attempts.comparison_screen import ComparisonScreen
from evalforge.app.fight.evidence_screen import EvidenceScreen
from evalforge.app.fight.rewards import Reward
from evalforge.app.fight.screen import FightScreen
from evalforge.app.fight.stage.criterion_board import CriterionBoard
from evalforge.app.fight.stage.hp_bar import HpBar
from evalforge.app.fight.stage.stage import Stage
from evalforge.app.ui.widgets.banner import Banner
from evalforge.app.ui.widgets.key_bar import KeyBar
from evalforge.app.ui.widgets.painting import brief
from evalforge.history import store
from evalforge.history.reader import read_attempt
from evalforge.history.store import History
from evalforge.model import events as ev
from evalforge.model.errors import SubmissionError
from evalforge.model.evidence import TrialOutcome
from evalforge.model.fight_record import FightRecord
from evalforge.model.followed_advice import AdviceState, FollowedAdvice
from evalforge.packs.pack import load_pack
from evalforge.submissions.collect import collect
from tests.app import start_request
from tests.app.harness import FORGE, Teller, phase, services, shown, story, until, write_pack, write_solution
from tests.app.test_screens import remember
from tests.conftest import REPOSITORY


@pytest.fixture
def arena(tmp_path: Path):
    """A game that opens in a fight; give it the story to tell."""
    write_pack(tmp_path / "bosses", "golem", "Stone Golem")
    folder = write_solution(tmp_path / "mine")

    def build(teller: Teller, **more) -> EvalForge:
        return EvalForge(services(tmp_path, teller, start_request.fight("golem", str(folder)), **more))

    return build


def tells(*levels: int, words: str = "because", **more) -> Teller:
    return Teller(lambda pack: story(pack, levels, words), **more)


async def fought(pilot) -> None:
    await until(pilot, lambda: phase(pilot.app) == "DONE", "the fight is over")


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ((2, 2, 2), ["FLAWLESS", "2 of 2"]),
        ((2, 1, 1), ["DOWN", "0 of 2"]),
        ((2, 1, 0), ["HP 25 %", "flawless ╌"]),
        ((1, 0, 0), ["HP 75 %", "flawless ╌"]),
    ],
)
async def test_an_end_is_one_number_and_no_grade(arena, levels, words):
    async with arena(tells(*levels)).run_test(size=(80, 24)) as pilot:
        await fought(pilot)
        text = shown(pilot.app)
        for word in words:
            assert word in text
        for word in ("INTEGRITY", "DAMAGE", "borderline", "short of", "falls", "summary because"):
            assert word not in text


async def test_every_criterion_shows_its_level_in_words(arena):
    async with arena(tells(2, 1, 0)).run_test(size=(80, 24)) as pilot:
        await fought(pilot)
        for index, level in enumerate((2, 1, 0)):
            line = next(text for text in shown(pilot.app).splitlines() if f"  Criterion {index}" in text)
            assert f"level {level}" in line
            assert line.count("●") == level


@pytest.mark.parametrize("boss", ["forge-titan", "furnace-controller", "log-leviathan"])
@pytest.mark.parametrize("size", [(60, 18), (80, 24), (100, 30), (120, 40)])
async def test_every_criterion_of_a_shipped_boss_is_in_sight(tmp_path, boss, size):
    folder = write_solution(tmp_path / "mine")
    pack = load_pack(REPOSITORY / "bosses" / boss)
    labels = [criterion.label for criterion in pack.rubric.criteria]
    teller = tells(*(1 for _ in labels))
    given = services(tmp_path, teller, start_request.fight(boss, str(folder)), bosses=(REPOSITORY / "bosses",))
    async with EvalForge(given).run_test(size=size) as pilot:
        await fought(pilot)
        for label in labels:
            assert f"  {brief(label, 14)}" in shown(pilot.app)
        assert pilot.app.screen.query_one(CriterionBoard).max_scroll_y == 0


async def test_enter_opens_reason_evidence_and_next_level(arena):
    async with arena(tells(2, 1, 0)).run_test(size=(120, 40)) as pilot:
        await fought(pilot)
        await pilot.press("down", "down", "enter")
        text = shown(pilot.app)
        for word in ("CRITERION 1", "1 of 2", "comment because", "finding because", "mainbecause.py"):
            assert word in text
        await pilot.press("3")
        await until(pilot, lambda: "The next level: level 2" in shown(pilot.app), "the next level")
        await pilot.press("2")
        await until(pilot, lambda: "call because" in shown(pilot.app), "the trial's story")
        assert "result because" in shown(pilot.app)
        await pilot.press("escape", "escape")
        assert pilot.app.screen.query_one(Stage).side_panel.view == "verdict"


async def test_the_cursor_takes_the_open_criterion_along(arena):
    async with arena(tells(2, 1, 0)).run_test(size=(120, 40)) as pilot:
        await fought(pilot)
        await pilot.press("down", "down")
        await until(pilot, lambda: "1 of 2" in shown(pilot.app), "the second criterion's story")


async def test_a_click_on_the_bar_opens_its_criterion(arena):
    async with arena(tells(2, 1, 0)).run_test(size=(80, 24)) as pilot:
        await fought(pilot)
        await pilot.click(HpBar, offset=(70, 2))
        assert pilot.app.screen.query_one(Stage).side_panel.view == "story"
        assert pilot.app.screen.query_one(CriterionBoard).cursor == 0


async def test_a_click_on_a_key_presses_it(arena):
    teller = tells(1, 1, 1)
    async with arena(teller).run_test(size=(80, 24)) as pilot:
        await fought(pilot)
        line = shown(pilot.app).splitlines()[-1]
        await pilot.click(KeyBar, offset=(line.index("r again"), 0))
        await until(pilot, lambda: teller.fights == 2, "a second fight")


async def test_r_fights_again_from_the_same_folder(arena):
    teller = tells(1, 1, 1)
    async with arena(teller).run_test(size=(80, 24)) as pilot:
        await fought(pilot)
        await pilot.press("r")
        await until(pilot, lambda: teller.fights == 2 and phase(pilot.app) == "DONE", "a second fight")
        assert len({folder for folder, _ in teller.handed_in}) == 1


async def test_escape_stops_judging_and_lets_the_forge_go(arena):
    teller = tells(2, 2, 2, stop_after=6)
    async with arena(teller).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "1/2" in shown(pilot.app), "trials are shown")
        await pilot.press("escape")
        await until(pilot, lambda: teller.closed == 1, "the stream is closed")
        text = shown(pilot.app)
        assert "HP 100 %" in text
        assert "stopped" in text
        assert text.count("not judged") == 3
        assert "Trial 0 because" in text
        keys = text.splitlines()[-1]
        assert "r again" in keys
        assert not any(word in keys for word in ("evidence", "verdict", "compare"))
        await pilot.press("escape")
        assert not isinstance(pilot.app.screen, FightScreen)


async def test_escape_shows_the_verdict_once_it_is_judged(tmp_path):
    write_pack(tmp_path / "bosses", "golem", "Stone Golem")
    folder = write_solution(tmp_path / "mine")

    def kept(pack):
        return story(pack, (2, 2, 2), save_as=remember(tmp_path, "golem", (2, 2, 2))[0])

    opening = start_request.fight("golem", str(folder))
    app = EvalForge(services(tmp_path, Teller(kept), opening, motion="full"))
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "esc to the verdict" in shown(app), "it is judged while it is shown")
        assert phase(app) == "JUDGING"
        assert "esc stop" not in shown(app)
        await pilot.press("escape")
        await fought(pilot)
        await until(pilot, lambda: "2 of 2" in shown(app), "all of it")
        assert "Nothing was scored" not in shown(app)
        assert "First blood" in shown(app)
        await pilot.press("escape")
        await until(pilot, lambda: "1 briefing" in shown(app), "the page of the boss")
        await pilot.press("escape")
        await until(pilot, lambda: "flawless" in shown(app), "the roster knows")


async def test_after_a_stop_the_standings_are_read_again(tmp_path):
    write_pack(tmp_path / "bosses", "golem", "Stone Golem")
    folder = write_solution(tmp_path / "mine")

    def kept(pack):
        remember(tmp_path, "golem", (2, 1, 0))
        return story(pack, (2, 1, 0))

    app = EvalForge(services(tmp_path, Teller(kept, stop_after=6), start_request.fight("golem", str(folder))))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "1/2" in shown(app), "trials are shown")
        await pilot.press("escape", "escape", "escape")
        await until(pilot, lambda: "HP 25 %" in shown(app), "the roster knows")


async def test_leaving_the_game_in_the_middle_lets_the_forge_go(arena):
    teller = tells(2, 2, 2, stop_after=6)
    async with arena(teller).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: teller.fights == 1, "the fight runs")
        await pilot.press("ctrl+q")
    assert teller.closed == 1


async def test_ungraded_is_no_score_at_all(arena):
    def fails(pack):
        return [
            *story(pack, (2, 2, 2))[:7],
            ev.Ungraded(reason="The cage broke.", advice="Run: evalforge doctor"),
        ]

    async with arena(Teller(fails)).run_test(size=(80, 24)) as pilot:
        await fought(pilot)
        text = shown(pilot.app)
        for word in ("The cage broke.", "evalforge doctor", "Our fault,"):
            assert word in text
        assert "HP 100 %" in text
        assert text.count("ungraded") == 4
        assert "waiting" not in text
        assert "evidence" not in text.splitlines()[-1]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (SubmissionError("There is no Python in it.", "Write some."), ["There is no Python in it.", "Write some."]),
        (RuntimeError("[/nope] broke"), ["RuntimeError", "[/nope] broke"]),
    ],
)
async def test_an_error_ends_the_fight_ungraded_and_never_the_game(arena, error, words):
    async with arena(Teller(lambda pack: [*story(pack, (1, 1, 1))[:3], error])).run_test(size=(80, 24)) as pilot:
        await fought(pilot)
        for word in words:
            assert word in shown(pilot.app)
        assert pilot.app.is_running


async def test_a_folder_without_code_is_no_failure_of_ours(arena):
    def gone(pack):
        return story(pack, (1, 1, 1)) if teller.fights == 1 else [SubmissionError("mine does not exist.", "Make it.")]

    teller = Teller(gone)
    async with arena(teller).run_test(size=(120, 40)) as pilot:
        await fought(pilot)
        await pilot.press("r")
        await until(pilot, lambda: "mine does not exist." in shown(pilot.app), "the reason")
        text = shown(pilot.app)
        for word in ("There is nothing to judge.", "Make it.", "nothing to judge", "HP 100 %"):
            assert word in text
        assert text.count("not judged") == 3
        assert "Our fault" not in text
        assert "ungraded" not in text.lower()
        assert "0.5 s" not in text  # how long the try before it took
        assert "r again" in text.splitlines()[-1]


async def test_any_key_shows_the_end_at_once(arena):
    async with arena(tells(2, 1, 0), motion="full").run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: phase(pilot.app) == "JUDGING", "the fight begins")
        await pilot.press("x")
        await fought(pilot)
        bar = pilot.app.screen.query_one(HpBar)
        assert bar.total == pytest.approx(3)
        assert bar.heat == 0


async def test_with_motion_the_bar_ends_where_it_does_without(arena):
    async with arena(tells(2, 1, 0), motion="reduced").run_test(size=(80, 24)) as pilot:
        for _ in range(3000):
            if phase(pilot.app) == "DONE":
                break
            await pilot.pause(0.02)
        assert pilot.app.screen.query_one(HpBar).total == pytest.approx(3)


async def test_a_provisional_judgement_is_replaced_not_added(arena):
    def revises(pack):
        told = story(pack, (1, 1, 1))
        first = next(event for event in told if isinstance(event, ev.CriterionJudged))
        at = told.index(first)
        provisional = first.model_copy(update={"provisional": True})
        return [*told[:at], provisional, first, first, *told[at + 1 :]]

    async with arena(Teller(revises)).run_test(size=(80, 24)) as pilot:
        await fought(pilot)
        assert pilot.app.screen.query_one(HpBar).points == 3


# A later attempt plays the difference


@pytest.fixture
def rematch(arena, tmp_path):
    """A game that opens in a fight against a boss that was fought before, with these levels."""

    def build(before, *levels, failing=frozenset(), **more) -> EvalForge:
        remember(tmp_path, "golem", before)

        def tell(pack):
            attempt_id = remember(tmp_path, "golem", levels)[0] if teller.saved[-1] and not is_first else ""
            is_first.clear()
            return [with_outcome(event, failing) for event in story(pack, levels, save_as=attempt_id)]

        is_first = [True] if more.pop("only_later", False) else []
        teller = Teller(tell)
        return arena(teller, **more)

    return build


def with_outcome(event, failing):
    """A trial's end, failed if it is among these and passed if not; other events as they are."""
    if not isinstance(event, ev.TrialFinished):
        return event
    outcome = TrialOutcome.FAILED if event.trial.id in failing else TrialOutcome.PASSED
    return event.model_copy(update={"trial": event.trial.model_copy(update={"outcome": outcome})})


async def test_the_boss_enters_as_it_was_left(rematch):
    app = rematch((1, 1, 0), 2, 1, 0)
    async with app.run_test(size=(120, 40)) as pilot:
        await fought(pilot)
        text = shown(app)
        assert "HP 25 %" in text
        assert "╷ last time" in text
        assert "Criterion 0 +1" in text
        assert "Criterion 1 +" not in text


async def test_what_falls_heals_and_sets_back(rematch):
    app = rematch((2, 1, 0), 1, 1, 0)
    async with app.run_test(size=(120, 40)) as pilot:
        await fought(pilot)
        text = shown(app)
        assert "HP 50 %" in text
        assert "▲ criterion 0 heals" in text
        assert "Criterion 0 -1" in text
        assert app.screen.query_one(Banner).word == "SET BACK"


async def test_a_boss_that_was_down_gets_up_again(rematch):
    app = rematch((2, 2, 2), 1, 1, 0)
    async with app.run_test(size=(120, 40)) as pilot:
        await fought(pilot)
        assert "HP 50 %" in shown(app)
        assert app.screen.query_one(Stage).sprite.mood == "idle"


async def test_nothing_moved_is_no_setback(rematch):
    app = rematch((1, 1, 0), 1, 1, 0, failing={"t1"})
    async with app.run_test(size=(120, 40)) as pilot:
        await fought(pilot)
        assert "Nothing moved." in shown(app)
        assert app.screen.query_one(Banner).word != "SET BACK"


async def test_only_changed_trials_are_told_one_by_one(rematch):
    app = rematch((1, 1, 0), 2, 1, 0, failing={"t0"})
    async with app.run_test(size=(120, 40)) as pilot:
        await fought(pilot)
        await pilot.press("l")
        text = shown(app)
        assert "newly fails: Trial 0" in text
        assert "now passes: Trial 1" in text
        assert "trials: 0 as before, 1 newly passed, 1 newly failed" in text


async def test_trials_as_before_are_in_the_log_at_the_end(rematch):
    app = rematch((1, 1, 0), 1, 1, 0, failing={"t1"})
    async with app.run_test(size=(120, 40)) as pilot:
        await fought(pilot)
        await pilot.press("l")
        text = shown(app)
        assert "trials: 2 as before" in text
        assert "✓ Trial 0" in text
        assert "✗ Trial 1" in text


async def test_motion_ends_with_the_same_words(rematch):
    app = rematch((2, 1, 0), 1, 2, 1, motion="full")
    async with app.run_test(size=(120, 40)) as pilot:
        await fought(pilot)
        await until(pilot, lambda: "Criterion 0 -1, Criterion 1 +1, Criterion 2 +1" in shown(app), "what moved")
        assert app.screen.query_one(HpBar).points == 4


async def test_an_ungraded_attempt_leaves_the_boss_its_life(arena, tmp_path):
    remember(tmp_path, "golem", (1, 1, 0))
    pack = load_pack(tmp_path / "bosses" / "golem")

    def fails(_):
        ungraded = ev.Ungraded(reason="The cage broke.", advice="")
        with History(tmp_path / "attempts.sqlite3") as history:
            submission = collect(tmp_path / "mine", "")
            attempt_id = history.begin("golem", "Golem", pack.rubric_hash, str(tmp_path / "mine"), FORGE, submission)
            history.finish(attempt_id, FightRecord(submission=submission, isolation="full", conclusion=ungraded))
        return [*story(pack, (2, 2, 2))[:6], ungraded, ev.Saved(attempt_id=attempt_id)]

    teller = Teller(fails)
    async with arena(teller).run_test(size=(120, 40)) as pilot:
        await fought(pilot)
        assert "HP 50 %" in shown(pilot.app)
        await pilot.press("r")
        await until(pilot, lambda: teller.fights == 2 and phase(pilot.app) == "DONE", "a second fight")
        assert "HP 50 %" in shown(pilot.app)


# Calling a strike


async def changed(app, pilot, tmp_path) -> None:
    (tmp_path / "mine" / "main.py").write_text("x = 2\n", "utf-8")
    await until(pilot, lambda: "0-9 call a rise" in shown(app), "the save is seen")


@pytest.mark.parametrize(
    ("key", "words", "right"),
    [("1", "You called Criterion 0: right.", 1), ("2", "You called Criterion 1: not this time.", 0),
     ("0", "You called that nothing rises: not this time.", 0)],
)  # fmt: skip
async def test_a_digit_strikes_and_calls(rematch, tmp_path, key, words, right):
    app = rematch((1, 1, 0), 2, 1, 0, only_later=True)
    async with app.run_test(size=(140, 50)) as pilot:
        await fought(pilot)
        assert "call a rise" not in shown(app)
        await changed(app, pilot, tmp_path)
        await pilot.press(key)
        await until(pilot, lambda: words in shown(app), "what became of the call")
        assert ("a critical hit" in shown(app)) is bool(right)
        with History(tmp_path / "attempts.sqlite3") as history:
            assert history.count_calls() == (right, 1)


async def test_without_a_change_there_is_nothing_to_call(rematch):
    app = rematch((1, 1, 0), 2, 1, 0)
    async with app.run_test(size=(120, 40)) as pilot:
        await fought(pilot)
        await pilot.press("1")
        assert phase(app) == "DONE"
        assert "call a rise" not in shown(app)


# Sparring


async def test_sparring_moves_a_ghost_and_no_life(rematch):
    app = rematch((1, 1, 0), 2, 2, 0, only_later=True)
    async with app.run_test(size=(120, 40)) as pilot:
        await fought(pilot)
        app.screen.begin(practice=True)
        await fought(pilot)
        text = shown(app)
        assert "HP 50 %" in text
        assert "◐ sparring" in text
        assert "r to finish it" in text
        assert "sparring, not saved" in text
        assert app.screen.query_one(Banner).word == "KNEELING"


async def test_what_became_of_the_advice_is_said(arena):
    advice = FollowedAdvice(
        words="Mind the gap.", criterion_id="c0", label="Criterion 0", state=AdviceState.DONE, before=1, after=2
    )

    def followed(pack):
        told = story(pack, (2, 1, 0))
        at = next(index for index, event in enumerate(told) if isinstance(event, ev.Judged))
        return [*told[:at], ev.AdviceFollowed(advice=(advice,)), *told[at:]]

    async with arena(Teller(followed)).run_test(size=(120, 40)) as pilot:
        await fought(pilot)
        await pilot.press("pagedown")
        assert "The last advice" in shown(pilot.app)
        assert "done: Criterion 0 1 → 2." in shown(pilot.app)
        assert "Mind the gap." in shown(pilot.app)


async def test_a_fights_attempt_is_read_once_and_no_sooner(arena, tmp_path, monkeypatch):
    [before] = remember(tmp_path, "golem", (1, 1, 1))
    ids_read, ids = [], []

    def read_counted(db, attempt_id):
        ids_read.append(attempt_id)
        return read_attempt(db, attempt_id)

    monkeypatch.setattr(store, "read_attempt", read_counted)

    def tell(pack):
        ids.extend(remember(tmp_path, "golem", (2, 1, 0)))
        return story(pack, (2, 1, 0), save_as=ids[0])

    async with arena(Teller(tell)).run_test(size=(120, 40)) as pilot:
        await fought(pilot)
        assert ids_read == [before]
        for _ in range(2):
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, EvidenceScreen), "the evidence")
            await pilot.press("escape")
        await pilot.press("d")
        await until(pilot, lambda: isinstance(pilot.app.screen, ComparisonScreen), "the comparison")
        assert ids_read == [before, *ids]


async def test_v_and_l_turn_between_verdict_and_trials(arena):
    async with arena(tells(2, 1, 0)).run_test(size=(80, 24)) as pilot:
        await fought(pilot)
        await pilot.press("l")
        assert "Trial 1 because" in shown(pilot.app)
        assert "message because" in shown(pilot.app)
        await pilot.press("v")
        assert "Do next" in shown(pilot.app)


async def test_the_newest_trials_are_in_sight_without_motion_too(arena):
    def many(pack):
        told = story(pack, (1, 1, 1))
        first = next(event for event in told if isinstance(event, ev.TrialFinished))
        trials = [
            first.model_copy(update={"trial": first.trial.model_copy(update={"id": f"n{i}", "title": f"Number {i}."})})
            for i in range(40)
        ]
        return [*told[:4], *trials, *told[6:]]

    async with arena(Teller(many, stop_after=44)).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "40/" in shown(pilot.app), "all trials")
        assert "Number 39." in shown(pilot.app)
        assert "Number 0." not in shown(pilot.app)


async def test_loading_the_code_is_counted_as_no_trial(arena):
    def loads(pack):
        told = story(pack, (1, 1, 1))
        first = next(event for event in told if isinstance(event, ev.TrialFinished))
        load = first.trial.model_copy(update={"id": "load", "group": "load", "title": "The code loads"})
        return [*told[:4], ev.TrialFinished(trial=load), *told[4:]]

    async with arena(Teller(loads)).run_test(size=(80, 24)) as pilot:
        await fought(pilot)
        await pilot.press("l")
        assert "The code loads" in shown(pilot.app)
        assert "1/2 trials" in shown(pilot.app)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("count", [1, 4, 12])
async def test_next_steps_are_visible_whatever_was_won(arena, size, count):
    gains = [Reward(f"The honour of {i} blows", f"for {i}.") for i in range(count)]
    async with arena(tells(2, 2, 1)).run_test(size=size) as pilot:
        await fought(pilot)
        pilot.app.screen.query_one(Stage).side_panel.verdict.show_rewards(gains)
        await until(pilot, lambda: "The honour of 0 blows" in shown(pilot.app), "what was won")
        await until(pilot, lambda: "1. improve because" in shown(pilot.app), "the next step")
        await pilot.pause()
        for _ in range(count):
            await pilot.press("pagedown")
        await until(pilot, lambda: f"blows: for {count - 1}." in shown(pilot.app), "the last of them by key")
        panel = pilot.app.screen.query_one("#verdict-next")
        for _ in range(20 * count):
            panel.post_message(wheel(MouseScrollUp, panel))
        await until(pilot, lambda: "1. improve because" in shown(pilot.app), "back by wheel")


def wheel(kind, widget):
    return kind(widget, 1, 1, 0, -1, 0, shift=False, meta=False, ctrl=False)


async def test_w_says_whether_it_begins_or_ends_the_watching(arena):
    async with arena(tells(1, 1, 1)).run_test(size=(120, 40)) as pilot:
        await fought(pilot)
        await pilot.press("w")
        await until(pilot, lambda: "w stop sparring" in shown(pilot.app), "sparring")
        await pilot.press("w")
        await until(pilot, lambda: "w spar" in shown(pilot.app), "not sparring")


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (100, 30), (120, 40), (200, 60)])
async def test_bar_criteria_and_keys_are_there_at_every_size(arena, size):
    async with arena(tells(2, 1, 0)).run_test(size=size) as pilot:
        await fought(pilot)
        await pilot.pause()
        text = shown(pilot.app)
        for word in ("HP 25 %", "flawless", "Criterion 2", "r again", "? help", "Do next"):
            assert word in text


async def test_a_refused_folder_is_named_as_people_write_it(arena, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    refusal = SubmissionError(f"{tmp_path}/mine holds no Python.", f"Put some into {tmp_path}/mine.")
    async with arena(Teller(lambda pack: [*story(pack, (1, 1, 1))[:3], refusal])).run_test(size=(120, 40)) as pilot:
        await fought(pilot)
        assert "~/mine holds no Python." in shown(pilot.app)
        assert "Put some into ~/mine." in shown(pilot.app)
        pilot.app.navigator.open_arena(load_pack(tmp_path / "bosses" / "golem"), f"{tmp_path}/nowhere")
        await until(pilot, lambda: "Not yet" in shown(pilot.app), "the arena's refusal")
        assert "~/nowhere does not exist" in shown(pilot.app)
        assert str(tmp_path) not in shown(pilot.app)
