"""The clauses of a contract, section by section, to compare trials and impostors with.

A section is a line of capitals at the left margin and the lines below it. Its clauses are paragraphs, bullets, and
entries with a hanging indent.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_HEADING = re.compile(r"^[A-Z][A-Z ,/&'-]*[A-Z]$")
_BULLET = "- "
_DEFINITION = re.compile(r"\S+(?: \S+)?\s{2,}\S")
"""Matches a term and its definition, such as ``--blows N  how many blows``."""
_SENTENCE_ENDS = (".", ":", ")")
_MIN_QUOTED_CHARS = 12
_QUOTE_MARKS = " .…\"'“”"


@dataclass(frozen=True)
class Section:
    """One section of a contract.

    Attributes:
        heading: Its heading, such as ``REFUSALS``.
        clauses: The words of its clauses, with single spaces, such as ``- A key that can't be hashed: TypeError.``
    """

    heading: str
    clauses: tuple[str, ...]


@dataclass
class _SectionLines:
    """The heading and the lines of one section."""

    heading: str
    lines: list[str] = field(default_factory=list[str])


def contract_sections(contract: str) -> tuple[Section, ...]:
    """The sections of a contract, in order; none if it has no headings."""
    sections: list[_SectionLines] = []
    for line in contract.splitlines():
        if _HEADING.match(line):
            sections.append(_SectionLines(line))
        elif sections:
            sections[-1].lines.append(line)
    return tuple(Section(section.heading, tuple(_clauses(section.lines))) for section in sections)


def statements(contract: str) -> list[str]:
    """The statements of a contract without headings, paragraph by paragraph.

    A paragraph begins at the left margin after an empty line, as does a definition such as ``--blows N  how many``.
    Indented examples, and lines that aren't sentences, such as ``dummy.py NAME [--blows N]``, are left out.
    """
    paragraphs: list[str] = []
    is_after_gap = True
    for line in contract.splitlines():
        is_at_margin = line[:1].strip() != ""
        if is_at_margin and (is_after_gap or _DEFINITION.match(line)):
            paragraphs.append(line)
        elif is_at_margin and paragraphs:
            paragraphs[-1] += " " + line
        is_after_gap = not is_at_margin
    return [paragraph for paragraph in paragraphs if paragraph.rstrip().endswith(_SENTENCE_ENDS)]


def states(contract: str, text: str) -> bool:
    """Whether a contract has these words, ignoring differences in white space."""
    return " ".join(text.split()) in " ".join(contract.split())


def is_stated(contract: str, text: str) -> bool:
    """Whether a contract has these words, or each part between ellipses; a word or two aren't enough."""
    parts = [part.strip(_QUOTE_MARKS) for part in re.split(r"\.\.\.|…", text)]
    parts = [part for part in parts if part]
    is_long = sum(map(len, parts)) >= _MIN_QUOTED_CHARS
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


def _clauses(lines: list[str]) -> Iterator[str]:
    """Yield the clauses in a section's lines. An entry begins at the left margin, and its text is indented below."""
    margin = min((_indent(line) for line in lines if line.strip()), default=0)
    clause: list[str] = []
    was_hanging = False
    for line in lines:
        is_entry = was_hanging and _indent(line) == margin
        if clause and (not line.strip() or is_entry or line.lstrip().startswith(_BULLET)):
            yield " ".join(clause)
            clause = []
        if line.strip():
            clause.append(" ".join(line.split()))
        was_hanging = _indent(line) > margin
    if clause:
        yield " ".join(clause)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
