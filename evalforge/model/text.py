"""Cleaning of foreign text: after ``clean`` nothing in it can steer a terminal."""

import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

_LINE_CAP = 2_000
_TOTAL_CAP = 200_000

_PICTURES = {code: chr(0x2400 + code) for code in range(0x20) if code not in (0x09, 0x0A)} | {0x7F: "\u2421"}
# C1 controls, soft hyphen, bidi marks and embeddings, zero-width and invisible characters, line and paragraph
# separators, interlinear annotations, tags. The joiner U+200D and variation selector 16 stay: emoji need them.
_INVISIBLE = (
    "\u0080-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_HIDDEN = re.compile(f"[{_INVISIBLE}]")
_SURROGATE = re.compile("[\ud800-\udfff]")
UNSAFE = re.compile(f"[\x00-\x08\x0b-\x1f\x7f{_INVISIBLE}\ud800-\udfff]")
"""Matches every character that ``clean`` replaces (tab and newline are safe)."""


def clean(text: str, line_cap: int = _LINE_CAP, total_cap: int = _TOTAL_CAP) -> str:
    r"""Make text safe to show: readable, with replaced characters still visible.

    Control characters become control pictures, invisible and bidirectional ones ``<U+XXXX>``, lone surrogates U+FFFD;
    ``\r\n`` becomes ``\n``. Lines and the whole text are cut at their caps, with a note that says so.

    Args:
        text: Any text.
        line_cap: Longest line kept, in characters.
        total_cap: Longest text kept, in characters.
    """
    cut = len(text) > total_cap
    text = text[:total_cap].replace("\r\n", "\n")
    if UNSAFE.search(text):
        text = text.translate(_PICTURES)
        text = _HIDDEN.sub(lambda match: f"<U+{ord(match.group()):04X}>", text)
        text = _SURROGATE.sub("\ufffd", text)
    lines = text.split("\n")
    if any(len(line) > line_cap for line in lines):
        text = "\n".join(
            line if len(line) <= line_cap else f"{line[:line_cap]} … ({len(line) - line_cap} more characters)"
            for line in lines
        )
    return f"{text}\n… (cut)" if cut else text


def replace_unencodable(text: str) -> str:
    """Replace lone surrogates, which stand for undecodable bytes in paths, so that text can be stored and sent."""
    return text.encode("utf-8", "replace").decode("utf-8")


def clean_line(text: str, cap: int = 300) -> str:
    """``clean`` on a single line."""
    return clean(" ".join(text.split("\n")), line_cap=cap)


def clean_name(name: str, cap: int = 300) -> str:
    """``clean_line`` on a name: both Unicode forms of it are one, and a tab is a blank."""
    return clean_line(unicodedata.normalize("NFC", name).replace("\t", " "), cap).strip()


def clean_whole(text: str) -> str:
    """``clean`` without the usual cap on a line: for feedback, which must not be cut."""
    return clean(text, line_cap=_TOTAL_CAP)


def json_text(data: Any, indent: int | None = 2, *, ascii_only: bool = False) -> str:
    """Serialize data as JSON that is safe on a terminal: control characters in it are escaped."""
    text = json.dumps(data, ensure_ascii=ascii_only, indent=indent)
    text = UNSAFE.sub(lambda match: json.dumps(match.group())[1:-1], text)
    return replace_unencodable(text) + "\n"


ASCII_TWINS = str.maketrans(
    "●◐○★☆✓✗▸◆─│▾▴·…→↑↓←╭╮╰╯├└▎▁▔▆█▓▒░▀▄▂▃▅▇⏎↵±≠“”‘’–—×≤≥╷▲╌━\N{NO-BREAK SPACE}",  # noqa: RUF001 - each by its twin
    "#+o*-+x>*-|v^.~>^v<++++++|_-=#=-.'...=#<|~!\"\"''--x<>|^-= ",
)
"""Maps each of our signs to an ASCII character, for terminals and files that know only ASCII."""
_FALSE_VALUES = frozenset({"", "0", "no", "false", "off"})


def is_ascii_only(environment: Mapping[str, str]) -> bool:
    """Follow ``EVALFORGE_ASCII`` if it is set; else return whether the locale names an encoding other than UTF-8.

    An unset locale says nothing about the terminal; nearly all terminals use UTF-8.
    """
    setting = environment.get("EVALFORGE_ASCII")
    if setting is not None:
        return setting.strip().lower() not in _FALSE_VALUES
    locale_name = next((v for name in ("LC_ALL", "LC_CTYPE", "LANG") if (v := environment.get(name))), "")
    return bool(locale_name) and not locale_name.lower().replace("-", "").split("@")[0].endswith("utf8")
