"""Our few marks of prose (codex, briefings, help) as styled text. Everything else in it is shown as written."""

import re

from textual.content import Content

from evalforge.model.text import clean

_INNER = r"(?=[^\s*])((?:`[^`\n]+`|[^*`\n])*)(?<=[^\s*])"
_SPAN = re.compile(rf"`([^`\n]+)`|(?<![\w*])(?:\*\*{_INNER}\*\*|\*{_INNER}\*)(?![\w*])")
"""A mark stands at the edge of a word, or it is a sign of arithmetic."""
Part = tuple[str, str]


def render_markup(text: str, ink: str = "$ash") -> Content:
    """Headings, lists, ``code``, **bold**, *emphasis* and fenced blocks; lines of a paragraph run together."""
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
    """One line with its ``code``, **bold** and *emphasis*."""
    parts: list[Part] = []
    at = 0
    weight = ink.rpartition(" ")[0]
    for match in _SPAN.finditer(line):
        parts.append((line[at : match.start()], ink))
        code, bold, emphasis = match.groups()
        if code:
            parts.append((code, f"{weight} $steel".strip()))
        else:
            parts += spans(bold or emphasis, f"bold {ink}" if bold else f"italic {ink}")
        at = match.end()
    parts.append((line[at:], ink))
    return [part for part in parts if part[0]]
