"""The tour: a real fight, explained at the viewer's pace, left at any moment, and nothing of it kept."""

import pytest

from evalforge.app.app import EvalForge
from evalforge.app.core.navigation import ROSTER
from evalforge.app.core.services import Services
from evalforge.app.home.roster import RosterScreen
from evalforge.app.home.welcome import WelcomeScreen
from evalforge.app.teaching.lesson_plan import shown_submission
from evalforge.app.teaching.tour import STOPS, TourScreen, TourStop, two_tries
from evalforge.packs.pack import load_pack
from evalforge.progress.records import TRAINING
from tests.app import start_request
from tests.app.harness import services, shown, until, write_pack
from tests.app.test_lesson import judge
from tests.app.test_lesson_plan import add_exemplars

pytestmark = pytest.mark.usefixtures("warm_engine")

SIZE = (120, 40)
_WORDS = {
    TourStop.ROSTER: "Stone Golem",
    TourStop.CONTRACT: "contract plain words",
    TourStop.RUBRIC: "Pass at 4 of 6",
    TourStop.STRIKE: "HP 75 %",
    TourStop.BAR: "HP 75 %",
    TourStop.EVIDENCE: "mainbecause.py",
    TourStop.SECOND_TRY: "Criterion 0 +",
    TourStop.END: "FLAWLESS",
}
"""What must be seen at each stop."""


@pytest.fixture
def yard(tmp_path):
    add_exemplars(write_pack(tmp_path / "bosses", "golem", "Stone Golem"))
    return tmp_path


def game(yard, teller=None, *, auto=False, opening=None) -> EvalForge:
    showing = opening or start_request.tour("golem", auto=auto)
    return EvalForge(services(yard, teller or judge(), showing))


async def opened(pilot) -> TourScreen:
    await until(pilot, lambda: isinstance(pilot.app.screen, TourScreen), "the tour")
    await until(pilot, lambda: "1 of 8" in shown(pilot.app), "its first stop")
    return pilot.app.screen


async def go_to(pilot, screen: TourScreen, stop: TourStop) -> None:
    """Press the key that goes on, until a stop is reached."""
    while screen.stop is not stop:
        await pilot.press("space")


def sees(app, stop: TourStop) -> bool:
    text = shown(app)
    word = _WORDS[stop]
    return word in text or (stop is TourStop.END and "defeated" in text)


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (140, 45)])
async def test_every_stop_shows_what_it_speaks_of(yard, size):
    app = game(yard)
    async with app.run_test(size=size) as pilot:
        screen = await opened(pilot)
        for stop in STOPS:
            await until(pilot, lambda stop=stop: screen.stop is stop and sees(app, stop), stop.title)
            assert stop.title in shown(app)
            await until(pilot, lambda: screen.is_stop_shown, "everything is shown")
            await pilot.press("space")
        await until(pilot, lambda: isinstance(app.screen, RosterScreen), "the end")


async def test_it_never_goes_on_unless_it_is_asked_to(yard):
    async with game(yard).run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        assert not screen.auto
        assert not [worker for worker in pilot.app.workers if worker.group == "guide"]


@pytest.mark.parametrize("steps", range(len(STOPS)))
async def test_escape_leaves_at_any_moment_and_lets_the_forge_go(yard, steps):
    teller = judge(stop_after=6 if steps < 3 else None)
    async with game(yard, teller).run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        await go_to(pilot, screen, STOPS[steps])
        await until(pilot, lambda: teller.fights > 0, "the forge is at work")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, RosterScreen), "left")
        await until(pilot, lambda: teller.closed == teller.fights, "the forge is let go")


async def test_left_goes_back_and_stays_at_the_first_stop(yard):
    async with game(yard).run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        await pilot.press("left", "right", "enter", "left")
        assert screen.stop is TourStop.CONTRACT


async def test_a_key_shows_a_fight_to_its_end_before_going_on(yard):
    app = EvalForge(services(yard, judge(), start_request.tour("golem"), motion="full"))
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        await pilot.press("space", "space", "space")
        assert screen.stop is TourStop.STRIKE
        await pilot.press("space")
        assert screen.stop is TourStop.STRIKE
        await until(pilot, lambda: "HP 75 %" in shown(app), "the end of the fight")


