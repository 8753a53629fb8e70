"""Detects a reply that goes in circles, as small models' replies may until they are stopped."""

_WINDOW_CHARS = 1_200
_MAX_PERIOD_CHARS = 200
_CHARS_BETWEEN_CHECKS = 300


class RepetitionWatch:
    """Reads a reply piece by piece, and detects whether its last 1,200 characters repeat one short passage."""

    def __init__(self) -> None:
        self._window = ""
        self._unchecked_chars = 0

    def add(self, text: str) -> bool:
        """Add a piece, and return whether the reply now goes in circles."""
        self._window = (self._window + text)[-_WINDOW_CHARS:]
        self._unchecked_chars += len(text)
        if len(self._window) < _WINDOW_CHARS or self._unchecked_chars < _CHARS_BETWEEN_CHECKS:
            return False
        self._unchecked_chars = 0
        return shortest_period(self._window) <= _MAX_PERIOD_CHARS


def shortest_period(text: str) -> int:
    """Return the length of the shortest passage that a text repeats from its first character to its last.

    The last repetition may be cut off: ``abcabcab`` has the period 3, ``abc`` its own length. By the prefix function of
    Knuth, Morris and Pratt, in time linear in the length of the text.
    """
    borders = [0] * len(text)
    for index in range(1, len(text)):
        border = borders[index - 1]
        while border and text[index] != text[border]:
            border = borders[border - 1]
        borders[index] = border + (text[index] == text[border])
    return len(text) - borders[-1] if text else 0
