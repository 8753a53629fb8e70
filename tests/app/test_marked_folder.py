"""The bare command in a folder that ``new`` made: the game opens on its boss, with the folder filled in."""

from pathlib import Path

import pytest
from textual.widgets import Input

from evalforge.app.app import EvalForge
from evalforge.app.core.services import Services
from evalforge.cli.commands import play
from evalforge.cli.parser import command_line
from evalforge.packs.new_folders import create_starter
from evalforge.packs.pack import load_pack
from tests.app.harness import shown, until


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Services]:
    """What the game was started with, on a terminal that there isn't."""
    given: list[Services] = []
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True)
    monkeypatch.setattr(EvalForge, "run", lambda game: given.append(game.session.services))
    return given


async def test_the_arena_is_open_with_this_folder(
    bosses: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[Services]
) -> None:
    folder = create_starter(load_pack(bosses / "training-dummy"), tmp_path / "my dummy")
    monkeypatch.chdir(folder)
    assert play.play(command_line().parse_args([])) == 0
    (tmp_path / "welcomed").touch()
    services = Services(
        bosses=started[0].bosses, history=tmp_path / "attempts.sqlite3", motion="none", start=started[0].start
    )
    app = EvalForge(services)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Will be judged" in shown(app), "the arena")
        assert "TRAINING DUMMY" in shown(app)
        assert app.screen.query_one("#folder", Input).value.endswith("my dummy")
        assert "dummy.py" in shown(app)


def test_elsewhere_it_is_the_roster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[Services]) -> None:
    monkeypatch.chdir(tmp_path)
    assert play.play(command_line().parse_args([])) == 0
    assert started[0].start.boss == ""
