"""Cells that are safe in a spreadsheet, whichever character it splits at."""

import re

from evalforge.model.text import clean_line

_SIGNS = "=+@\t\r\uff1d\uff0b\uff0d\uff20-"
# At the start, or after any separator, maybe behind spaces and quotes: `;=1`, `; "=1"`, `a,=1`.
FORMULA_START = re.compile(rf"(?:^|[;|\t\uff1b])(?=[\s\"]*[{_SIGNS}])|,(?=[{_SIGNS}])")
_MAX_CELL_CHARS = 32_000
"""A spreadsheet's cell holds 32,767 characters."""
Cell = str | int | float | bool | None


def spreadsheet_cell(value: Cell) -> str | int | float:
    """Make a value safe for a spreadsheet: text that would be read as a formula is quoted (``=1+1`` as ``'=1+1``).

    If a spreadsheet splits at semicolons or tabs, the text after one begins a cell (``;=1+1`` becomes ``;'=1+1``).
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str):
        return value
    line = clean_line(value, _MAX_CELL_CHARS)
    return FORMULA_START.sub(r"\g<0>'", line)
