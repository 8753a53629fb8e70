"""Other values of the same type, for answers that are changed."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

_MAX_CHARS = 200
_MAX_FIELDS = 8

# Built-ins typed as ``Any``, because the types of the values are unknown.
_type: Any = type
_tuple: Any = tuple
known_words: list[Any] = []
"""Texts and numbers that the function has answered elsewhere: a likelier answer than one that is made up."""


def other_value(value: Any) -> Any:
    """Another value of the same type; None if the type is unknown."""
    try:
        return _other(value)
    except Exception:  # noqa: BLE001 - it may be one of the player's objects
        return None


def words_of(value: Any) -> list[Any]:
    """The texts and numbers that would be changed in a value."""
    fields = _fields(value)
    if fields:
        return [word for field in list(fields.values())[:_MAX_FIELDS] for word in words_of(field)]
    if hasattr(_type(value), "__members__"):
        return [value.name]
    return [value] if type(value) is int or (type(value) is str and len(value) <= _MAX_CHARS) else []


def _other(value: Any) -> Any:
    kind = _type(value)
    if isinstance(value, bool):
        return not value
    members = getattr(kind, "__members__", None)
    if members:
        return _other_member(value, members)
    for word in known_words:
        if type(word) is kind and word != value:
            return word
    fields = _fields(value)
    if fields:
        return _with_other_fields(value, fields)
    return next((change(value) for base, change in _CHANGES.items() if isinstance(value, base)), _other_number(value))


def _other_member(value: Any, members: Any) -> Any:
    """Another member of an enum: one that is known, or the next."""
    for word in known_words:
        if word in members and members[word] is not value:
            return members[word]
    everyone = list(members.values())
    return everyone[(everyone.index(value) + 1) % len(everyone)]


def _fields(value: Any) -> dict[Any, Any]:
    """The fields of a tuple or a dataclass, in order."""
    kind = _type(value)
    if kind is _tuple:
        return dict(zip(range(len(value)), value))
    if hasattr(kind, "__dataclass_fields__"):
        return {name: getattr(value, name) for name in kind.__dataclass_fields__ if hasattr(value, name)}
    return {name: getattr(value, name) for name in kind._fields} if issubclass(kind, _tuple) else {}


def _with_other_fields(value: Any, fields: dict[Any, Any]) -> Any:
    others = {name: other for name, other in zip(fields, map(other_value, fields.values())) if other is not None}
    if not others:
        return None
    if _type(value) is _tuple:
        return tuple(others.get(number, field) for number, field in fields.items())
    if isinstance(value, _tuple):
        return _type(value)(**{**fields, **others})
    result = copy.copy(value)
    for name, field in others.items():
        object.__setattr__(result, name, field)
    return result


def _other_number(value: Any) -> Any:
    name = type(value).__name__
    if name in ("date", "datetime"):
        return value.replace(year=value.year - 1 or 2)
    return value + 1 if name in ("Decimal", "Fraction") else None


def _other_dict(value: dict[Any, Any]) -> dict[Any, Any]:
    result = copy.copy(value)
    if result:
        result.popitem()
    else:
        result[""] = 0
    return result


def _other_text(value: Any) -> Any:
    turned = value[::-1]
    return turned if turned != value else value + (b"x" if isinstance(value, bytes) else "x")


_CHANGES: dict[type[Any], Callable[[Any], Any]] = {
    int: lambda value: value + 1,
    float: lambda value: value + 1,
    str: _other_text,
    bytes: _other_text,
    tuple: lambda _: (0,),
    list: lambda value: value[:-1] if value else [0],
    dict: _other_dict,
    set: lambda value: set(sorted(value, key=repr)[:-1]) if value else {0},
    frozenset: lambda value: frozenset(sorted(value, key=repr)[:-1]) if value else frozenset([0]),
}
