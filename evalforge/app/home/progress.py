"""How far the player has come: rank, achievements with their dates, the best on each boss."""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.widget import Widget

from evalforge.app.screens.base import GameScreen
from evalforge.app.ui.text.formatting import VERDICT_WORDS, plural
from evalforge.app.ui.widgets.banner import Banner
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.text_panel import Panel, Prose
from evalforge.model.number_format import format_number, format_percent
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.progress.progress import Best, Progress

Part = tuple[str, str]
_BAR = 24


class ProgressScreen(GameScreen):
    """What was earned. Nothing here is ever taken away by a loss."""

    CSS_PATH = "progress.tcss"
    NAME = "Progress"
    HELP_TEXT = """
One point for every boss defeated, one more for each of them flawless: that is your rank.
Achievements are for things done well, dated by the attempt that did them first. There is nothing to lose here.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.focus_next", "other side", key_display="tab", id="progress.side"),
        Binding("a", "app.attempts", "attempts", id="progress.attempts"),
        Binding("escape", "back", "back", id="progress.back"),
    ]

    def body(self) -> Iterable[Widget]:
        """Rank, then achievements beside the best of each boss."""
        yield Heading([("PROGRESS", "ember", True)], id="heading")
        yield Banner(id="rank")
        yield Prose(id="climb")
        with Container(id="page"):
            yield Panel(id="awards")
            yield Panel(id="bests")

    def on_mount(self) -> None:
        """Work it out from history."""
        from evalforge.progress.progress import progress

        history = self.session.history()
        found = progress(history.progress.judged_attempts() if history else [], history.hints_read() if history else [])
        glyphs = self.game.look.glyphs
        bosses = sum(not boss.error for boss in self.session.services.find_bosses())
        tally = f"{found.defeated} of {max(bosses, found.defeated)} defeated, {found.flawless} flawless"
        self.query_one(Heading).set_text(right=[(tally, "dim", False)])
        self.query_one(Banner).set_word(found.climb.rank.name)
        self.query_one("#climb", Prose).set_text(_climb(found, glyphs.bar, glyphs.bar_rest))
        self.query_one("#awards", Panel).set_text(_awards(found, glyphs.star, glyphs.empty_pip))
        self.query_one("#bests", Panel).set_text(_bests(found, glyphs.bar, glyphs.bar_rest))
        self.query_one("#awards").focus()


def _climb(found: "Progress", full: str, rest: str) -> Content:
    climb = found.climb
    parts: list[Part] = [(f"{climb.rank.words}\n", "$ash")]
    if climb.following is None:
        return Content.assemble(*parts, ("There is no rank above this one.", "$dim"))
    lowest, span = climb.rank.points, climb.following.points - climb.rank.points
    struck = round(_BAR * (climb.points - lowest) / span)
    return Content.assemble(
        *parts,
        (full * struck, "$molten"), (rest * (_BAR - struck), "$faint"),
        (f"  {plural(climb.missing, 'point')} to {climb.following.name}", "$dim"),
    )  # fmt: skip


def _awards(found: "Progress", star: str, empty: str) -> Content:
    earned, total = len(found.awards), len(found.awards) + len(found.open)
    parts: list[Part] = [("Achievements", "bold $ember"), (f"  {earned} of {total}\n", "$dim")]
    for achievement, award in reversed(found.awards):
        parts += [
            (f" {star} ", "$molten"), (f"{achievement.title}\n", "bold $ash"),
            (f"   {achievement.words}\n", "$dim"),
            (f"   {_day(award.at)}, {clean_line(award.boss_title)}\n", "$faint"),
        ]  # fmt: skip
    for achievement in found.open:
        parts += [
            (f" {empty} ", "$faint"), (achievement.title, "$dim"), (f"\n   {achievement.words}\n", "$faint"),
        ]  # fmt: skip
    return Content.assemble(*parts)


def _bests(found: "Progress", full: str, rest: str) -> Content:
    parts: list[Part] = [("Best on each boss\n", "bold $ember")]
    if not found.bests:
        parts.append(("Not one fight yet.\n", "$dim"))
    for best in sorted(found.bests.values(), key=lambda one: (-one.integrity, one.deed.boss_title)):
        parts += _best(best, full, rest)
    if found.ranks:
        parts.append(("\nThe way here\n", "bold $ember"))
    for rank, reached in reversed(found.ranks):
        parts += [(f" {_day(reached)}  ", "$dim"), (f"{rank.name}\n", "$ash")]
    return Content.assemble(*parts)


def _best(best: "Best", full: str, rest: str) -> list[Part]:
    deed = best.deed
    struck = round(best.integrity * 12)
    return [
        (f" {clean_line(deed.boss_title)}", "bold $ash"),
        (f"  {VERDICT_WORDS.get(deed.verdict, deed.verdict)}\n", "$ash"),
        (f" {full * struck}", "$molten"), (rest * (12 - struck), "$faint"),
        (f"  {format_number(deed.total)}/{format_number(deed.highest)} {format_percent(best.integrity)}", "$ash"),
        (f" · try {deed.number}\n", "$dim"),
    ]  # fmt: skip


def _day(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d")
