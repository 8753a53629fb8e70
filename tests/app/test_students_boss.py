"""A boss that was packed for students is listed and opened in the game, and says who judges it."""

import shutil

from evalforge.app.app import EvalForge
from evalforge.app.home.boss_page import BossScreen
from tests.app import start_request
from tests.app.harness import Teller, services, shown, until, write_pack
from tests.app.test_screens import on


async def test_a_students_boss_says_who_judges_it(tmp_path):
    pack = write_pack(tmp_path / "bosses", "golem", "Stone Golem")
    (pack / "release.json").write_text('{"audience": "students", "version": 1}')
    (pack / "evidence.yaml").unlink()
    shutil.rmtree(pack / "trials")
    app = EvalForge(services(tmp_path, Teller(lambda pack: []), start_request.ROSTER))
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "to be judged by your teacher" in shown(app), "the card")
        await pilot.press("enter")
        await until(pilot, lambda: on(pilot, BossScreen), "the page")
        assert "to be judged by your teacher" in shown(app)
        assert "contract plain words" in shown(app)
