"""An attempt written to a file: whole as JSON, in words as Markdown, as a card to show."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from evalforge.app.foe import Foe
from evalforge.library.sprites import load

if TYPE_CHECKING:
    from evalforge.chronicle.receipt import Receipt
    from evalforge.model.attempt import Attempt

KINDS = {"json": "json", "markdown": "md", "card": "svg"}


def export(attempt: "Attempt", kind: str, folder: Path, foe: Foe, number: int, receipt: "Receipt | None") -> Path:
    """Write one attempt; never over a file that is there.

    Args:
        attempt: Any; a card needs a judged one.
        kind: One of ``KINDS``.
        folder: Where to.
        foe: The boss, for the card.
        number: Which try on the boss it was.
        receipt: As it was sealed.

    Returns:
        The file.

    Raises:
        OSError: It can't be written.
    """
    text = _WRITERS[kind](attempt, foe, number, receipt)
    stem = f"evalforge-{attempt.boss_id}-{attempt.id}"
    for count in range(1, 1000):
        path = folder / f"{stem}{f'-{count}' if count > 1 else ''}.{KINDS[kind]}"
        try:
            with path.open("x", encoding="utf-8", errors="replace") as file:
                file.write(text)
        except FileExistsError:
            continue
        return path
    raise FileExistsError(f"{stem} was exported too often; make room in {folder}.")


def _json(attempt: "Attempt", _: Foe, __: int, ___: "Receipt | None") -> str:
    return attempt.model_dump_json(indent=2) + "\n"


def _markdown(attempt: "Attempt", _: Foe, number: int, receipt: "Receipt | None") -> str:
    from evalforge.chronicle.report import report

    return report(attempt, number, receipt)


def _card(attempt: "Attempt", foe: Foe, number: int, receipt: "Receipt | None") -> str:
    from evalforge.chronicle.card import Setting, card

    sprite = load(foe.sprite, foe.pack)
    return card(
        attempt,
        Setting(
            number=number, receipt=receipt, sprite=sprite, accent=foe.accent, tier=foe.tier, realm=foe.realm,
            threshold=foe.rubric.overall.pass_threshold,
        ),
    )  # fmt: skip


_WRITERS: "dict[str, Callable[[Attempt, Foe, int, Receipt | None], str]]" = {
    "json": _json, "markdown": _markdown, "card": _card,
}  # fmt: skip
