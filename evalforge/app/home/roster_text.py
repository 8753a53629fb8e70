"""Texts next to the roster's list: the player's rank, and how to get bosses."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content

from evalforge.app.ui.text.formatting import VERDICT_ROLES, VERDICT_WORDS, format_age
from evalforge.app.ui.text.paths import short
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.model.number_format import format_number
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.history.boss_progress import BossProgress
    from evalforge.history.store import History

_FIGHTS_SHOWN = 4


def rank_name(standings: "Mapping[str, BossProgress]") -> str:
    """The player's rank; empty before the first fight."""
    if not standings:
        return ""
    from evalforge.progress.progress import work_out_rank

    return work_out_rank({boss: standing.best_verdict for boss, standing in standings.items()}).rank.name


def way_to_bosses(folders: Iterable[Path]) -> Content:
    """What to do if there is no boss in any of these folders."""
    names = ", ".join(clean_line(short(folder)) for folder in folders)
    return styled(
        ("No bosses here.\n", "bold ember"),
        (f"Looked in {names}.\n\n", "dim"),
        ("evalforge --bosses FOLDER", "steel"), (" starts the game with the bosses in a folder.\n", "ash"),
        ("evalforge new-boss NAME", "steel"), (" creates one that can be fought at once.", "ash"),
    )  # fmt: skip


def resume_offer(enter: str, title: str, folder: str, width: int) -> list[Run]:
    """The fight that enter resumes, with its folder if it fits."""
    fits = len(folder) + len(title) < width
    return [
        (f"{enter} ", "bold ember"), ("continues with ", "dim"), (title, "bold ash"),
        (f" in {folder}" if fits else "", "dim"),
    ]  # fmt: skip


def _last_fights(history: "History", boss_id: str) -> Content:
    """The latest attempts on a boss, newest first, each on a line."""
    from evalforge.history.listing import AttemptFilter

    rows = history.page(AttemptFilter(boss_id), 0, _FIGHTS_SHOWN)
    parts = [("Last fights\n", "bold steel")] if rows else []
    for row in rows:
        is_scored = row.score_total is not None and row.score_max is not None
        score = f"{format_number(row.score_total or 0)}/{format_number(row.score_max or 0)}" if is_scored else ""
        verdict = row.verdict or ""
        parts += [
            (f" {row.place:>4}  ", "dim"),
            (f"{VERDICT_WORDS.get(verdict, row.state.value):<11}", f"{VERDICT_ROLES.get(verdict, 'steel')}"),
            (f"{score:>5}", "ash"), (f"  {format_age(row.started_at)}\n", "dim"),
        ]  # fmt: skip
    return styled(*parts)


def first_paragraph(lore: str) -> str:
    """The start of a boss's lore, without its heading."""
    paragraphs = [text for text in lore.split("\n\n") if not text.lstrip().startswith("#")]
    return clean_line(" ".join(paragraphs[0].split()) if paragraphs else "", cap=400)


def lore_and_fights(lore: str, history: "History | None", boss_id: str) -> Content:
    """A boss's lore, then the last fights if there is a history to read."""
    fights = _last_fights(history, boss_id) if history else Content("")
    return styled((lore, "dim"), "\n\n" if lore and fights.plain else "", fights)
