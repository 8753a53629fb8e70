"""Lines of plain, bold and dim text as Rich prints them, without loading Rich: for commands that must be fast."""

import os
import re
import sys
from collections.abc import Iterator, Sequence

from evalforge.cli import output, streams
from evalforge.model.text import clean

Part = str | tuple[str, str]
_CODES = {"": "", "bold": "1", "dim": "2"}
"""The terminal's code for each style."""
_WORD = re.compile(r"\s*\S+\s*")
"""A word and the adjacent space: "  two words" is "  two " and "words"."""
_RICH_DECIDES = ("FORCE_COLOR", "TTY_COMPATIBLE")
"""Variables that affect which kind of terminal Rich assumes."""


def print_line(*parts: Part) -> None:
    """Print one line of plain or styled parts, each made safe to show."""
    cleaned = [(clean(part), "") if isinstance(part, str) else (clean(part[0]), part[1]) for part in parts]
    line = None if _is_unusual() else render_line(cleaned, _columns() if sys.stdout.isatty() else None)
    if line is None:
        output.print_line(output.console(), *parts)
        return
    with streams.translate_write_errors():
        sys.stdout.write(line)


def _is_unusual() -> bool:
    """Whether only Rich knows what the terminal supports."""
    is_dumb = os.environ.get("TERM", "").lower() in ("dumb", "unknown")
    return os.name == "nt" or is_dumb or any(name in os.environ for name in _RICH_DECIDES)


def _columns() -> int:
    """The width of the terminal; 0 if unknown."""
    if (columns := os.environ.get("COLUMNS", "")).isdigit():
        return int(columns)
    for descriptor in range(3):
        try:
            return os.get_terminal_size(descriptor).columns
        except OSError:
            continue
    return 0


def render_line(parts: Sequence[tuple[str, str]], columns: int | None) -> str | None:
    """Render a line as Rich would print it.

    Args:
        parts: Texts that are safe to show, each with its style.
        columns: The width of the terminal; None if the output isn't a terminal, so nothing is styled or wrapped.

    Returns:
        The text to write, line end included; None if only Rich can render it.
    """
    text = "".join(text for text, _ in parts)
    if columns is None:
        return None if "\t" in text else f"{text}\n"
    # Only ASCII characters are certain to be one column wide.
    is_simple = text.isascii() and text.isprintable() and all(style in _CODES for _, style in parts)
    starts = _line_starts(text, columns) if is_simple else None
    if starts is None:
        return None
    return "".join(f"{_styled(parts, *bounds)}\n" for bounds in _line_bounds(text, starts, columns))


def _line_starts(text: str, columns: int) -> list[int] | None:
    """Return where lines begin when a text is wrapped between words; None if a word is longer than a line."""
    starts, width = [0], 0
    for word in _WORD.finditer(text):
        length = len(word[0].rstrip())
        if length > columns:
            return None
        if length > columns - width and width and word.start():
            starts.append(word.start())
            width = 0
        width += len(word[0])
    return starts


def _line_bounds(text: str, starts: Sequence[int], columns: int) -> Iterator[tuple[int, int]]:
    """Yield start and end of each line; of the space at its end, only what fits is kept."""
    for start, end in zip(starts, (*starts[1:], len(text)), strict=True):
        yield start, max(start + len(text[start:end].rstrip()), min(end, start + columns))


def _styled(parts: Sequence[tuple[str, str]], start: int, end: int) -> str:
    """Return the characters from ``start`` to ``end`` of all parts, with the terminal's codes for their styles."""
    line, position = "", 0
    for text, style in parts:
        piece = text[max(0, start - position) : max(0, end - position)]
        position += len(text)
        line += f"\x1b[{_CODES[style]}m{piece}\x1b[0m" if piece and style else piece
    return line
