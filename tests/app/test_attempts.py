"""The past: filtered, sorted, compared, replayed, handed out, deleted; and what it amounts to."""

import json
from pathlib import Path

import pytest

from evalforge.app.app import EvalForge
from evalforge.app.attempts.attempt_list import AttemptsScreen
from evalforge.app.attempts.attempt_table import AttemptTable
from evalforge.app.attempts.comparison_screen import ComparisonScreen
from evalforge.app.attempts.replay_screen import ReplayScreen
from evalforge.app.screens.confirm import ConfirmScreen
from evalforge.history.store import History
from evalforge.judges.registry import JudgeOffer
from evalforge.model.events import AdviceFollowed
from evalforge.model.fight_record import FightRecord
from evalforge.model.followed_advice import AdviceState, FollowedAdvice
from tests.app.harness import Teller, services, shown, story, until, write_pack, write_solution
from tests.app.test_screens import remember


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    """Two bosses that were fought, one that never was."""
    for slug, title in (("golem", "Stone Golem"), ("wisp", "Pale Wisp"), ("owl", "Night Owl")):
        write_pack(tmp_path / "bosses", slug, title)
    write_solution(tmp_path / "mine", "main.py")
    (tmp_path / "workshop").mkdir()
    remember(tmp_path, "golem", (1, 0, 0), (2, 2, 2))
    (tmp_path / "mine" / "main.py").write_text("x = 2\ny = 3\n", "utf-8")
    remember(tmp_path, "golem", (2, 1, 0))
    remember(tmp_path, "wisp", (1, 1, 1))
    return tmp_path


def game(yard: Path, **more) -> EvalForge:
    return EvalForge(services(yard, Teller(lambda pack: story(pack, (2, 2, 1))), **more))


async def attempts(pilot) -> AttemptTable:
    await until(pilot, lambda: "Stone Golem" in shown(pilot.app), "the roster")
    await pilot.press("a")
    await until(pilot, lambda: isinstance(pilot.app.screen, AttemptsScreen), "the attempts")
    await until(pilot, lambda: "4 attempts" in shown(pilot.app), "all of them")
    return pilot.app.screen.query_one(AttemptTable)


def rows(app) -> list[str]:
    return [line for line in shown(app).splitlines() if "#" in line and ("Golem" in line or "Wisp" in line)]


async def test_sorting_puts_the_best_first(yard):
    async with game(yard).run_test(size=(120, 40)) as pilot:
        await attempts(pilot)
        await pilot.press("s")
        await until(pilot, lambda: "flawless" in rows(pilot.app)[0], "the best first")
        assert "best first" in shown(pilot.app)


async def test_one_verdict_or_one_boss_can_be_kept(yard):
    async with game(yard).run_test(size=(120, 40)) as pilot:
        await attempts(pilot)
        await pilot.press("v")
        await until(pilot, lambda: "1 attempt" in shown(pilot.app), "the flawless one")
        await pilot.press("v", "v", "v", "v")
        await until(pilot, lambda: "4 attempts" in shown(pilot.app), "all again")
        await pilot.press("o")
        await until(pilot, lambda: "1 attempt" in shown(pilot.app), "only the wisp's")
        await pilot.press("o")
        await until(pilot, lambda: "4 attempts" in shown(pilot.app), "all again")


async def test_the_tries_of_the_selected_boss_are_plotted(yard):
    async with game(yard).run_test(size=(120, 40)) as pilot:
        await attempts(pilot)
        await pilot.press("down")
        await until(pilot, lambda: "pass at 67 %" in shown(pilot.app), "the golem's line")
        text = shown(pilot.app)
        assert "#3  50 %" in text
        strip = next(line for line in text.splitlines() if line.lstrip().startswith("Criterion 0"))
        assert "▒" in strip
        assert "█" in strip


