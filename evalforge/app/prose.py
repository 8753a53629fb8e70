"""Our few marks of prose (codex, briefings, help) as styled text. Everything else in it is shown as written."""

import re

from textual.content import Content

from evalforge.model.text import clean

_SPAN = re.compile(r"`([^`\n]+)`|\*\*([^*\n]+)\*\*")
Part = tuple[str, str]


def told(text: str, ink: str = "$ash") -> Content:
    """Headings, lists, ``code``, **bold** and fenced blocks; lines of a paragraph run together."""
    parts: list[Part] = []
    fenced = False
    paragraph: list[str] = []

    def flush() -> None:
        if paragraph:
            parts.extend([*spans(" ".join(paragraph), ink), ("\n", "")])
            paragraph.clear()

    for line in clean(text).strip().splitlines():
        bare = line.strip()
        if bare.startswith("```"):
            flush()
            fenced = not fenced
        elif fenced:
            parts.append((f"  {line}\n", "$steel"))
        elif not bare:
            flush()
            parts.append(("\n", ""))
        elif bare.startswith("#"):
            flush()
            parts.append((f"{bare.lstrip('#').strip()}\n", "bold $ember"))
        elif re.match(r"([-*]|\d+\.) ", bare):
            flush()
            mark, rest = bare.split(" ", 1)
            paragraph.append(f"{'·' if mark in '-*' else mark} {rest}")
        elif line.startswith("    ") and not paragraph:
            parts.append((f"{line}\n", "$steel"))
        else:
            paragraph.append(bare)
    flush()
    return Content.assemble(*parts)


def spans(line: str, ink: str) -> list[Part]:
    """One line with its ``code`` and **bold**."""
    parts: list[Part] = []
    at = 0
    for match in _SPAN.finditer(line):
        parts.append((line[at : match.start()], ink))
        code, bold = match.groups()
        parts.append((code, "$steel") if code else (bold, f"bold {ink}"))
        at = match.end()
    return [*parts, (line[at:], ink)]
