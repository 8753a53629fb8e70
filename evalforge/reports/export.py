"""An attempt exported by file extension: a card to share, a report, or all of its data."""

from collections.abc import Callable
from dataclasses import dataclass

from evalforge.model.attempt import Attempt
from evalforge.model.errors import UsageError
from evalforge.model.text import json_text
from evalforge.packs.pack import BossPack
from evalforge.packs.sprites import load_sprite
from evalforge.reports import raster
from evalforge.reports.card import CardDetails, draw_card
from evalforge.reports.markdown import report
from evalforge.reports.receipt import Receipt
from evalforge.reports.recording import draw_gif, draw_recording

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
