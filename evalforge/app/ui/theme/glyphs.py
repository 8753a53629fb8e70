"""The signs of the game, each with a twin for ASCII terminals."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from evalforge.model.evidence import TrialOutcome


class Glyphs(NamedTuple):
    """One set of signs; every one is a single cell wide."""

    pip: str = "●"
    half_pip: str = "◐"
    empty_pip: str = "○"
    star: str = "★"
    passed: str = "✓"
    failed: str = "✗"
    cursor: str = "▸"
    diamond: str = "◆"
    rule: str = "─"
    dashes: str = "╌"
    thick_rule: str = "━"
    hairline: str = "│"
    below: str = "▴"
    notch: str = "╷"
    """Touches what is below it."""
    heals: str = "▲"
    dot: str = "·"
    full: str = "█"
    dense: str = "▓"
    medium: str = "▒"
    bar: str = "▆"
    bar_rest: str = "▁"
    bar_struck: str = "▂"
    eighths: str = " ▏▎▍▌▋▊▉"
    upper: str = "▀"
    lower: str = "▄"
    ellipsis: str = "…"
    enter: str = "⏎"
    up_down: str = "↑↓"
    arrow: str = "→"
    block_face: bool = True
    """Whether half blocks can be drawn."""

    def outcome(self, outcome: "TrialOutcome") -> tuple[str, str]:
        """The sign and the role for a trial's outcome."""
        marks = {"passed": (self.passed, "verdigris"), "not reached": (self.empty_pip, "dim")}
        return marks.get(outcome.value, (self.failed, "blood"))

    def pips(self, score: float, maximum: float) -> str:
        """A level as full, half and empty pips; for long scales or negative levels, four pips show the share."""
        is_short = 0 < maximum <= 5 and float(maximum).is_integer()
        count, value = (int(maximum), score) if is_short else (4, 4 * score / (maximum or 1))
        value = min(max(value, 0), count)
        full_count = int(value)
        half = self.half_pip if value - full_count > 1e-9 else ""
        return self.pip * full_count + half + self.empty_pip * (count - full_count - len(half))


UNICODE = Glyphs()
ASCII = Glyphs(
    pip="#", half_pip="+", empty_pip="o", star="*", passed="+", failed="x", cursor=">", diamond="*", rule="-",
    dashes="-", thick_rule="=", hairline="|", notch="|", heals="^", dot=".", full="#",
    dense="=", medium="-", bar="=", bar_rest=".", bar_struck="-",
    eighths="        ", upper="'", lower=".", ellipsis="~", enter="enter",
    up_down="up/down", arrow=">", block_face=False,
)  # fmt: skip
