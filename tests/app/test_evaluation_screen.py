"""Looking at an evaluation in the game: by keys, by mouse, and exported."""

from pathlib import Path

import pytest

from evalforge.app.app import EvalForge
from evalforge.app.core.navigation import ROSTER
from evalforge.app.evaluations.screen import EvaluationScreen
from evalforge.app.ui.widgets.row_list import Rows
from tests.app.harness import Teller, services, shown, until
from tests.app.snapshot_scenarios.evaluations import evaluation, keep_evaluations
from tests.app.test_class_screen import on, says
from tests.conftest import REPOSITORY


@pytest.fixture
def game(own_home: Path) -> EvalForge:
    keep_evaluations(own_home)
    (own_home / "workshop").mkdir()
    return EvalForge(services(own_home, Teller(lambda _: []), ROSTER, bosses=(REPOSITORY / "bosses",)))


@pytest.mark.parametrize("size", [(80, 24), (140, 45), (60, 18)])
async def test_items_that_need_a_person_come_first(game: EvalForge, size: tuple[int, int]) -> None:
    async with game.run_test(size=size) as pilot:
        game.push_screen(EvaluationScreen(evaluation(2, gain=1)))
        await until(pilot, lambda: on(pilot, EvaluationScreen) and says(pilot, "sync-conflicts"), "the items")
        text = shown(game)
        assert text.index("sync-conflicts") < text.index("misc") < text.index("slow-search")
        assert says(pilot, "haiku", "sonnet")


async def test_a_click_shows_an_item_with_every_judges_words(game: EvalForge) -> None:
    async with game.run_test(size=(120, 40)) as pilot:
        game.push_screen(EvaluationScreen(evaluation(2)))
        await until(pilot, lambda: says(pilot, "slow-search"), "the items")
        line = next(n for n, line in enumerate(shown(game).splitlines()) if "slow-search" in line)
        items = game.screen.query_one(Rows)
        await pilot.click(items, offset=(6, line - items.region.y))
        await until(pilot, lambda: says(pilot, "Search takes a minute"), "what was judged")


async def test_it_is_exported_beside_what_is_there(game: EvalForge, own_home: Path) -> None:
    async with game.run_test(size=(120, 40)) as pilot:
        game.push_screen(EvaluationScreen(evaluation(2)))
        await until(pilot, lambda: on(pilot, EvaluationScreen), "the evaluation")
        folder = game.session.services.starter_folder
        await pilot.press("x", "x")
        await until(pilot, lambda: len(list(folder.glob("evalforge-*"))) == 4, "written twice")
        names = sorted(path.name for path in folder.glob("evalforge-cluster-quality-2*"))
        assert sorted(Path(name).suffix for name in names) == [".csv", ".csv", ".html", ".html"]
        assert "Search takes a minute" in (folder / "evalforge-cluster-quality-2.html").read_text()


async def test_enter_gives_an_item_the_screen_and_esc_the_list_again(game: EvalForge) -> None:
    async with game.run_test(size=(80, 24)) as pilot:
        game.push_screen(EvaluationScreen(evaluation(2, gain=1)))
        await until(pilot, lambda: says(pilot, "misc"), "the items")
        await pilot.press("enter")
        await until(pilot, lambda: not says(pilot, "slow-search"), "the first item alone")
        assert says(pilot, "sync-conflicts", "haiku", "sonnet")
        await pilot.press("escape")
        await until(pilot, lambda: says(pilot, "slow-search"), "the list again")
        assert on(pilot, EvaluationScreen)
