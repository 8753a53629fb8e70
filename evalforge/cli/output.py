"""Printing: text for people through Rich, never as markup; data as JSON."""

import sys
from typing import TYPE_CHECKING, Any

from evalforge.cli import streams
from evalforge.model.text import clean, json_text

if TYPE_CHECKING:
    from rich.console import Console

_PROSE_COLUMNS = 80


def console() -> "Console":
    """Standard output for people: no colour when piped or with NO_COLOR, nothing parsed as markup."""
    from evalforge.cli.rich_output import RichOutput  # Loading Rich takes longer than some commands take to answer.

    return RichOutput(markup=False, highlight=False, emoji=False, soft_wrap=not sys.stdout.isatty())


def plain_console() -> "Console":
    """Standard output without any styling, whatever the terminal; lines are never wrapped."""
    from evalforge.cli.rich_output import RichOutput

    return RichOutput(
        markup=False, highlight=False, emoji=False, color_system=None, force_terminal=False, soft_wrap=True
    )


def print_line(out: "Console", *parts: str | tuple[str, str], indent: str = "") -> None:
    """Print one line of plain or styled parts, each made safe to show; a long one keeps its indent when it wraps."""
    from rich.text import Text

    text = Text()
    for part in parts:
        part_text, style = part if isinstance(part, tuple) else (part, "")
        text.append(clean(part_text), style=style)
    if not indent:
        out.print(text)
        return
    from rich.padding import Padding

    out.print(Padding(text, (0, 0, 0, len(indent))) if out.is_terminal else Text(indent) + text)


def print_prose(out: "Console", text: str) -> None:
    """Print prose or a contract, made safe to show, wrapped at 80 columns or the terminal's width if that is less."""
    from rich.text import Text

    from evalforge.reports.prose_lines import wrap_lines

    out.print(Text(wrap_lines(clean(text).strip("\n"), min(_PROSE_COLUMNS, out.width))), soft_wrap=True)


def print_note(text: str) -> None:
    """Print a line on standard error, such as progress."""
    streams.print_error(clean(text))


def confirm(question: str, *, unasked: bool = True) -> bool:
    """Ask a question on the terminal, without standard output; every answer that doesn't begin with y is a no.

    Returns:
        Whether the answer is yes; ``unasked`` if there is no terminal, and so nobody to ask.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return unasked
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower().startswith("y")


def print_document(text: str) -> None:
    """Print a whole document for another program, unchanged and as UTF-8; its text is already safe to show."""
    with streams.translate_write_errors():
        if (reconfigure := getattr(sys.stdout, "reconfigure", None)) is not None:
            reconfigure(encoding="utf-8")
        sys.stdout.write(text)
    streams.flush()


def print_json(data: Any) -> None:
    """Print data as JSON that is also safe on a terminal."""
    _write_json(data, indent=2)


def print_json_line(data: Any) -> None:
    """Print data as one line of JSON, and flush it."""
    _write_json(data, indent=None)
    streams.flush()


def _write_json(data: Any, indent: int | None) -> None:
    # Data must arrive unchanged, where text may contain question marks.
    takes_all = streams.is_utf(sys.stdout.encoding or "utf-8")
    with streams.translate_write_errors():
        sys.stdout.write(json_text(data, indent, ascii_only=not takes_all))
