"""What pulls on: a win names the next boss and its key, a setback is no victory, an untouched starter is noticed."""

import pytest

from evalforge.app.app import EvalForge
from evalforge.app.fight.arena import ArenaScreen
from evalforge.app.fight.evidence_screen import EvidenceScreen
from evalforge.app.fight.screen import FightScreen
from evalforge.app.fight.stage.stage import Stage
from evalforge.app.home.boss_list import BossList
from evalforge.app.home.boss_page import BossScreen
from evalforge.app.home.roster import RosterScreen
from evalforge.app.screens.confirm import ConfirmScreen
from evalforge.app.ui.widgets.banner import Banner
from evalforge.model import events as ev
from evalforge.model.evidence import TrialOutcome
from tests.app import start_request
from tests.app.harness import Teller, phase, services, shown, story, until, write_pack, write_solution
from tests.app.test_screens import on, remember


@pytest.fixture
def yard(tmp_path):
    """Two bosses, and a solution."""
    write_pack(tmp_path / "bosses", "golem", "Stone Golem")
    write_pack(tmp_path / "bosses", "wisp", "Pale Wisp")
    write_solution(tmp_path / "mine")
    return tmp_path


def fight(yard, slug: str, *levels: tuple[int, int, int], opening=None) -> EvalForge:
    """A game that opens with a fight; each strike is told with the next levels, and kept."""
    told = list(levels)

    def tell(pack):
        now = told.pop(0)
        [attempt_id] = remember(yard, slug, now)
        return story(pack, now, save_as=attempt_id)

    return EvalForge(services(yard, Teller(tell), opening or start_request.fight(slug, str(yard / "mine"))))


async def over(pilot) -> None:
    await until(pilot, lambda: phase(pilot.app) == "DONE", "the verdict")


def banner(pilot) -> str:
    return pilot.app.screen.query_one(Stage).query_one(Banner).word


async def test_a_victory_offers_the_card(yard):
    async with fight(yard, "golem", (2, 2, 2)).run_test(size=(120, 40)) as pilot:
        await over(pilot)
        await until(pilot, lambda: "x Share it as PNG, SVG or a recording." in shown(pilot.app), "the card")


async def test_a_victory_names_the_next_boss_and_one_key_opens_it(yard):
    async with fight(yard, "golem", (2, 2, 2)).run_test(size=(80, 24)) as pilot:
        await over(pilot)
        await until(pilot, lambda: "⏎ Next: Pale Wisp, tier I" in shown(pilot.app), "the next boss")
        assert "1 of 2 defeated" in shown(pilot.app)
        assert "⏎ next boss" in shown(pilot.app).splitlines()[-1]
        assert "n next boss" not in shown(pilot.app)
        await pilot.press("n")
        await until(pilot, lambda: on(pilot, BossScreen) and "PALE WISP" in shown(pilot.app), "its briefing")
        await pilot.press("escape")
        assert on(pilot, RosterScreen)


async def test_a_loss_offers_no_next_boss(yard):
    async with fight(yard, "golem", (1, 0, 0)).run_test(size=(80, 24)) as pilot:
        await over(pilot)
        assert "Next:" not in shown(pilot.app)
        assert "next boss" not in shown(pilot.app)


async def test_the_last_boss_leaves_nobody_standing(yard):
    remember(yard, "wisp", (2, 2, 2))
    async with fight(yard, "golem", (2, 2, 2)).run_test(size=(120, 40)) as pilot:
        await over(pilot)
        await until(pilot, lambda: "Every boss here is defeated." in shown(pilot.app), "nobody is left")


async def test_a_flawless_win_shows_rewards_before_polish(yard):
    async with fight(yard, "golem", (2, 2, 2)).run_test(size=(140, 60)) as pilot:
        await over(pilot)
        text = shown(pilot.app)
        assert text.index("First blood") < text.index("Next:") < text.index("Polish")
        assert "Do next" not in text


