"""An attempt as a file, by the file's ending: a card to show, a report in words, or all of its data."""

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
    """What is written of an attempt.

    Attributes:
        pack: The boss as it is today; None if it isn't at hand.
        number: Which try on the boss it was; 0 if unknown.
        receipt: As it was sealed.
    """

    attempt: Attempt
    pack: BossPack | None
    number: int
    receipt: Receipt | None

    def card(self) -> bytes:
        """A picture to share.

        Raises:
            UsageError: It was not judged.
        """
        return draw_card(self._judged, self.details).encode("utf-8", "replace")

    def picture(self) -> bytes:
        """The same picture in pixels.

        Raises:
            UsageError: It was not judged, or what draws pixels isn't installed.
        """
        return raster.png(draw_card(self._judged, self.details), _PICTURE_WIDTH)

    def recording(self) -> bytes:
        """The fight as a picture that moves.

        Raises:
            UsageError: It was not judged.
        """
        return draw_recording(self._judged, self.details).encode("utf-8", "replace")

    def gif(self) -> bytes:
        """The same in pixels.

        Raises:
            UsageError: It was not judged, or what draws pixels isn't installed.
        """
        return draw_gif(self._judged, self.details)

    def report(self) -> bytes:
        """A report in words."""
        return report(self.attempt, self.number, self.receipt).encode("utf-8", "replace")

    def data(self) -> bytes:
        """Everything that is stored."""
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
"""Format of an export: the ending of its file, and who writes its content."""
RECORDINGS: dict[str, Callable[[AttemptExport], bytes]] = {".svg": AttemptExport.recording, ".gif": AttemptExport.gif}
"""Who writes a fight as a moving picture, by the file's ending."""
