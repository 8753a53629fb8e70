"""A boss on screen: breathes, flinches, rages, falls."""

from pathlib import Path
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.segment import Segment
from textual.geometry import Size
from textual.reactive import reactive
from textual.strip import Strip
from textual.timer import Timer

from evalforge.app.ui.theme import motion
from evalforge.app.ui.theme.look import app_of, look
from evalforge.app.ui.theme.motion import Motion
from evalforge.app.ui.widgets.painted_widget import PaintedWidget

if TYPE_CHECKING:
    from evalforge.packs.sprites import Sprite

_SHAKES = (1, -1)
_FALL = 0.4
"""Seconds between two frames of a falling boss."""
_USUAL = Size(36, 13)
_HUSK = (0, 1)
_BURST = (0, 1, 2, 3, 2)


class SpriteView(PaintedWidget):
    """One sprite; all its lines are drawn once and cached."""

    DEFAULT_CSS = """
    SpriteView { width: 36; height: 13; }
    """

    mood: reactive[str] = reactive("idle", repaint=False)
    frame: reactive[int] = reactive(0, repaint=False)
    heat: reactive[int] = reactive(0, repaint=False)
    shake: reactive[int] = reactive(0, repaint=False)
    number: reactive[str] = reactive("", repaint=False)
    """A damage number that is briefly shown over the sprite."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._sprite, self._pack, self._accent = "", None, "#d9822b"
        self._resting = "idle"
        self._is_static = False
        self._breath: Timer | None = None

    def show(self, name: str, pack: Path | None, accent: str, *, is_static: bool = False) -> None:
        """Show a boss; ``is_static`` keeps it from breathing."""
        self._sprite, self._pack, self._accent, self._is_static = name, pack, accent, is_static
        self._resting, self.frame = "idle", 0
        self.set_mood("idle")
        self.refresh()

    def _load_sprite(self) -> "Sprite":
        from evalforge.packs.sprites import load_sprite  # the first frame of the game has no sprite yet

        return load_sprite(self._sprite, self._pack)

    @property
    def needs(self) -> Size:
        """The size needed to show all of it; small sprites get as much room as most need."""
        if not self._sprite:
            return _USUAL
        sprite = self._load_sprite()
        return Size(max(_USUAL.width, sprite.width), max(_USUAL.height, sprite.height // 2))

    @property
    def doubled(self) -> Size:
        """The size needed to show it at double size."""
        sprite = self._load_sprite()
        return Size(2 * sprite.width, sprite.height) if self._sprite else _USUAL

    @property
    def _scale(self) -> int:
        doubled = self.doubled
        return 2 if self.size.width >= doubled.width and self.size.height >= doubled.height else 1

    def set_mood(self, mood: str) -> None:
        """Switch to a mood and keep it."""
        self._resting = self.mood = mood
        self.heat = self.shake = 0

    def on_mount(self) -> None:
        """Start breathing if motion is full."""
        self._breath = self.set_interval(motion.BREATH, self._breathe)

    def _breathe(self) -> None:
        """Show the next frame of the idle loop, unless another screen covers it or the terminal has no focus."""
        is_static = self._is_static or look(self).motion is not Motion.FULL or not app_of(self).app_focus
        if is_static or not self.screen.is_active or self.mood not in ("idle", "enraged"):
            return
        from evalforge.app.ui.theme.sprite_strips import FRAMES

        self.frame = (self.frame + 1) % FRAMES[self.mood]

    def watch_frame(self) -> None:
        """Repaint what changed; most of a sprite doesn't."""
        self.draw_again()

    watch_mood = watch_heat = watch_shake = watch_number = watch_frame

    def hit(self, number: str, *, is_critical: bool = False) -> None:
        """Animate a blow: flash, flinch, shake, a number. With reduced motion only the number is shown.

        Args:
            number: What is shown above it.
            is_critical: Whether it flashes and shakes twice.
        """
        if look(self).motion is Motion.NONE:
            return
        self.number = number
        self.set_timer(0.9, self._forget_number)
        if look(self).motion is not Motion.FULL:
            return
        self.mood, self.frame, self.heat = "hurt", 0, 4
        steps = [(motion.STRIKE, 2, _SHAKES[0]), (2 * motion.STRIKE, 1, _SHAKES[1]), (0.18, 0, 0)]
        if is_critical:
            steps += [(0.2 + delay, heat, -shake) for delay, heat, shake in steps]
        for delay, heat, shake in steps:
            self.set_timer(delay, lambda heat=heat, shake=shake: self._recoil(heat, shake))
        self.set_timer(0.65 if is_critical else 0.45, self._recover)

    def kneel(self) -> None:
        """Show the boss beaten, but not down: a hurt frame that stays."""
        self.set_mood("hurt")
        self.frame = 1

    def _recoil(self, heat: int, shake: int) -> None:
        self.heat, self.shake = heat, shake
        self.frame = 1 if heat < 2 else 0

    def _recover(self) -> None:
        if self.mood == "hurt":
            self.mood, self.frame = self._resting, 0

    def _forget_number(self) -> None:
        self.number = ""

    def fall(self, *, flawless: bool = False, at_once: bool = False) -> None:
        """Animate the fall: a husk remains of a beaten boss, a burst of embers after a flawless win.

        Args:
            flawless: Whether nothing of it remains.
            at_once: Whether to show only what remains.
        """
        self.set_mood("defeated")
        steps = _BURST if flawless else _HUSK
        if at_once or look(self).motion is not Motion.FULL:
            self.frame = steps[-1]
            return
        self.frame = steps[0]
        for count, step in enumerate(steps[1:], start=1):
            self.set_timer(_FALL * count, lambda step=step: self._fall_to(step))

    def _fall_to(self, step: int) -> None:
        if self.mood == "defeated":
            self.frame = step

    def line(self, y: int) -> Strip:
        """Draw one line; a sprite that is too tall keeps its head."""
        current_look = look(self)
        width, height = self.size
        if not self._sprite:
            return Strip.blank(width, self.ground)
        from evalforge.app.ui.theme.sprite_strips import strips

        scale = self._scale
        lines = strips(self._sprite, self._pack, self.mood, self.frame, self._accent, self.heat, current_look, scale)
        top = max(0, (height - len(lines)) // 2)
        index = y - top
        line = lines[index] if 0 <= index < len(lines) else Strip([])
        left = (width - scale * self._load_sprite().width) // 2 + self.shake
        placed = Strip([Segment(" " * max(0, left)), *line.crop(max(0, -left))]).adjust_cell_length(width)
        if self.number and y == max(0, top - 1):
            placed = self._with_number(placed, width)
        return placed.apply_style(self.ground)

    def _with_number(self, line: Strip, width: int) -> Strip:
        size = cell_len(self.number)
        at = max(0, (width - size) // 2)
        label = Strip([Segment(self.number, look(self).palette.style("flash", bold=True))])
        return Strip.join([line.crop(0, at), label, line.crop(at + size, width)])