async def test_nothing_of_it_is_kept(yard):
    teller = judge()
    app = game(yard, teller)
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        await until(pilot, lambda: teller.fights == 2, "both fights")
        await go_to(pilot, screen, TourStop.END)
        await until(pilot, lambda: screen.is_stop_shown, "the end")
        assert teller.saved == [False, False]
        assert app.session.history().count(None) == 0
    assert not (yard / "config.toml").exists()


# On a stand


async def test_on_a_stand_it_goes_round_and_any_key_takes_over(yard):
    app = game(yard, opening=ROSTER)
    async with app.run_test(size=SIZE) as pilot:
        pack = load_pack(yard / "bosses" / "golem")
        app.session.start_engine()
        await app.push_screen(TourScreen(pack, two_tries(pack), auto=True, pace=300.0))
        screen = await opened(pilot)
        assert "press any key to take control" in shown(app)
        seen = set()
        await until(pilot, lambda: seen.add(screen.stop) or len(seen) == len(STOPS), "every stop")
        await until(pilot, lambda: screen.stop is TourStop.CONTRACT, "round again")
        await pilot.press("x")
        assert not screen.auto
        await until(pilot, lambda: not [w for w in app.workers if w.group == "guide" and w.is_running], "it stands")
        stop = screen.stop
        await pilot.press("space")
        await until(pilot, lambda: screen.stop is not stop or screen.stage.pacer.skipping, "the viewer goes on")


async def test_the_first_key_only_takes_over(yard):
    async with game(yard, auto=True).run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        await pilot.press("space")
        assert screen.stop is TourStop.ROSTER
        assert "yours now" in shown(pilot.app)
        await pilot.press("space")
        assert screen.stop is TourStop.CONTRACT


async def test_escape_leaves_a_stand_too(yard):
    async with game(yard, auto=True).run_test(size=SIZE) as pilot:
        await opened(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, RosterScreen), "left")


# Where it is offered


async def test_the_welcome_offers_it_and_is_there_again_after_it(yard):
    services(yard, judge())
    (yard / "welcomed").unlink()
    given = services(yard, judge(), ROSTER)
    (yard / "welcomed").unlink()
    async with EvalForge(given).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "f2 two-minute tour" in shown(pilot.app), "the welcome")
        await pilot.press("f2")
        await opened(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, WelcomeScreen), "the welcome again")


async def test_the_palette_offers_it(yard):
    app = game(yard, opening=ROSTER)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "Stone Golem" in shown(app), "the roster")
        commands = {command.title: command.callback for command in app.get_system_commands(app.screen)}
        commands["Tour"]()
        await opened(pilot)


async def test_without_exemplars_there_is_no_tour(tmp_path):
    write_pack(tmp_path / "bosses", "golem", "Stone Golem")
    async with game(tmp_path).run_test(size=SIZE, notifications=True) as pilot:
        await until(pilot, lambda: "no boss here with exemplars" in shown(pilot.app), "the reason")
        assert isinstance(pilot.app.screen, RosterScreen)


# Its script


def test_it_takes_about_two_minutes():
    assert 60 < sum(stop.seconds for stop in STOPS) < 130


def test_the_training_boss_loses_first_and_is_beaten_then(bosses):
    pack = load_pack(bosses / TRAINING)
    first, second = two_tries(pack)
    assert first.gold.verdict == "fail"
    assert second == shown_submission(pack.path / "exemplars" / "first-win")


async def test_it_is_the_real_engine_on_the_real_boss(bosses, tmp_path):
    (tmp_path / "welcomed").touch()
    given = Services(
        bosses=(bosses,), history=tmp_path / "attempts.sqlite3", motion="none", start=start_request.tour(TRAINING)
    )
    app = EvalForge(given)
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot)
        await go_to(pilot, screen, TourStop.END)
        for _ in range(600):
            if screen.is_stop_shown:
                break
            await pilot.pause(0.1)
        await until(pilot, lambda: "+1" in shown(app), "the second try, painted")
        assert app.session.history().count(None) == 0
