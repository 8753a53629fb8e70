"""Checks that a contract has the words that a claim quotes from it."""

import re

from evalforge.packs.contract_clauses import contract_sections, states

_MIN_CHARS = 12
_MARKS = " .…\"'“”"


def is_stated(contract: str, text: str) -> bool:
    """Whether a contract has these words, or each part between ellipses; a word or two aren't enough."""
    parts = [part.strip(_MARKS) for part in re.split(r"\.\.\.|…", text)]
    parts = [part for part in parts if part]
    is_long = sum(map(len, parts)) >= _MIN_CHARS
    return is_long and all(states(contract.casefold(), part.casefold()) for part in parts)


def judged_contract(contract: str, unjudged: tuple[str, ...]) -> str:
    """A contract without the sections or paragraphs that leave something open."""
    headings = {section.heading for section in contract_sections(contract)}
    kept_lines: list[str] = []
    is_open, until_blank = False, False
    for line in contract.splitlines():
        if line in headings:
            is_open, until_blank = line in unjudged, False
        elif any(line.startswith(f"{heading}:") for heading in unjudged):
            is_open, until_blank = True, True
        elif until_blank and not line.strip():
            is_open, until_blank = False, False
        if not is_open:
            kept_lines.append(line)
    return "\n".join(kept_lines)
