"""Sprites as data: readable pixel files, parsed without knowing what will draw them."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from evalforge.packs.locations import shipped_sprites

FALLBACK = "unknown"
CLEAR = "."
ACCENTS = {"accent": 0.0, "accent+": 0.22, "accent-": -0.22}
"""Palette words for the boss's own colour, and how much lighter or darker each is."""
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_MAX_SIDE = 80
_MAX_BYTES = 200_000


@dataclass(frozen=True)
class Sprite:
    """Pixels by frame name (``idle.1``): rows of palette keys; and each key's colour (``#rrggbb`` or an accent)."""

    width: int
    height: int
    palette: dict[str, str]
    frames: dict[str, tuple[str, ...]]

    def frame(self, mood: str, number: int) -> tuple[str, ...]:
        """The pixels of a frame, ``number`` from 0; a mood that wasn't drawn looks idle."""
        drawn = [name for name in self.frames if name.startswith(f"{mood}.")] or ["idle.1"]
        return self.frames[drawn[number % len(drawn)]]


class SpriteError(ValueError):
    """A sprite file that can't be read; says in which line."""


def parse_sprite(text: str) -> Sprite:
    """Read a sprite file (the format is told in ``assets/sprites/README.md``).

    Raises:
        SpriteError: The file breaks the format.
    """
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("# ") and line.strip() != "#":
            try:
                reader.read_line(line)
            except (ValueError, KeyError, IndexError) as error:
                raise SpriteError(f"line {number}: {error}") from None
    return reader.finish()


class _Reader:
    def __init__(self) -> None:
        self.width = self.height = 0
        self.palette: dict[str, str] = {}
        self.frames: dict[str, list[str]] = {}
        self.rows: list[str] | None = None

    def read_line(self, line: str) -> None:
        words = line.split()
        if words[0] == "size":
            self.width, self.height = (int(part) for part in words[1].split("x"))
            if not (0 < self.width <= _MAX_SIDE and 0 < self.height <= _MAX_SIDE and self.height % 2 == 0):
                raise ValueError(f"a size is at most {_MAX_SIDE} each way and of even height")
        elif words[0] == "palette":
            self.rows = None
        elif words[0] == "frame":
            base = self.frames[words[3]] if len(words) > 3 else [CLEAR * self.width] * self.height
            self.rows = self.frames[words[1]] = list(base)
        elif self.rows is None:
            self._colour(words)
        else:
            self._row(words)

    def _colour(self, words: list[str]) -> None:
        if words[1] not in ACCENTS and not _COLOUR.fullmatch(words[1]):
            raise ValueError(f"a colour is #rrggbb, accent, accent+ or accent-; not {words[1]!r}")
        self.palette[words[0]] = words[1]

    def _row(self, words: list[str]) -> None:
        assert self.rows is not None
        index, pixels = int(words[0]), words[1]
        if not 0 <= index < self.height:
            raise ValueError(f"a frame has rows 0 to {self.height - 1}")
        if len(pixels) != self.width or set(pixels) - set(self.palette) - {CLEAR}:
            raise ValueError(f"a row is {self.width} pixels of the palette")
        self.rows[index] = pixels

    def finish(self) -> Sprite:
        if "idle.1" not in self.frames:
            raise SpriteError("a sprite needs a frame called idle.1")
        return Sprite(self.width, self.height, self.palette, {k: tuple(rows) for k, rows in self.frames.items()})


@lru_cache(maxsize=64)
def load_sprite(name: str, pack: Path | None = None) -> Sprite:
    """The sprite of this name: from the boss's own pack if it brings one, else ours, else the unknown boss."""
    if _NAME.fullmatch(name):
        for folder in (pack, shipped_sprites()):
            sprite = _read(folder / f"{name}.sprite") if folder else None
            if sprite:
                return sprite
    return _read(shipped_sprites() / f"{FALLBACK}.sprite") or Sprite(2, 2, {}, {"idle.1": ("..", "..")})


def _read(path: Path) -> Sprite | None:
    try:
        if path.stat().st_size > _MAX_BYTES:
            return None
        return parse_sprite(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
