"""Printing: text for people through Rich, never as markup; data as JSON."""

import json
import re
import sys
from typing import Any

from rich.console import Console
from rich.text import Text

from evalforge.model.text import UNSAFE, clean

_JSON_SAFE = re.compile(UNSAFE.pattern)


def console() -> Console:
    """Standard output for people: no colour when piped or with NO_COLOR, nothing parsed as markup."""
    return Console(markup=False, highlight=False, emoji=False, soft_wrap=not sys.stdout.isatty())


def plain_console() -> Console:
    """Standard output without any styling, whatever the terminal; lines are never wrapped."""
    return Console(markup=False, highlight=False, emoji=False, color_system=None, force_terminal=False, soft_wrap=True)


def line(out: Console, *parts: str | tuple[str, str], indent: str = "") -> None:
    """Print one line of plain or styled parts, each made safe to show; a long one keeps its indent when it wraps."""
    text = Text()
    for part in parts:
        words, style = part if isinstance(part, tuple) else (part, "")
        text.append(clean(words), style=style)
    if not indent:
        out.print(text)
        return
    from rich.padding import Padding

    out.print(Padding(text, (0, 0, 0, len(indent))) if out.is_terminal else Text(indent) + text)


def note(words: str) -> None:
    """A word on progress, on standard error."""
    print(clean(words), file=sys.stderr)


def json_text(data: Any, indent: int | None = 2) -> str:
    """Data as JSON that is safe on a terminal too: characters that steer one are escaped."""
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    text = _JSON_SAFE.sub(lambda match: json.dumps(match.group())[1:-1], text)
    return text.encode("utf-8", "replace").decode("utf-8") + "\n"


def print_json(data: Any) -> None:
    """Print data as JSON that is safe on a terminal too."""
    sys.stdout.write(json_text(data))


def print_json_line(data: Any) -> None:
    """Print data as one line of JSON, at once."""
    sys.stdout.write(json_text(data, indent=None))
    sys.stdout.flush()