@pytest.mark.parametrize("levels", [(2, 2, 0), (2, 1, 0)])
async def test_a_try_below_the_last_is_a_setback(yard, levels):
    remember(yard, "golem", (2, 2, 2))
    async with fight(yard, "golem", levels).run_test(size=(120, 40)) as pilot:
        await over(pilot)
        assert banner(pilot) == "SET BACK"
        assert "heals" in shown(pilot.app)


@pytest.mark.parametrize("levels", [(2, 1, 1), (2, 2, 1)])
async def test_a_boss_that_was_down_stays_down(yard, levels):
    remember(yard, "golem", (2, 2, 0))
    async with fight(yard, "golem", levels).run_test(size=(120, 40)) as pilot:
        await over(pilot)
        assert banner(pilot) == "STILL DOWN"
        assert "heals" not in shown(pilot.app)


async def test_nothing_moved_earns_nothing(yard):
    remember(yard, "golem", (2, 2, 0))
    async with fight(yard, "golem", (2, 2, 0)).run_test(size=(120, 40)) as pilot:
        await over(pilot)
        await until(pilot, lambda: "Nothing moved." in shown(pilot.app), "the verdict")
        assert "in a row" not in shown(pilot.app)


async def test_a_boss_that_is_down_does_not_kneel(yard):
    remember(yard, "golem", (2, 2, 2))
    opening = start_request.fight("golem", str(yard / "mine"), watch=True)
    async with fight(yard, "golem", (2, 2, 2), opening=opening).run_test(size=(120, 40)) as pilot:
        await over(pilot)
        assert banner(pilot) == "SPARRING"
        assert "to finish it" not in shown(pilot.app)


async def test_what_another_criterion_made_up_for_is_lost(yard):
    remember(yard, "golem", (1, 0, 0))
    async with fight(yard, "golem", (0, 1, 0)).run_test(size=(120, 40)) as pilot:
        await over(pilot)
        assert "is lost" in shown(pilot.app)
        assert "heals" not in shown(pilot.app)


async def test_enter_leads_on_after_the_first_boss(yard):
    async with fight(yard, "golem", (2, 2, 1)).run_test(size=(80, 24)) as pilot:
        await over(pilot)
        await until(pilot, lambda: "⏎ next boss" in shown(pilot.app).splitlines()[-1], "where enter leads")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, BossScreen) and "PALE WISP" in shown(pilot.app), "its briefing")


async def test_enter_opens_evidence_once_a_criterion_is_chosen(yard):
    async with fight(yard, "golem", (2, 2, 1)).run_test(size=(80, 24)) as pilot:
        await over(pilot)
        await until(pilot, lambda: "⏎ next boss" in shown(pilot.app).splitlines()[-1], "where enter leads")
        await pilot.press("down", "enter")
        await until(pilot, lambda: on(pilot, EvidenceScreen), "the evidence")


async def test_enter_opens_what_holds_points_after_later_wins(yard):
    write_pack(yard / "bosses", "imp", "Small Imp")
    remember(yard, "wisp", (2, 2, 2))
    async with fight(yard, "golem", (2, 2, 1)).run_test(size=(80, 24)) as pilot:
        await over(pilot)
        await until(pilot, lambda: "n next boss" in shown(pilot.app).splitlines()[-1], "the keys")
        assert "⏎ evidence" in shown(pilot.app).splitlines()[-1]


async def test_watch_says_what_broke_since_the_last_save(yard):
    def tell(pack):
        told = story(pack, (2, 2, 2) if teller.fights == 1 else (2, 1, 0))
        if teller.fights == 1:
            return told
        return [
            event.model_copy(update={"trial": event.trial.model_copy(update={"outcome": TrialOutcome.FAILED})})
            if isinstance(event, ev.TrialFinished) else event
            for event in told
        ]  # fmt: skip

    teller = Teller(tell)
    app = EvalForge(services(yard, teller, start_request.fight("golem", str(yard / "mine"))))
    async with app.run_test(size=(120, 40)) as pilot:
        await over(pilot)
        screen = app.screen
        assert isinstance(screen, FightScreen)
        screen.begin(practice=True)
        await until(pilot, lambda: teller.fights == 2 and phase(app) == "DONE", "the save")
        await until(pilot, lambda: "Broken since the last save" in shown(app), "what broke")
        assert banner(pilot) == "SPARRING"


