"""A line to type in whose enter is the screen's."""

from textual.widgets import Input


class LineInput(Input):
    """Leaves enter to its screen, which names it among its keys.

    The key still comes by way of this line, so it never overtakes letters that were typed before it; a priority
    binding of the screen would.
    """

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No enter of its own."""
        return False if action == "submit" else super().check_action(action, parameters)
