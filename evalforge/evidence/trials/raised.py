"""Exceptions of the player's code, as a trial meets them; and the trial's own, as the player's code meets them."""

import builtins
from typing import Any

_NO_MAPPING = {"KeyboardInterrupt", "GeneratorExit", "BaseException", "Exception", "object"}
_UNICODE = {"UnicodeDecodeError", "UnicodeEncodeError", "UnicodeTranslateError"}


class PlayerError(Exception):
    """An exception of the player's code. Also an instance of the nearest builtin exception it derives from.

    Attributes:
        type_name: The name of its class.
        path, line: The innermost line of the player's code it passed through.
        refused: What the cage did not allow, e.g. ``open a socket``, if that is what it is about.
        original: A handle of the exception object.
    """

    type_name = ""
    path = ""
    line: int | None = None
    refused = ""
    original: Any = None


def error_class(name: str, bases: list[str]) -> type[PlayerError]:
    """A class for an exception of this name: of ours, and of the nearest builtin one among its bases."""
    for base in bases:
        kind = getattr(builtins, "UnicodeError" if base in _UNICODE else base, None)
        if base in _NO_MAPPING or not isinstance(kind, type) or not issubclass(kind, BaseException):
            continue
        if not issubclass(kind, BaseExceptionGroup):  # those need more than a message
            return type(name, (PlayerError, kind), {})
    return type(name, (PlayerError,), {})


def builtin_name(error: Exception) -> str:
    """The nearest builtin class of an exception, for it to be raised over there."""
    return next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")