# Where one begins


async def test_the_cursor_begins_at_the_first_boss_that_is_up(yard):
    remember(yard, "golem", (1, 0, 0))
    remember(yard, "wisp", (2, 2, 2))
    app = EvalForge(services(yard, Teller(lambda _: [])))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "1 of 2 defeated" in shown(app), "the roster")
        assert app.screen.query_one(BossList).key == "golem"


async def test_a_boss_that_fell_hands_the_cursor_on(yard):
    remember(yard, "wisp", (1, 0, 0))
    app = EvalForge(services(yard, Teller(lambda _: [])))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "wounded" in shown(app), "the roster")
        assert app.screen.query_one(BossList).key == "wisp"
        await pilot.press("b")
        remember(yard, "wisp", (2, 2, 2))
        app.session.forget_progress()
        await pilot.press("escape")
        await until(pilot, lambda: app.screen.query_one(BossList).key == "golem", "the next one")


async def test_enter_on_a_new_boss_opens_its_briefing(yard):
    app = EvalForge(services(yard, Teller(lambda _: [])))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "0 of 2 defeated" in shown(app), "the roster")
        assert "⏎ briefing" in shown(app).splitlines()[-1]
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, BossScreen) and "The contract" in shown(app), "the briefing")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, ArenaScreen), "the arena")


async def test_an_untouched_starter_is_noticed_before_it_is_kept(yard):
    (yard / "bosses" / "golem" / "starter" / "main.py").write_text("y = 1\n", "utf-8")
    teller = Teller(lambda pack: story(pack, (1, 0, 0)))
    app = EvalForge(services(yard, teller, start_request.boss_page("golem")))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the page")
        await pilot.press("ctrl+n")
        await until(pilot, lambda: "Will be judged" in shown(app), "the starter")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, ConfirmScreen), "the question")
        assert "the unchanged starter" in shown(app)
        await pilot.press("n")
        assert on(pilot, ArenaScreen)
        assert teller.fights == 0
        (yard / "workshop" / "golem" / "main.py").write_text("y = 2\n", "utf-8")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, FightScreen), "a changed one is judged at once")


async def test_an_untouched_starter_is_judged_if_the_player_insists(yard):
    (yard / "bosses" / "golem" / "starter" / "main.py").write_text("y = 1\n", "utf-8")
    teller = Teller(lambda pack: story(pack, (1, 0, 0)))
    app = EvalForge(services(yard, teller, start_request.boss_page("golem")))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the page")
        await pilot.press("ctrl+n")
        await until(pilot, lambda: "Will be judged" in shown(app), "the starter")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, ConfirmScreen), "the question")
        await pilot.press("y")
        await until(pilot, lambda: teller.fights == 1, "the fight")
        assert [folder for folder, _ in teller.handed_in] == [yard / "workshop" / "golem"]


# The way up


async def test_escape_goes_up_from_trials_to_the_boss_page(yard):
    app = fight(yard, "golem", (2, 1, 0), opening=start_request.boss_page("golem"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: on(pilot, BossScreen), "the page")
        app.navigator.open_arena(app.session.load_boss("golem"), str(yard / "mine"))
        await until(pilot, lambda: on(pilot, ArenaScreen) and "Will be judged" in shown(app), "the arena")
        assert app.screen.focused is None
        await pilot.press("enter")
        await over(pilot)
        await pilot.press("l", "escape")
        assert app.screen.query_one(Stage).side_panel.view == "verdict"
        await pilot.press("escape")
        await until(pilot, lambda: on(pilot, BossScreen), "one level up")
        await pilot.press("escape")
        await until(pilot, lambda: on(pilot, RosterScreen), "and home")
