"""How the screen of a class is made: who judges it, and what that may cost."""

from pathlib import Path
from typing import TYPE_CHECKING

from evalforge.app.screens.class_screen import ClassScreen
from evalforge.batch.classroom.run import ClassOptions
from evalforge.judges.options import ModelOptions
from evalforge.library.pack import BossPack

if TYPE_CHECKING:
    from evalforge.app.ways import Ways


def judge_class(game: "Ways", pack: BossPack, place: Path, judge: str, label: str) -> None:
    """Judge a class; where that costs money, only after a yes."""
    services = game.services
    models = services.models or ModelOptions()
    options = ClassOptions(judge=judge, models=models, python=services.python, label=label)

    def begin(sure: bool | None) -> None:
        if sure:
            game.push_screen(ClassScreen(pack, place, options))

    if judge == "forge":
        begin(sure=True)
        return
    from evalforge.app.screens.confirm import ConfirmScreen

    words = f"It may cost up to ${models.limit:.2f} for the class. What is known from earlier runs costs nothing."
    game.push_screen(ConfirmScreen(f"Let {judge} judge a whole class?", words, "judge them"), begin)
