"""The few signs of the game, each with a twin for terminals that only know ASCII."""

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
    hairline: str = "│"
    above: str = "▾"
    below: str = "▴"
    dot: str = "·"
    full: str = "█"
    dense: str = "▓"
    medium: str = "▒"
    light: str = "░"
    bar: str = "▆"
    bar_rest: str = "▁"
    eighths: str = " ▏▎▍▌▋▊▉"
    levels: str = " ▁▂▃▄▅▆▇█"
    """From nothing to a full cell, rising from its foot."""
    upper: str = "▀"
    lower: str = "▄"
    ellipsis: str = "…"
    enter: str = "⏎"
    up_down: str = "↑↓"
    arrow: str = "→"
    block_face: bool = True
    """Whether half blocks are there to draw with."""

    def outcome(self, outcome: "TrialOutcome") -> tuple[str, str]:
        """How a trial ended, as a sign and the role it is painted in."""
        marks = {"passed": (self.passed, "verdigris"), "not reached": (self.empty_pip, "dim")}
        return marks.get(outcome.value, (self.failed, "blood"))

    def pips(self, score: float, maximum: float) -> str:
        """A level as full, half and empty pips; a share of four where the scale is long or has negative levels."""
        is_short = 0 < maximum <= 5 and float(maximum).is_integer()
        count, value = (int(maximum), score) if is_short else (4, 4 * score / (maximum or 1))
        value = min(max(value, 0), count)
        full_count = int(value)
        half = self.half_pip if value - full_count > 1e-9 else ""
        return self.pip * full_count + half + self.empty_pip * (count - full_count - len(half))


UNICODE = Glyphs()
ASCII = Glyphs(
    pip="#", half_pip="+", empty_pip="o", star="*", passed="+", failed="x", cursor=">", diamond="*", rule="-",
    hairline="|", above="v", below="^", dot=".", full="#",
    dense="=", medium="-", light=".", bar="=", bar_rest=".",
    eighths="        ", levels=" ......==", upper="'", lower=".", ellipsis="~", enter="enter",
    up_down="up/down", arrow=">", block_face=False,
)  # fmt: skip
