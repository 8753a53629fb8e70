"""The game with the real floors below it: one whole fight, kept and read again."""

from contextlib import asynccontextmanager

from evalforge.app.app import EvalForge
from evalforge.app.attempts.detail import AttemptScreen
from evalforge.app.core.services import Services, open_engine
from evalforge.packs.new_folders import create_starter
from evalforge.packs.pack import load_pack
from tests.app import start_request
from tests.app.harness import phase, shown, until


async def test_the_training_boss_is_fought_for_real_and_remembered(bosses, tmp_path):
    folder = create_starter(load_pack(bosses / "training-dummy"), tmp_path / "dummy")
    (tmp_path / "welcomed").touch()
    ended: list[str] = []

    @asynccontextmanager
    async def forge(history):
        try:
            async with open_engine(history) as it:
                yield it
        finally:
            ended.append("the forge")

    services = Services(
        bosses=(bosses,), history=tmp_path / "attempts.sqlite3", open_engine=forge, motion="none",
        start=start_request.fight("training-dummy", str(folder)),
    )  # fmt: skip
    app = EvalForge(services)
    async with app.run_test(size=(80, 24)) as pilot:
        first = await fought(pilot)
        text = shown(app)
        assert "HP " in text
        assert "compare" not in text.splitlines()[-1], "there is no try before the first"
        await pilot.press("r")
        await fought(pilot, first)
        assert "compare" in shown(app).splitlines()[-1]
        await pilot.press("d")
        await until(pilot, lambda: "The files are identical." in shown(app), "the two tries side by side")
        await pilot.press("escape", "a")
        await until(pilot, lambda: "2 attempts" in shown(app), "they are kept")
        await pilot.press("enter")
        await until(
            pilot, lambda: isinstance(app.screen, AttemptScreen) and "Do next" in shown(app), "it is read again"
        )
    assert ended, "the game left while its forge still burned"


async def fought(pilot, after: str = "") -> str:
    """Wait for the end of another fight than the given; gives its attempt."""

    def is_over() -> bool:
        if phase(pilot.app) != "DONE":
            return False
        return pilot.app.screen.fight.record.attempt_id not in {"", after} and "Do next" in shown(pilot.app)

    await until(pilot, is_over, "the end of the fight")
    return pilot.app.screen.fight.record.attempt_id
