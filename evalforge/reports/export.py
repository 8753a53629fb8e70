"""An attempt as the text of a file, by the file's ending: a card to show, a report in words, or all of its data."""

from collections.abc import Callable
from dataclasses import dataclass

from evalforge.model.attempt import Attempt
from evalforge.model.errors import UsageError
from evalforge.model.text import json_text
from evalforge.packs.pack import BossPack
from evalforge.packs.sprites import load_sprite
from evalforge.reports.card import CardDetails, draw_card
from evalforge.reports.markdown import report
from evalforge.reports.receipt import Receipt


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

    def card(self) -> str:
        """A picture to share.

        Raises:
            UsageError: It was not judged.
        """
        attempt, pack = self.attempt, self.pack
        if attempt.result is None:
            raise UsageError(f"Attempt {attempt.id} was not judged ({attempt.state.value}): there is nothing to show.")
        if pack is None:
            return draw_card(attempt, CardDetails(self.number, self.receipt, load_sprite(attempt.boss_id)))
        about = pack.definition.metadata
        is_same_rubric = pack.rubric_hash == attempt.rubric_hash
        details = CardDetails(
            number=self.number, receipt=self.receipt, sprite=load_sprite(about.sprite or pack.boss_id, pack.path),
            accent=about.accent, tier=about.tier, realm=about.realm,
            threshold=pack.rubric.overall.pass_threshold if is_same_rubric else None,
        )  # fmt: skip
        return draw_card(attempt, details)

    def report(self) -> str:
        """A report in words."""
        return report(self.attempt, self.number, self.receipt)

    def data(self) -> str:
        """Everything that is stored."""
        code = self.receipt.code if self.receipt else None
        return json_text({"receipt": code, "number": self.number, "attempt": self.attempt.model_dump(mode="json")})


ATTEMPT_FORMATS: dict[str, tuple[str, Callable[[AttemptExport], str]]] = {
    "card": (".svg", AttemptExport.card),
    "markdown": (".md", AttemptExport.report),
    "json": (".json", AttemptExport.data),
}
"""Format of an export: the ending of its file, and who writes the text."""
