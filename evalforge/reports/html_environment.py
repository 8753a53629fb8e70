"""What all HTML pages share: one file that loads nothing, our style, and a script that searches and sorts.

All template output is cleaned and escaped, and never cut.
"""

import base64
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from evalforge.model.number_format import format_count, format_percent
from evalforge.model.text import clean_line, clean_whole

_PAGES = Path(__file__).parent / "pages"
_CODE_SPAN = re.compile(r"`([^`]+)`")


@cache
def html_environment(folder: Path) -> Environment:
    """Create the environment for the templates in a folder; they can also include ``style.css``."""
    environment = Environment(
        loader=FileSystemLoader([folder, _PAGES]),
        autoescape=True,
        finalize=_cleaned,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Any] = {
        "cut": clean_line,
        "prose": prose,
        "g": "{:g}".format,
        "percent": format_percent,
        "counted": format_count,
    }
    environment.filters.update(filters)
    page_parts: dict[str, Any] = {"script": _script(), "script_hash": _script_hash()}
    environment.globals.update(page_parts)
    return environment


@cache
def _script() -> Markup:
    return Markup((_PAGES / "table.js").read_text(encoding="utf-8").strip())  # noqa: S704 - ours


def _script_hash() -> str:
    """Return the hash that makes a page allow our script and no other (W3C, Content Security Policy Level 3)."""
    return base64.b64encode(hashlib.sha256(_script().encode()).digest()).decode()


def _cleaned(value: object) -> object:
    return _on_one_line(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _on_one_line(text: str) -> str:
    return clean_whole(" ".join(text.split("\n")))


def prose(text: str) -> Markup:
    """Render a judge's sentences; text between backticks becomes code."""
    parts = _CODE_SPAN.split(_on_one_line(text))
    return Markup("").join(Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(parts))
