"""The last words of a game that can't go on."""

from rich.text import Text

from evalforge.model.errors import EvalForgeError
from evalforge.model.text import clean


class PartingError(Exception):
    """An error that ends the game, to be told in its own words once the screen is gone."""

    def __init__(self, error: EvalForgeError) -> None:
        super().__init__(str(error))

    def __rich__(self) -> Text:
        """What Textual prints of it, in place of a traceback."""
        return Text(f"evalforge: {clean(str(self))}")
