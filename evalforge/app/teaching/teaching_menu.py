"""A menu of a teacher's actions with a boss, for which a player's key bar has no room."""

from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from evalforge.app.screens.choose import ChooseScreen, Form, keys_of
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.app.core.game_app import GameApp
    from evalforge.packs.pack import BossPack

_ACTIONS: tuple[Form, ...] = (
    ("l", "stage", "teach its rubric on a stage, step by step"),
    ("r", "lab", "change its rubric in the lab and see verdicts move"),
    ("j", "judges", "let two judges judge one submission"),
    ("c", "class", "judge a whole class"),
)


class TeachingMenu(ChooseScreen):
    """Asks for an action; the answer is its name, or None.

    Args:
        title: The boss's title.
    """

    BINDINGS: ClassVar[list[BindingType]] = keys_of(_ACTIONS, "teaching")

    def __init__(self, title: str) -> None:
        super().__init__(f"Teaching: {clean_line(title)}", _ACTIONS, "", "open")


def open_teaching_menu(game: "GameApp", pack: "BossPack") -> None:
    """Ask for an action with a boss, and open its screen."""
    openers = {
        "stage": game.navigator.open_stage,
        "lab": game.navigator.open_lab,
        "judges": game.navigator.open_judge_comparison,
        "class": game.navigator.open_classes,
    }

    def open_choice(kind: str | None) -> None:
        if kind:
            openers[kind](pack)

    game.push_screen(TeachingMenu(pack.definition.title), open_choice)
