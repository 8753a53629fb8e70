"""A fight as an animation: the card, criterion by criterion, as an animated SVG or a GIF."""

from collections.abc import Iterator
from dataclasses import dataclass

from evalforge.model.attempt import Attempt
from evalforge.reports import raster
from evalforge.reports.card import CardDetails, Moment, draw_backdrop, draw_scene

_BEFORE, _SETTLED, _AFTER = 1.2, 0.9, 4.0
"""Seconds for the unhurt boss, for each settled damage, and for the verdict."""
_COOLING = ((1.0, 0.14), (0.6, 0.1), (0.25, 0.1))
"""How bright a blow glows, each for how many seconds."""
_GIF_WIDTH = 720


@dataclass(frozen=True)
class Frame:
    """A moment of the fight, and how many seconds it is shown."""

    moment: Moment
    seconds: float


def frames(attempt: Attempt) -> Iterator[Frame]:
    """Yield the frames of the fight, from the unhurt boss to the verdict.

    Raises:
        ValueError: The attempt was not judged.
    """
    if attempt.result is None:
        raise ValueError("only a judged attempt has a recording")
    yield Frame(Moment(0), _BEFORE)
    for count, criterion in enumerate(attempt.result.criteria, start=1):
        if criterion.score > 0:
            yield from (Frame(Moment(count, heat), seconds) for heat, seconds in _COOLING)
        yield Frame(Moment(count), _SETTLED)
    yield Frame(Moment(len(attempt.result.criteria), is_over=True), _AFTER)


def draw_recording(attempt: Attempt, details: CardDetails) -> str:
    """Draw the fight as a looping SVG animation; viewers without animation show its end."""
    shown = list(frames(attempt))
    total = sum(frame.seconds for frame in shown)
    parts = [draw_backdrop(attempt, details)]
    start = 0.0
    for index, frame in enumerate(shown):
        end = start + frame.seconds
        scene = draw_scene(attempt, details, frame.moment)
        resting = "inline" if index == len(shown) - 1 else "none"
        parts += [f'<g display="{resting}">{_switch(start / total, end / total, total)}', scene, "</g>"]
        start = end
    return "\n".join((*parts, "</svg>\n"))


def _switch(start: float, end: float, seconds: float) -> str:
    """Animate a group so that it is visible for part of each loop, from a start to an end given as shares."""
    moments = [(0.0, "none")] if start > 0 else []
    moments.append((start, "inline"))
    if end < 1 - 1e-9:
        moments.append((end, "none"))
    times = ";".join(f"{time:.4f}" for time, _ in moments)
    values = ";".join(value for _, value in moments)
    return (
        f'<animate attributeName="display" calcMode="discrete" dur="{seconds:g}s" repeatCount="indefinite" '
        f'keyTimes="{times}" values="{values}"/>'
    )


def draw_gif(attempt: Attempt, details: CardDetails) -> bytes:
    """Draw the fight as a GIF.

    Raises:
        UsageError: The library that draws pixels isn't installed.
    """
    backdrop = draw_backdrop(attempt, details)
    shown = list(frames(attempt))
    pictures = [
        raster.png("\n".join((backdrop, draw_scene(attempt, details, frame.moment), "</svg>\n")), _GIF_WIDTH)
        for frame in shown
    ]
    return raster.gif(pictures, [frame.seconds for frame in shown])
