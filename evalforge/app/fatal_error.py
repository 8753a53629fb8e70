"""An error that ends the game."""

from rich.text import Text

from evalforge.model.errors import EvalForgeError
from evalforge.model.text import clean


class FatalError(Exception):
    """An error that ends the game, printed in its own words once the screen is gone."""

    def __init__(self, error: EvalForgeError) -> None:
        super().__init__(str(error))

    def __rich__(self) -> Text:
        """What Textual prints of it, in place of a traceback."""
        return Text(f"evalforge: {clean(str(self))}")
