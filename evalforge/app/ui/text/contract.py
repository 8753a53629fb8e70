"""A contract as it is told: line by line as it was written, whatever the width it was written for."""

import re

from textual.content import Content

from evalforge.app.ui.text.markup import spans
from evalforge.model.text import clean

_TEXT = re.compile(r"\s*(?:[-·*] +|(?:\S+ )*\S+ {2,}(?=\S))?")
"""What stands before a line's text: its indent, and a mark or a first column."""
_PAGE = 96
"""Lines that couldn't have taken another word below this width were broken by the page's edge, not on purpose."""
_HEAD = re.compile(r"[A-Z][A-Z ]+$")


def contract(text: str) -> Content:
    """The contract with its headings; lines that run on are one."""
    lines: list[str] = []
    for line in clean(text).strip("\n").splitlines():
        if lines and _runs_on(lines[-1], line):
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line.rstrip())
    told = ([(line, "bold $steel")] if _HEAD.match(line) else spans(line, "$ash") for line in lines)
    return Content("\n").join(Content.assemble(*parts) for parts in told)


def _runs_on(line: str, following: str) -> bool:
    """Whether a sentence goes on in the next line: that begins below its text, and its first word found no room."""
    indent = len(following) - len(following.lstrip())
    goes_on = bool(following.strip()) and indent == _before_text(line) == _before_text(following)
    return goes_on and not line.endswith((".", "}")) and len(f"{line} {following.split(maxsplit=1)[0]}") > _PAGE


def _before_text(line: str) -> int:
    found = _TEXT.match(line)
    return found.end() if found else 0
