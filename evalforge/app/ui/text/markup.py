"""Prose (codex, briefings, help, contracts) as styled text, with a few marks of ours; all else is shown as written."""

import re

from textual.content import Content

from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.model.text import clean
from evalforge.reports.prose_lines import join_lines

_INNER = r"(?=[^\s*])((?:`[^`\n]+`|[^*`\n])*)(?<=[^\s*])"
_SPAN = re.compile(rf"`([^`\n]+)`|(?<![\w*])(?:\*\*{_INNER}\*\*|\*{_INNER}\*)(?![\w*])")
"""Marks count only at the edge of a word; otherwise they may be signs of arithmetic."""


def render_markup(text: str, ink: str = "ash") -> Content:
    """Render headings, lists, ``code``, **bold**, *emphasis* and fenced blocks; lines of a paragraph are joined."""
    parts: list[Run] = []
    fenced = False
    paragraph: list[str] = []

    def flush() -> None:
        if paragraph:
            parts.extend([*spans(" ".join(paragraph), ink), ("\n", "")])
            paragraph.clear()

    for line in clean(text).strip().splitlines():
        stripped = line.strip()
        if stripped.startswith("```"):
            flush()
            fenced = not fenced
        elif fenced:
            parts.append((f"  {line}\n", "steel"))
        elif not stripped:
            flush()
            parts.append(("\n", ""))
        elif stripped.startswith("#"):
            flush()
            parts.append((f"{stripped.lstrip('#').strip()}\n", "bold ember"))
        elif re.match(r"([-*]|\d+\.) ", stripped):
            flush()
            mark, item_text = stripped.split(" ", 1)
            paragraph.append(f"{'·' if mark in '-*' else mark} {item_text}")
        elif line.startswith("    ") and not paragraph:
            parts.append((f"{line}\n", "steel"))
        else:
            paragraph.append(stripped)
    flush()
    return styled(*parts)


def spans(line: str, ink: str) -> list[Run]:
    """Render one line with its ``code``, **bold** and *emphasis*."""
    parts: list[Run] = []
    at = 0
    weight = ink.rpartition(" ")[0]
    for match in _SPAN.finditer(line):
        parts.append((line[at : match.start()], ink))
        code, bold, emphasis = match.groups()
        if code:
            parts.append((code, f"{weight} steel".strip()))
        else:
            parts += spans(bold or emphasis, f"bold {ink}" if bold else f"italic {ink}")
        at = match.end()
    parts.append((line[at:], ink))
    return [part for part in parts if part[0]]


_HEAD = re.compile(r"[A-Z][A-Z ]+$")


def contract(text: str) -> Content:
    """Render a contract with its headings; wrapped lines are joined."""
    lines = join_lines(clean(text))
    styled_lines = ([(line, "bold steel")] if _HEAD.match(line) else spans(line, "ash") for line in lines)
    return Content("\n").join(styled(*parts) for parts in styled_lines)
