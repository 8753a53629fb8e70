"""Type-checked access to the fields of a message, the only way in which parsed JSON is read."""

from __future__ import annotations

from typing import Any, cast

from .wire import WireError


class Fields:
    """The fields of a JSON object.

    Raises:
        WireError: The message isn't an object; in the methods: a field is missing, has another type, or is too large.
    """

    def __init__(self, message: object) -> None:
        if not isinstance(message, dict):
            raise WireError("a message that is not an object")
        self._fields = cast("dict[str, object]", message)

    def __contains__(self, name: str) -> bool:
        return name in self._fields

    def get(self, name: str) -> object:
        """The value under a key, of any type; None if it is missing."""
        return self._fields.get(name)

    def text(self, name: str) -> str:
        """The string under a key."""
        return self._typed(name, str)

    def flag(self, name: str) -> bool:
        """The boolean under a key; False if it is missing."""
        return bool(self._fields.get(name))

    def integer(self, name: str) -> int:
        """The whole number under a key."""
        return self._typed(name, int)

    def number(self, name: str) -> float:
        """The number under a key, with or without a fraction."""
        try:
            return float(self._typed(name, (int, float)))
        except OverflowError:
            raise WireError("a message with too large a number for " + name) from None

    def items(self, name: str) -> list[object]:
        """The list under a key, with items of any type."""
        return self._typed(name, list)

    def texts(self, name: str) -> list[str]:
        """The list of strings under a key."""
        return [str(item) for item in self.items(name)]

    def mapping(self, name: str) -> dict[str, object]:
        """The object under a key, whose keys may be any."""
        return self._typed(name, dict)

    def nested(self, name: str) -> Fields:
        """The object under a key, as fields in turn."""
        return Fields(self._fields.get(name))

    def _typed(self, name: str, kind: type[Any] | tuple[type[Any], ...]) -> Any:
        value = self._fields.get(name)
        if not isinstance(value, kind):
            raise WireError("a message without " + name)
        return value
