"""In which form an attempt is handed out."""

from typing import TYPE_CHECKING

from evalforge.app.screens.choose import ChooseScreen, keys_of
from evalforge.model.text import clean

if TYPE_CHECKING:
    from evalforge.model.attempt import Attempt

_CARD = "card"
_FORMS = (
    ("m", "markdown", "a report in words"),
    ("j", "json", "everything, as JSON"),
    ("c", _CARD, "a card to show, with its receipt"),
)


class ExportScreen(ChooseScreen):
    """Lies over the screen that asks; answers with a kind of file, or nothing. Only what was judged has a card."""

    BINDINGS = keys_of(_FORMS, "export")

    def __init__(self, attempt: "Attempt", folder: str) -> None:
        self._judged = attempt.result is not None
        forms = [form for form in _FORMS if self._judged or form[1] != _CARD]
        note = f"It goes to {clean(folder)}; nothing there is overwritten."
        super().__init__("Hand it out as", forms, note)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The key of a form that is not there does nothing."""
        return self._judged or parameters != (_CARD,)
