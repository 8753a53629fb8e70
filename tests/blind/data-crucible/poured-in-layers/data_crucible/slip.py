"""The order slip: what to group by and what to total."""

import json
from typing import NamedTuple


class Refused(Exception):
    """This pour can't be made; the message says what is at fault."""


class Slip(NamedTuple):
    columns: tuple
    value: str

    @property
    def needed(self):
        return (*self.columns, self.value)


def slip_from(text, origin):
    """The slip that a JSON text holds. `origin` is the file's name, for complaints."""
    try:
        raw = json.loads(text)
    except json.JSONDecodeError as error:
        raise Refused(f"{origin} is not valid JSON: {error}") from None
    if type(raw) is not dict:
        raise Refused(f"{origin} does not hold a JSON object")
    absent = [key for key in ("group_by", "value_field") if key not in raw]
    if absent:
        raise Refused(f"{origin} lacks {' and '.join(absent)}")
    columns, value = raw["group_by"], raw["value_field"]
    if type(columns) is not list or columns == [] or any(type(name) is not str for name in columns):
        raise Refused(f"{origin}: group_by must be a list of one or more column names")
    if type(value) is not str:
        raise Refused(f"{origin}: value_field must be one column name")
    return Slip(tuple(columns), value)