async def test_comparing_tells_deltas_and_the_difference_of_the_files(yard):
    async with game(yard).run_test(size=(120, 40)) as pilot:
        await attempts(pilot)
        await pilot.press("down", "d")
        await until(pilot, lambda: isinstance(pilot.app.screen, ComparisonScreen), "the comparison")
        await until(pilot, lambda: "+y = 3" in shown(pilot.app), "the diff")
        text = shown(pilot.app)
        for word in ("-3 points", "integrity -50 %", "2 → 0  Criterion 2", "-x = 1", "+x = 2", "main.py"):
            assert word in text
        await pilot.press("z")
        await until(pilot, lambda: "+3 points" in shown(pilot.app), "the other way round")


async def test_comparing_tells_what_became_of_the_advice(yard):
    with History(yard / "attempts.sqlite3") as history:
        wisp = next(row for row in history.page() if row.boss_id == "wisp")
        before = history.get(wisp.id)
    advice = FollowedAdvice(
        words="Mind the gap.", criterion_id="c0", label="Criterion 0", state=AdviceState.BEGUN, before=1, after=1
    )
    done = advice.model_copy(update={"state": AdviceState.DONE, "after": 2})
    after = before.model_copy(update={"events": (AdviceFollowed(advice=(advice, done), since=before.id),)})
    async with game(yard).run_test(size=(120, 40)) as pilot:
        await attempts(pilot)
        await pilot.app.push_screen(ComparisonScreen(before, after))
        await until(pilot, lambda: "The last advice" in shown(pilot.app), "the advice")
        assert "begun." in shown(pilot.app)
        assert "done." in shown(pilot.app)
        assert "Criterion 0 1 → 2" not in shown(pilot.app), "the levels stand above"
        assert "Mind the gap." in shown(pilot.app)


async def test_a_marked_attempt_is_compared_with(yard):
    async with game(yard).run_test(size=(120, 40)) as pilot:
        await attempts(pilot)
        await pilot.press("end", "m", "home", "down", "d")
        await until(pilot, lambda: "+2 points" in shown(pilot.app), "the first with the last")


async def test_a_stored_fight_is_played_again_at_any_speed(yard):
    async with game(yard, motion="full").run_test(size=(120, 40)) as pilot:
        await attempts(pilot)
        await pilot.press("p")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReplayScreen), "the replay")
        await pilot.press("minus", "minus")
        await until(pilot, lambda: "quarter speed" in shown(pilot.app), "slower")
        await pilot.press("space")
        await until(pilot, lambda: "paused" in shown(pilot.app), "held")
        await until(pilot, lambda: "space resume" in shown(pilot.app), "the way on")
        assert "space pause" not in shown(pilot.app)
        await pilot.press("space", *["plus"] * 6, "end")
        await until(pilot, lambda: "the end" in shown(pilot.app), "the end")
        assert "16 times as fast" in shown(pilot.app)
        assert "HP 25 %" in shown(pilot.app)
        with History(yard / "attempts.sqlite3") as history:
            assert history.count() == 4


@pytest.mark.parametrize(
    ("ended", "words", "note"),
    [
        (False, ("It is being judged in another", "No score yet."), "not scored yet"),
        (True, ("The fight was stopped", "No score, no HP change."), "stopped"),
    ],
)
async def test_an_attempt_without_an_end_tells_so_and_blames_nobody(yard, ended, words, note):
    with History(yard / "attempts.sqlite3") as history:
        last = history.get(history.page(limit=1)[0].id)
        begun = history.begin(
            last.boss_id, last.boss_title, last.rubric_hash, last.directory, last.judge, last.submission
        )
        if ended:
            history.finish(begun, FightRecord(isolation="full"))
    async with game(yard).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Stone Golem" in shown(pilot.app), "the roster")
        await pilot.press("a")
        await until(pilot, lambda: "5 attempts" in shown(pilot.app), "all of them")
        await pilot.press("enter")
        await until(pilot, lambda: words[0] in shown(pilot.app), "how it stands")
        text = shown(pilot.app)
        assert words[1] in text
        assert note in text
        assert "Our fault" not in text
        await pilot.press("d")
        await until(pilot, lambda: "not judged" in shown(pilot.app), "the comparison")


