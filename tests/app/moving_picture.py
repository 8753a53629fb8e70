"""What a game shows over some seconds, as an SVG that moves by itself: each different line is drawn once."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from rich.segment import Segment
from textual.app import App

from tests.app.harness import lines
from tests.app.picture import CELL, row_picture, window

_STEP = 0.08
"""Seconds between two looks at the screen."""
_LONGEST_STILL = 0.7
"""Seconds for which a screen that doesn't change is shown; a slow machine makes no slow picture."""

Row = tuple[Segment, ...]


class Film:
    """Moments of a screen, each a list of lines and the seconds for which it is shown."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._moments: list[tuple[tuple[Row, ...], float]] = []
        self._changed_at = 0.0

    @property
    def still_seconds(self) -> float:
        """How long the screen has not changed."""
        return time.monotonic() - self._changed_at

    async def record(self, until: Callable[[], bool], *, then: float = 0.0) -> None:
        """Record until a condition holds, and hold the last screen for some seconds."""
        start = time.monotonic()
        while True:
            is_over = until()
            self._look()
            await asyncio.sleep(_STEP)
            now = time.monotonic()
            self._stretch(min(now - start, 2 * _STEP))
            start = now
            if is_over:
                break
        self._stretch(then, most=then)

    def _look(self) -> None:
        rows = tuple(tuple(strip) for strip in lines(self._app))
        if not self._moments or self._moments[-1][0] != rows:
            self._moments.append((rows, 0.0))
            self._changed_at = time.monotonic()

    def _stretch(self, seconds: float, most: float = _LONGEST_STILL) -> None:
        rows, shown = self._moments[-1]
        self._moments[-1] = rows, max(shown, min(shown + seconds, most))

    def svg(self, title: str) -> str:
        """The film, round and round. A viewer that doesn't move pictures shows its end."""
        total = sum(seconds for _, seconds in self._moments)
        drawn: dict[str, str] = {}
        spans: dict[tuple[int, str], list[tuple[float, float]]] = {}
        names: dict[Row, str] = {}
        start = 0.0
        for rows, seconds in self._moments:
            end = start + seconds
            for y, row in enumerate(rows):
                if row not in names:
                    names[row] = drawn.setdefault(row_picture(self._app, row), f"r{len(drawn)}")
                shown = spans.setdefault((y, names[row]), [])
                if shown and shown[-1][1] == start:
                    shown[-1] = shown[-1][0], end
                else:
                    shown.append((start, end))
            start = end
        parts = ["<defs>", *(f'<g id="{name}">{svg}</g>' for svg, name in drawn.items()), "</defs>"]
        parts += [_use(y, name, shown, total) for (y, name), shown in spans.items()]
        return window(self._app, title, parts)


def _use(y: int, name: str, spans: list[tuple[float, float]], total: float) -> str:
    """A line at its height, seen for these spans of every round."""
    element = f'<use href="#{name}" y="{y * CELL[1]}"'
    if spans == [(0.0, total)]:
        return f"{element}/>"
    switches = [] if spans[0][0] == 0 else [(0.0, "none")]
    for start, end in spans:
        switches += [(start / total, "inline"), (end / total, "none")]
    is_last = switches[-1][0] >= 1
    if is_last:
        switches.pop()
    times, values = (";".join(column) for column in zip(*((f"{at:.4f}", value) for at, value in switches), strict=True))
    return (
        f'{element} display="{"inline" if is_last else "none"}"><animate attributeName="display" calcMode="discrete" '
        f'dur="{total:.2f}s" repeatCount="indefinite" keyTimes="{times}" values="{values}"/></use>'
    )
