"""Sprites as data: readable pixel files, parsed independently of how they are drawn."""

import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from evalforge.packs.locations import shipped_sprites

FALLBACK = "unknown"
CLEAR = "."
ACCENTS = {"accent": 0.0, "accent+": 0.22, "accent-": -0.22}
"""Palette words for the boss's own colour, and how much lighter or darker each is."""
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_FRAME = re.compile(r"(idle\.[1-4]|hurt\.[12]|enraged\.[12]|defeated\.[1-4])")
_SIZE = re.compile(r"([0-9]{1,3})x([0-9]{1,3})")
_ROW_NUMBER = re.compile(r"[0-9]{1,6}")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_MAX_SIDE = 80
MAX_SPRITE_BYTES = 200_000


class Sprite(NamedTuple):
    """Frames by name (``idle.1``) as rows of palette keys, and the colour of each key (``#rrggbb`` or an accent)."""

    width: int
    height: int
    palette: dict[str, str]
    frames: dict[str, tuple[str, ...]]

    def frame(self, mood: str, number: int) -> tuple[str, ...]:
        """The pixels of a frame, ``number`` from 0; a mood without frames looks idle."""
        frame_names = [name for name in self.frames if name.startswith(f"{mood}.")] or ["idle.1"]
        return self.frames[frame_names[number % len(frame_names)]]


class SpriteError(ValueError):
    """A sprite file is invalid; the message names the line."""


def parse_sprite(text: str) -> Sprite:
    """Read a sprite file (``assets/sprites/README.md`` describes the format).

    Raises:
        SpriteError: The file breaks the format.
    """
    reader = _Reader(text)
    for line, reason in reader.faults:
        raise SpriteError(f"line {line}: {reason}" if line else reason)
    frames = {name: tuple(rows) for name, rows in reader.frames.items()}
    return Sprite(reader.width, reader.height, reader.palette, frames)


def sprite_faults(text: str) -> list[tuple[int | None, str]]:
    """All faults of a sprite file, each with its line, if it concerns a single one, and the reason."""
    return _Reader(text).faults


class _Reader:
    """Reads a sprite file line by line; each method returns what is wrong with its line, or an empty text."""

    def __init__(self, text: str) -> None:
        self.width = self.height = 0
        self.palette: dict[str, str] = {}
        self.frames: dict[str, list[str]] = {}
        self.faults: list[tuple[int | None, str]] = []
        self._rows: list[str] | None = None
        self._is_in_palette = False
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip() and not line.lstrip().startswith("# ") and line.strip() != "#":
                reason = self._read_line(line.split())
                self.faults += [(number, reason)] if reason else []
        if "idle.1" not in self.frames:
            self.faults.append((None, "a sprite needs a frame called idle.1"))

    def _read_line(self, words: list[str]) -> str:
        match words[0]:
            case "size":
                return self._size(words)
            case "palette":
                self._rows, self._is_in_palette = None, True
                return ""
            case "frame":
                return self._frame(words)
            case _ if self._rows is not None:
                return self._row(words, self._rows)
            case _ if self._is_in_palette:
                return self._colour(words)
            case _:
                return f"{words[0]!r} isn't allowed here: size comes first, then palette, then frames"

    def _size(self, words: list[str]) -> str:
        match = _SIZE.fullmatch(words[1]) if len(words) > 1 else None
        if match is None:
            return "a size is written like this: size 36x26"
        if self.width:
            return "a sprite has one size, and this is the second"
        self.width, self.height = int(match[1]), int(match[2])
        if not (0 < self.width <= _MAX_SIDE and 0 < self.height <= _MAX_SIDE) or self.height % 2:
            return f"a size is at most {_MAX_SIDE} each way and of even height"
        return ""

    def _colour(self, words: list[str]) -> str:
        if len(words) < 2 or len(words[0]) != 1 or words[0] == CLEAR:
            return "a colour is one character, then #rrggbb or accent, then what it is meant to be"
        self.palette[words[0]] = words[1]
        is_colour = words[1] in ACCENTS or _COLOUR.fullmatch(words[1])
        return "" if is_colour else f"{words[1]!r} is neither #rrggbb nor accent, accent+ or accent-"

    def _frame(self, words: list[str]) -> str:
        # Rows that follow an invalid frame are still checked.
        self._rows = blank = [CLEAR * self.width] * self.height
        if not self.width:
            return "the size comes before the frames"
        name = words[1] if len(words) > 1 else ""
        if not _FRAME.fullmatch(name):
            return f"there is no frame called {name!r}: idle.1 to .4, hurt.1 and .2, enraged.1 and .2, defeated.1 to .4"
        if len(words) > 2 and (len(words) < 4 or words[2] != "=" or words[3] not in self.frames):
            return f"frame {name} can only be like a frame above it"
        is_repeated = name in self.frames
        self._rows = self.frames[name] = list(self.frames[words[3]] if len(words) > 3 else blank)
        return f"frame {name} appears twice" if is_repeated else ""

    def _row(self, words: list[str], rows: list[str]) -> str:
        if len(words) != 2 or not _ROW_NUMBER.fullmatch(words[0]):
            return "a row is its number, then one character for each pixel"
        index, pixels = int(words[0]), words[1]
        if index >= self.height:
            return f"row {index} is beyond the height of {self.height}"
        if len(pixels) != self.width:
            return f"a row is {self.width} pixels, not {len(pixels)}"
        rows[index] = pixels
        unknown = sorted(set(pixels) - set(self.palette) - {CLEAR})
        return f"the palette has no {unknown[0]!r}" if unknown else ""


@lru_cache(maxsize=64)
def load_sprite(name: str, pack: Path | None = None) -> Sprite:
    """Load a sprite by name: from the boss's own pack if it has it, else ours, else that of the unknown boss."""
    if _NAME.fullmatch(name):
        for folder in (pack, shipped_sprites()):
            sprite = _read(folder / f"{name}.sprite") if folder else None
            if sprite:
                return sprite
    return _read(shipped_sprites() / f"{FALLBACK}.sprite") or Sprite(2, 2, {}, {"idle.1": ("..", "..")})


def _read(path: Path) -> Sprite | None:
    try:
        if path.stat().st_size > MAX_SPRITE_BYTES:
            return None
        return parse_sprite(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
