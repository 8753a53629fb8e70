"""The game with the real floors below it: one whole fight, kept and read again."""

from evalforge.app.game import EvalForge
from evalforge.app.run import lit
from evalforge.app.screens.attempt import AttemptScreen
from evalforge.app.services import Opening, Services
from evalforge.library.pack import load_pack
from evalforge.library.scaffold import create
from tests.app.seam import phase, shown, until


async def test_the_training_boss_is_fought_for_real_and_remembered(bosses, tmp_path):
    folder = create(load_pack(bosses / "training-dummy"), tmp_path / "dummy")
    history = tmp_path / "attempts.sqlite3"
    (tmp_path / "welcomed").touch()
    services = Services(
        bosses=(bosses,), history=history, forge=lambda: lit(history), motion="none",
        opening=Opening("training-dummy", str(folder)),
    )  # fmt: skip
    app = EvalForge(services)
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(300):
            if phase(app) == "DONE":
                break
            await pilot.pause(0.1)
        text = shown(app)
        assert "INTEGRITY" in text
        assert "Do next" in text
        await pilot.press("a")
        await until(pilot, lambda: "1 attempt" in shown(app), "it is kept")
        await pilot.press("enter")
        await until(
            pilot, lambda: isinstance(app.screen, AttemptScreen) and "Do next" in shown(app), "it is read again"
        )
