"""The slip that says what to pour: the config, checked as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class BadInputError(Exception):
    """Something that was handed in is not as it must be. The message names it."""


class Slip(NamedTuple):
    """Columns to group by, and the column to add up."""

    group_by: tuple[str, ...]
    value_field: str

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that matter."""
        return (*self.group_by, self.value_field)


def complaints(document: object) -> Iterator[str]:
    """Everything that is wrong with a config."""
    if not isinstance(document, dict):
        yield "it is not a JSON object"
        return
    for key in Slip._fields:
        if key not in document:
            yield f"{key} is missing"
    names = document.get("group_by", ["-"])
    if not isinstance(names, list) or names == [] or any(not isinstance(name, str) for name in names):
        yield "group_by must be a list of one or more names of columns"
    if not isinstance(document.get("value_field", "-"), str):
        yield "value_field must be the name of a column"


def check_slip(document: object) -> Slip:
    """The config as something to rely on.

    Raises:
        BadInputError: Something is wrong with it; all of that is told.
    """
    wrong = list(complaints(document))
    if wrong:
        raise BadInputError(f"the config won't do: {'; '.join(wrong)}")
    return Slip(tuple(document["group_by"]), document["value_field"])
