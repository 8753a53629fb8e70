"""Whether a sprite file keeps to its format, which is told in ``assets/sprites/README.md``."""

import re
from collections.abc import Iterator
from pathlib import Path

from evalforge.packs.lint.issue import LintIssue

_FRAME = re.compile(r"(idle\.[1-4]|hurt\.[12]|enraged\.[12]|defeated\.[1-4])")
_SIZE = re.compile(r"([0-9]{1,3})x([0-9]{1,3})")
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}|accent[+-]?")
_MAX_SIDE = 80
_MAX_BYTES = 200_000


def check_sprite(path: Path) -> Iterator[LintIssue]:
    """Everything that is wrong with a sprite file."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            yield LintIssue(path, None, f"this sprite is larger than {_MAX_BYTES:,} bytes")
            return
        text = path.read_text("utf-8")
    except (OSError, ValueError):
        yield LintIssue(path, None, "this sprite can't be read as UTF-8 text")
        return
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("# ") and line.strip() != "#":
            why = reader.check_line(line.split())
            if why:
                yield LintIssue(path, number, why)
    if "idle.1" not in reader.frames:
        yield LintIssue(path, None, "a sprite needs a frame called idle.1")


class _Reader:
    """Takes line by line; each answer says what is wrong with the line, or nothing."""

    def __init__(self) -> None:
        self.frames: set[str] = set()
        self._width = self._height = 0
        self._palette: set[str] = set()
        self._place = ""

    def check_line(self, words: list[str]) -> str:
        match words[0]:
            case "size":
                return self._size(words)
            case "palette":
                self._place = "palette"
                return ""
            case "frame":
                return self._frame(words)
            case _ if self._place == "frame":
                return self._row(words)
            case _ if self._place == "palette":
                return self._colour(words)
            case _:
                return f"{words[0]!r} is not known here: first comes size, then palette, then frames"

    def _size(self, words: list[str]) -> str:
        match = _SIZE.fullmatch(words[1]) if len(words) > 1 else None
        if match is None:
            return "a size is written like this: size 36x26"
        self._width, self._height = int(match[1]), int(match[2])
        if not (0 < self._width <= _MAX_SIDE and 0 < self._height <= _MAX_SIDE) or self._height % 2:
            return f"a size is at most {_MAX_SIDE} each way and of even height"
        return ""

    def _colour(self, words: list[str]) -> str:
        if len(words) < 2 or len(words[0]) != 1 or words[0] == ".":
            return "a colour is one character, then #rrggbb or accent, then what it is meant to be"
        self._palette.add(words[0])
        return "" if _COLOUR.fullmatch(words[1]) else f"{words[1]!r} is neither #rrggbb nor accent, accent+ or accent-"

    def _frame(self, words: list[str]) -> str:
        self._place = "frame"
        if not self._width:
            return "the size comes before the frames"
        name = words[1] if len(words) > 1 else ""
        if not _FRAME.fullmatch(name):
            return f"there is no frame called {name!r}: idle.1 to .4, hurt.1 and .2, enraged.1 and .2, defeated.1 to .4"
        if len(words) > 2 and (len(words) < 4 or words[2] != "=" or words[3] not in self.frames):
            return f"frame {name} can only be like a frame that stands above it"
        twice = name in self.frames
        self.frames.add(name)
        return f"frame {name} stands here twice" if twice else ""

    def _row(self, words: list[str]) -> str:
        if len(words) != 2 or not words[0].isdecimal():
            return "a row is its number, then one character for each pixel"
        if int(words[0]) >= self._height:
            return f"row {words[0]} is beyond the height of {self._height}"
        if len(words[1]) != self._width:
            return f"a row is {self._width} pixels, not {len(words[1])}"
        unknown = sorted(set(words[1]) - self._palette - {"."})
        return f"the palette has no {unknown[0]!r}" if unknown else ""
