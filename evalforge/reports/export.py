"""An attempt exported by file extension: a card to share, a report, or all of its data."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evalforge.model.attempt import Attempt
from evalforge.model.errors import UsageError
from evalforge.model.text import json_text
from evalforge.packs.pack import BossPack
from evalforge.packs.sprites import load_sprite
from evalforge.reports import raster
from evalforge.reports.card import CardDetails, Moment, draw_backdrop, draw_card, draw_scene
from evalforge.reports.markdown import report
from evalforge.reports.receipt import Receipt

# A fight as an animation: the card, criterion by criterion, as an animated SVG or a GIF.

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


_PICTURE_WIDTH = 1_200


@dataclass(frozen=True)
class AttemptExport:
    """One attempt to be exported.

    Attributes:
        pack: The boss as it is today; None if it is unavailable.
        number: The number of the attempt on the boss; 0 if unknown.
        receipt: The stored receipt.
    """

    attempt: Attempt
    pack: BossPack | None
    number: int
    receipt: Receipt | None

    def card(self) -> bytes:
        """Draw a picture to share, as SVG.

        Raises:
            UsageError: The attempt was not judged.
        """
        return draw_card(self._judged, self.details).encode("utf-8", "replace")

    def picture(self) -> bytes:
        """Draw the picture to share, as PNG.

        Raises:
            UsageError: The attempt was not judged, or the library that draws pixels isn't installed.
        """
        return raster.png(draw_card(self._judged, self.details), _PICTURE_WIDTH)

    def recording(self) -> bytes:
        """Draw the fight as an animated SVG.

        Raises:
            UsageError: The attempt was not judged.
        """
        return draw_recording(self._judged, self.details).encode("utf-8", "replace")

    def gif(self) -> bytes:
        """Draw the fight as a GIF.

        Raises:
            UsageError: The attempt was not judged, or the library that draws pixels isn't installed.
        """
        return draw_gif(self._judged, self.details)

    def report(self) -> bytes:
        """Write a Markdown report."""
        return report(self.attempt, self.number, self.receipt).encode("utf-8", "replace")

    def data(self) -> bytes:
        """Write everything that is stored, as JSON."""
        code = self.receipt.code if self.receipt else None
        whole = {"receipt": code, "number": self.number, "attempt": self.attempt.model_dump(mode="json")}
        return json_text(whole).encode("utf-8", "replace")

    @property
    def _judged(self) -> Attempt:
        attempt = self.attempt
        if attempt.result is None:
            raise UsageError(f"Attempt {attempt.id} was not judged ({attempt.state.value}): there is nothing to show.")
        return attempt

    @property
    def details(self) -> CardDetails:
        """What a picture shows beyond the attempt."""
        attempt, pack = self.attempt, self.pack
        if pack is None:
            return CardDetails(self.number, self.receipt, load_sprite(attempt.boss_id))
        about = pack.definition.metadata
        is_same_rubric = pack.rubric_hash == attempt.rubric_hash
        return CardDetails(
            number=self.number, receipt=self.receipt, sprite=load_sprite(about.sprite or pack.boss_id, pack.path),
            accent=about.accent, tier=about.tier, realm=about.realm,
            threshold=pack.rubric.overall.pass_threshold if is_same_rubric else None,
        )  # fmt: skip


ATTEMPT_FORMATS: dict[str, tuple[str, Callable[[AttemptExport], bytes]]] = {
    "card": (".svg", AttemptExport.card),
    "picture": (".png", AttemptExport.picture),
    "markdown": (".md", AttemptExport.report),
    "json": (".json", AttemptExport.data),
    "recording": ("-fight.svg", AttemptExport.recording),
}
"""What each file extension exports: the format's name, and the function that creates its content."""
RECORDINGS: dict[str, Callable[[AttemptExport], bytes]] = {".svg": AttemptExport.recording, ".gif": AttemptExport.gif}
"""The functions that create a moving picture of a fight, by file extension."""