@pytest.mark.parametrize(
    ("key", "suffix", "words"), [("m", "md", "Pale Wisp"), ("j", "json", "boss_id"), ("c", "svg", "<svg")]
)
async def test_an_attempt_is_handed_out_as_a_file_whose_path_is_said(yard, key, suffix, words):
    async with game(yard).run_test(size=(120, 40), notifications=True) as pilot:
        await attempts(pilot)
        for _ in range(2):
            await pilot.press("x", key)
            await until(pilot, lambda: "Written" in shown(pilot.app), "the path")
        found = sorted((yard / "workshop").glob(f"*.{suffix}"))
        assert len(found) == 2
        assert words in found[0].read_text("utf-8")
        if suffix == "json":
            assert json.loads(found[0].read_text("utf-8"))["attempt"]["boss_id"] == "wisp"


async def test_a_form_is_taken_by_the_mouse(yard):
    async with game(yard).run_test(size=(120, 40)) as pilot:
        await attempts(pilot)
        await pilot.press("x")
        await until(pilot, lambda: "everything, as JSON" in shown(pilot.app), "the forms")
        for _ in range(2):
            await pilot.click("#forms", offset=(6, 1))
        await until(pilot, lambda: bool(list((yard / "workshop").glob("*.json"))), "the second one")


async def test_deleting_asks_first(yard):
    async with game(yard).run_test(size=(80, 24)) as pilot:
        await attempts(pilot)
        await pilot.press("delete")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen), "the question")
        await pilot.press("enter", "n")
        await until(pilot, lambda: "4 attempts" in shown(pilot.app), "nothing happened")
        await pilot.press("delete", "y")
        await until(pilot, lambda: "3 attempts" in shown(pilot.app), "one is gone")
    with History(yard / "attempts.sqlite3") as history:
        assert history.count() == 3


async def test_what_was_asked_about_is_deleted_though_the_list_moves(yard):
    async with game(yard).run_test(size=(80, 24)) as pilot:
        table = await attempts(pilot)
        chosen = table.selection
        assert chosen is not None
        await pilot.press("delete")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen), "the question")
        table.action_move(2)
        await pilot.press("y")
        await until(pilot, lambda: "3 attempts" in shown(pilot.app), "one is gone")
    with History(yard / "attempts.sqlite3") as history:
        assert history.row(chosen.id) is None


async def test_the_only_judge_stays_and_says_what_others_need(yard, monkeypatch):
    only = JudgeOffer("forge", True, "runs the code")
    monkeypatch.setattr("evalforge.judges.registry.judge_offers", lambda _models: (only,))
    async with game(yard).run_test(size=(80, 24)) as pilot:
        assert pilot.app.session.next_judge("forge") == "forge"
        assert pilot.app.session.next_judge("claude") == "forge"
        monkeypatch.setattr("evalforge.judges.registry.judge_offers", lambda _models: ())
        pilot.app.session.switch_judge()
        assert pilot.app.session.services.judge == "forge"


# What it amounts to


async def test_rank_and_achievements_have_dates_from_history(yard):
    async with game(yard).run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "Bellows Hand" in shown(pilot.app), "the rank in the heading")
        await pilot.press("P")
        await until(pilot, lambda: "Achievements" in shown(pilot.app), "the screen")
        text = shown(pilot.app)
        for word in ("First blood", "Stone Golem  flawless", "1 of 3 defeated", "1 point to Striker"):
            assert word in text


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 40)])
async def test_progress_is_there_before_the_first_fight(tmp_path, size):
    write_pack(tmp_path / "bosses", "golem", "Stone Golem")
    async with game(tmp_path).run_test(size=size) as pilot:
        await until(pilot, lambda: "Stone Golem" in shown(pilot.app), "the roster")
        await pilot.press("P")
        await until(pilot, lambda: "Everybody starts on this shelf" in shown(pilot.app), "the first rank")
