"""The player's progress: rank, achievements with their dates, the best result on each boss."""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.widget import Widget

from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.text.formatting import VERDICT_ROLES, VERDICT_WORDS, plural
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.widgets.banner import Banner
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.text_panel import Panel, Prose
from evalforge.model.number_format import format_number
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.app.ui.theme.glyphs import Glyphs
    from evalforge.progress.progress import BossRecord, PlayerProgress

_BAR = 24


class ProgressScreen(GameScreen):
    """Everything that was earned. A loss never takes anything away."""

    CSS_PATH = "progress_screen.tcss"
    NAME = "Progress"
    HELP_TEXT = """
Your rank is one point for every boss defeated, and one more for each defeated without a flaw.
Achievements are dated by the attempt that first earned them. You can't lose points or achievements.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.focus_next", "other pane", key_display="tab", id="progress.side"),
        Binding("a", "app.attempts", "attempts", id="progress.attempts"),
        Binding("escape", "back", "back", id="progress.back"),
    ]

    def body(self) -> Iterable[Widget]:
        """Compose the rank, then achievements next to the best results."""
        yield Heading([("PROGRESS", "bold ember")], id="heading")
        yield Banner(id="rank")
        yield Prose(id="rank-progress")
        with Container(id="page"):
            yield Panel(id="awards")
            yield Panel(id="bests")

    def on_mount(self) -> None:
        """Compute the progress from history."""
        from evalforge.progress.progress import read_tally
        from evalforge.progress.tally import Tally

        history = self.session.history()
        progress = read_tally(history.tallies.tally(history.hints_read()) if history else Tally())
        glyphs = self.game.look.glyphs
        bosses = {boss.slug: boss.title for boss in self.session.services.find_bosses() if not boss.error}
        defeated, flawless = progress.defeated_count, progress.flawless_count
        tally = f"{defeated} of {max(len(bosses), defeated)} defeated, {flawless} flawless"
        self.query_one(Heading).set_text(right=[(tally, "dim")])
        self.query_one(Banner).set_word(progress.rank_progress.rank.name)
        hits, calls = history.count_calls() if history else (0, 0)
        called = [(f"\nYou called {hits} of {calls} strikes.", "dim")] if calls else []
        rank = _rank_progress(progress, glyphs.bar, glyphs.bar_rest)
        self.query_one("#rank-progress", Prose).set_text(styled(rank, *called))
        self.query_one("#awards", Panel).set_text(_awards(progress, glyphs.star, glyphs.empty_pip))
        unfought = [title for slug, title in bosses.items() if slug not in progress.boss_records]
        self.query_one("#bests", Panel).set_text(_bests(progress, unfought, glyphs))
        self.query_one("#awards").focus()


def _rank_progress(progress: "PlayerProgress", full: str, empty: str) -> Content:
    rank_progress = progress.rank_progress
    parts: list[Run] = [(f"{rank_progress.rank.motto}\n", "ash")]
    if rank_progress.next_rank is None:
        return styled(*parts, ("This is the highest rank.", "dim"))
    lowest, span = rank_progress.rank.points, rank_progress.next_rank.points - rank_progress.rank.points
    gold_width = round(_BAR * (rank_progress.points - lowest) / span)
    return styled(
        *parts,
        (full * gold_width, "molten"), (empty * (_BAR - gold_width), "faint"),
        (f"  {plural(rank_progress.points_missing, 'point')} to {rank_progress.next_rank.name}", "dim"),
    )  # fmt: skip


def _awards(progress: "PlayerProgress", star: str, empty: str) -> Content:
    earned, total = len(progress.awards), len(progress.awards) + len(progress.unearned)
    parts: list[Run] = [("Achievements", "bold ember"), (f"  {earned} of {total}\n", "dim")]
    for achievement, award in reversed(progress.awards):
        parts += [
            (f" {star} ", "molten"), (f"{achievement.title}\n", "bold ash"),
            (f"   {achievement.description}\n", "dim"),
            (f"   {_day(award.earned_at)}, {clean_line(award.boss_title)}\n", "faint"),
        ]  # fmt: skip
    for achievement in progress.unearned:
        parts += [
            (f" {empty} ", "faint"), (achievement.title, "dim"), (f"\n   {achievement.description}\n", "faint"),
        ]  # fmt: skip
    return styled(*parts)


def _bests(progress: "PlayerProgress", unfought: Iterable[str], glyphs: "Glyphs") -> Content:
    parts: list[Run] = [("Best on each boss\n", "bold ember")]
    for record in sorted(
        progress.boss_records.values(), key=lambda boss_record: (-boss_record.integrity, boss_record.best.boss_title)
    ):
        parts += _best(record, glyphs)
    parts += [(f" {glyphs.empty_pip} {clean_line(title)}\n", "faint") for title in unfought]
    if progress.ranks_reached:
        parts.append(("\nRank history\n", "bold ember"))
    for rank, reached in reversed(progress.ranks_reached):
        parts += [(f" {_day(reached)}  ", "dim"), (f"{rank.name}\n", "ash")]
    return styled(*parts)


def _best(record: "BossRecord", glyphs: "Glyphs") -> list[Run]:
    attempt = record.best
    marks = {"strong_pass": glyphs.star, "pass": glyphs.pip}
    points = f"{format_number(attempt.score)}/{format_number(attempt.max_score)}"
    return [
        (f" {marks.get(attempt.verdict, glyphs.half_pip)} ", VERDICT_ROLES.get(attempt.verdict, "steel")),
        (f"{clean_line(attempt.boss_title)}", "bold ash"),
        (f"  {VERDICT_WORDS.get(attempt.verdict, attempt.verdict)}", "ash"),
        (f"  {points}  #{attempt.number}\n", "dim"),
    ]  # fmt: skip


def _day(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d")
