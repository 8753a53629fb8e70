"""Choosing the judge in the arena: only those that can be had, with what they cost."""

from pathlib import Path

import pytest

from evalforge.app.app import EvalForge
from evalforge.app.fight.arena import ArenaScreen
from evalforge.app.home.boss_page import BossScreen
from evalforge.llm.model_options import ModelOptions
from evalforge.model import events as ev
from evalforge.model.cost import Cost
from evalforge.packs.pack import BossPack, load_pack
from tests.app.harness import Teller, services, shown, story, until, write_pack, write_solution


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    write_pack(tmp_path / "bosses", "golem", "Stone Golem")
    write_solution(tmp_path / "mine", "main.py")
    (tmp_path / "mine" / "main.py").write_text("def decide(a, b, c):\n    return a if b > c else [a, b, c]\n", "utf-8")
    return tmp_path


async def test_without_a_key_the_other_judges_say_what_they_need(yard: Path) -> None:
    teller = Teller(lambda pack: story(pack, [2, 1, 0]))
    app = EvalForge(services(yard, teller))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        app.navigator.open_arena(load_pack(yard / "bosses" / "golem"), str(yard / "mine"))
        await until(pilot, lambda: isinstance(app.screen, ArenaScreen) and "full sandbox" in shown(app), "the arena")
        assert "forge judge: runs the code; offline, free" in shown(app)
        await pilot.press("f4")
        await until(pilot, lambda: "ANTHROPIC_API_KEY" in shown(app), "what is missing is said")
        assert app.session.services.judge == "forge"
    assert teller.prepared == []


async def test_a_local_server_can_be_chosen_is_free_and_is_made_ready(yard: Path) -> None:
    teller = Teller(lambda pack: story(pack, [2, 1, 0]))
    models = ModelOptions(models=("small",), base_url="http://127.0.0.1:9")
    app = EvalForge(services(yard, teller, models=models))
    async with app.run_test(size=(120, 40)) as pilot:
        app.navigator.open_arena(load_pack(yard / "bosses" / "golem"), str(yard / "mine"))
        await until(pilot, lambda: isinstance(app.screen, ArenaScreen) and "full sandbox" in shown(app), "the arena")
        await pilot.press("f4")
        await until(pilot, lambda: "claude judge: also reads the code: small" in shown(app), "it is said who judges")
        await until(pilot, lambda: "This fight: free." in shown(app), "and for how much")
        assert teller.prepared == ["golem"]
        assert app.session.services.options().judge == "claude"
        assert app.session.services.options(practice=True).judge == "forge"
        await pilot.press("f4", "f4", "f4")
        await until(pilot, lambda: "forge judge: runs the code" in shown(app), "round and round")


async def test_reading_the_boss_page_prepares_only_the_chosen_judge(yard: Path) -> None:
    teller = Teller(lambda pack: story(pack, [2, 1, 0]))
    models = ModelOptions(models=("small",), base_url="http://127.0.0.1:9")
    for judge, made_ready in (("forge", []), ("claude", ["golem"])):
        app = EvalForge(services(yard, teller, models=models, judge=judge))
        async with app.run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda app=app: "Stone Golem" in shown(app), "the roster")
            await pilot.press("b")
            await until(pilot, lambda app=app: isinstance(app.screen, BossScreen), "the page")
            await pilot.pause()
            await until(pilot, lambda made_ready=made_ready: teller.prepared == made_ready, "made ready")


async def test_what_a_fight_cost_stands_beside_its_verdict(yard: Path) -> None:
    def tell(pack: BossPack) -> list[ev.Event]:
        events = story(pack, [2, 1, 0])
        return [*events[:-1], ev.Spent(cost=Cost(usd=0.0123, input_tokens=900, output_tokens=80)), *events[-1:]]

    teller = Teller(tell)
    app = EvalForge(services(yard, teller, judge="forge"))
    async with app.run_test(size=(120, 40)) as pilot:
        app.navigator.open_arena(load_pack(yard / "bosses" / "golem"), str(yard / "mine"))
        await until(pilot, lambda: isinstance(app.screen, ArenaScreen), "the arena")
        await pilot.press("enter")
        await until(pilot, lambda: "$0.0123" in shown(app), "the bill")
