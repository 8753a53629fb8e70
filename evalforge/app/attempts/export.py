"""An attempt written to a file: whole as JSON, in words as Markdown, as a card to show."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from evalforge.app.boss_view import BossView
from evalforge.packs.sprites import load_sprite

if TYPE_CHECKING:
    from evalforge.model.attempt import Attempt
    from evalforge.reports.receipt import Receipt

KINDS = {"json": "json", "markdown": "md", "card": "svg"}


def export(attempt: "Attempt", kind: str, folder: Path, boss: BossView, number: int, receipt: "Receipt | None") -> Path:
    """Write one attempt; never over a file that is there.

    Args:
        attempt: Any; a card needs a judged one.
        kind: One of ``KINDS``.
        folder: Where to.
        boss: The boss, for the card.
        number: Which try on the boss it was.
        receipt: As it was sealed.

    Returns:
        The file.

    Raises:
        OSError: It can't be written.
    """
    text = _WRITERS[kind](attempt, boss, number, receipt)
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


def _json(attempt: "Attempt", _: BossView, __: int, ___: "Receipt | None") -> str:
    return attempt.model_dump_json(indent=2) + "\n"


def _markdown(attempt: "Attempt", _: BossView, number: int, receipt: "Receipt | None") -> str:
    from evalforge.reports.markdown import report

    return report(attempt, number, receipt)


def _card(attempt: "Attempt", boss: BossView, number: int, receipt: "Receipt | None") -> str:
    from evalforge.reports.card import Setting, card

    sprite = load_sprite(boss.sprite, boss.pack)
    return card(
        attempt,
        Setting(
            number=number, receipt=receipt, sprite=sprite, accent=boss.accent, tier=boss.tier, realm=boss.realm,
            threshold=boss.rubric.overall.pass_threshold,
        ),
    )  # fmt: skip


_WRITERS: "dict[str, Callable[[Attempt, BossView, int, Receipt | None], str]]" = {
    "json": _json, "markdown": _markdown, "card": _card,
}  # fmt: skip
