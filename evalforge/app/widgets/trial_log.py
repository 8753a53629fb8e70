"""The trials of a fight as they come in: a row of marks on top, the last lines below."""

from rich.style import Style
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from evalforge.app.look import look
from evalforge.app.widgets.paint import Piece, fit, strip, wrap
from evalforge.model.text import clean_line

_MESSAGE_LINES = 3
_KEPT_LINES = 2_000


class TrialLog(ScrollView):
    """Lines of (glyph, text, role); drawn when seen, wrapped when they arrive."""

    DEFAULT_CSS = """
    TrialLog { height: 1fr; scrollbar-size-vertical: 0; background: transparent; }
    """

    can_focus = False

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._entries: list[tuple[str, str, str]] = []
        self._lines: list[list[tuple[str, str]]] = []
        self._wrapped_at = 0

    def clear(self) -> None:
        """Forget everything."""
        self._entries.clear()
        self._lines.clear()
        self._grow()

    def say(self, text: str, role: str = "dim") -> None:
        """Add a plain line."""
        self._add("", text, role)

    def trial(self, title: str, group: str, *, passed: bool, message: str = "") -> None:
        """Add a trial's outcome; a failed one says why."""
        glyphs = look(self).glyphs
        self._add(glyphs.passed if passed else glyphs.failed, title or group, "verdigris" if passed else "blood")
        if message and not passed:
            self._add("", message, "dim")

    def _add(self, glyph: str, text: str, role: str) -> None:
        entry = (glyph, clean_line(text), role)
        self._entries.append(entry)
        del self._entries[:-_KEPT_LINES]
        new = self._wrap(entry)
        self._lines += new
        if len(self._lines) > self.scroll_offset.y + self.size.height:
            self._grow()
        else:
            self.refresh_lines(len(self._lines) - len(new), len(new))

    def _wrap(self, entry: tuple[str, str, str]) -> list[list[tuple[str, str]]]:
        glyph, text, role = entry
        if glyph:
            return [[(f"{glyph} ", role), (text, "ash" if role == "blood" else "dim")]]
        width = max(10, self.size.width - 2)
        return [[("  ", role), (line, role)] for line in wrap(text, width, _MESSAGE_LINES)]

    def _grow(self) -> None:
        """Turn the page by half, so that most lines that come find room: moving every line for each is a flicker."""
        page = max(2, self.size.height)
        over = len(self._lines) - page
        top = -(-over // (page // 2)) * (page // 2) if over > 0 else 0
        self.virtual_size = Size(self.size.width, top + page)
        self.scroll_to(y=top, animate=False)
        self.refresh()

    def on_resize(self) -> None:
        """Wrap anew where the width changed."""
        if self._wrapped_at != self.size.width:
            self._wrapped_at = self.size.width
            self._lines = [line for entry in self._entries for line in self._wrap(entry)]
            self._grow()

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        index = self.scroll_offset.y + y
        if not 0 <= index < len(self._lines):
            return Strip.blank(self.size.width, self.rich_style)
        palette, room = look(self).palette, self.size.width
        pieces: list[Piece] = []
        for text, role in self._lines[index]:
            pieces.append((fit(text, room).rstrip() if len(text) > 2 else text, palette.style(role)))
            room -= 2
        return strip(pieces, self.size.width, self.rich_style)


class TrialMarks(ScrollView):
    """One mark for each trial, in groups: planned, passed or failed. One line."""

    DEFAULT_CSS = """
    TrialMarks { height: 1; scrollbar-size: 0 0; background: transparent; }
    """

    can_focus = False

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._groups: dict[str, int] = {}
        self._outcomes: dict[str, list[bool]] = {}

    def plan(self, groups: dict[str, int]) -> None:
        """How many trials each group has."""
        self._groups, self._outcomes = dict(groups), {}
        self.refresh()

    def take(self, group: str, *, passed: bool) -> None:
        """One more outcome."""
        self._outcomes.setdefault(group, []).append(passed)
        self.refresh()

    @property
    def count(self) -> tuple[int, int]:
        """How many passed, of how many."""
        done = [passed for outcomes in self._outcomes.values() for passed in outcomes]
        return sum(done), max(len(done), sum(self._groups.values()))

    def render_line(self, y: int) -> Strip:
        """Draw the marks, then the count."""
        palette, glyphs = look(self).palette, look(self).glyphs
        passed, total = self.count
        if y or not total:
            return Strip.blank(self.size.width, self.rich_style)
        pieces: list[Piece] = []
        gaps = len(self._groups) - 1 if total + len(self._groups) + 8 <= self.size.width else 0
        if total + gaps + 8 <= self.size.width:
            for name in self._groups | dict.fromkeys(self._outcomes, 0):
                pieces += self._marks(name, self._groups.get(name, 0))
                pieces.append((" " if gaps else "", Style()))
        pieces.append((f" {passed}/{total}", palette.style("ash", bold=True)))
        pieces.append((f" trials {glyphs.passed}" if total == passed else " trials", palette.style("dim")))
        return strip(pieces, self.size.width, self.rich_style)

    def _marks(self, name: str, planned: int) -> list[Piece]:
        palette, glyphs = look(self).palette, look(self).glyphs
        outcomes = self._outcomes.get(name, [])
        marks = [
            (glyphs.passed, palette.style("verdigris")) if passed else (glyphs.failed, palette.style("blood"))
            for passed in outcomes
        ]
        return [*marks, (glyphs.dot * max(0, planned - len(outcomes)), palette.style("faint"))]
