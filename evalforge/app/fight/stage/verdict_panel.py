"""How a fight ended, and what to do about it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget

from evalforge.app.fight.judgement_text import (
    change_since_last,
    do_next,
    followed_advice,
    reward_line,
    reward_list,
    score_changes,
    verdict_line,
)
from evalforge.app.fight.rewards import Reward
from evalforge.app.ui.text.formatting import VERDICT_BANNERS, VERDICT_ROLES
from evalforge.app.ui.text.paths import shorten_home
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.banner import Banner
from evalforge.app.ui.widgets.text_panel import Panel, Prose
from evalforge.model.attempt import AttemptState
from evalforge.model.text import clean

if TYPE_CHECKING:
    from evalforge.model.followed_advice import FollowedAdvice
    from evalforge.model.result import BossEvalResult

_ASIDE = 3
"""What a scrollbar and the air beside it take of the width."""


class VerdictPanel(Widget):
    """The verdict as a banner and in words; below it what was won, what to do next, and the rest, as one text."""

    DEFAULT_CSS = """
    VerdictPanel { layout: vertical; height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._next = self._since = self._moved = self._followed = Content("")
        self._gains: Sequence[Reward] = ()

    def compose(self) -> ComposeResult:
        """Lay it out."""
        yield Banner(id="verdict-banner")
        yield Prose(id="verdict-line")
        yield Panel(id="verdict-next")

    def needs(self, width: int) -> int:
        """How many lines it takes to show all of it; none before there is a verdict."""
        banner, line = self.query_one(Banner).styles.height, self.query_one("#verdict-line", Prose)
        words = self.query_one(Panel).query_one(Prose)
        if not line.content.plain or banner is None:
            return 0
        return int(banner.value) + line.lines(width) + words.lines(width - _ASIDE)

    def clear(self) -> None:
        """Before there is a verdict."""
        self.query_one("#verdict-line", Prose).set_text(Content(""))
        self.query_one(Panel).set_text(Content(""))

    def show_result(self, result: "BossEvalResult", threshold: float, advice: "Sequence[FollowedAdvice]" = ()) -> None:
        """Say the verdict, and what became of the last advice."""
        role = VERDICT_ROLES[result.verdict]
        self.query_one(Banner).set_word(
            VERDICT_BANNERS[result.verdict], role, "ember" if result.verdict == "strong_pass" else "shade"
        )
        if result.passed:
            self.query_one(Banner).shine()
        self.query_one("#verdict-line", Prose).set_text(verdict_line(result, threshold))
        self._next = Content.assemble(do_next(result), ("\n", ""), (clean(result.summary), "$dim"))
        self._since = self._moved = Content("")
        self._followed = followed_advice(advice, look(self).glyphs)
        self._gains = ()
        self._show_text()

    def compare(self, result: "BossEvalResult", before: "BossEvalResult | None", labels: dict[str, str]) -> None:
        """Say what changed since the last try."""
        self._since, self._moved = change_since_last(result, before), score_changes(result, before, labels)
        self._show_text()

    def earned(self, gains: Sequence[Reward]) -> None:
        """Say what this fight brought beyond its points."""
        self._gains = gains
        self._show_text()

    def on_resize(self) -> None:
        """Lay out anew what is laid out by hand."""
        if self._gains:
            self._show_text()

    def _show_text(self) -> None:
        """What to do next stands high enough to be seen at once, whatever was won."""
        star = look(self).glyphs.star
        short = reward_line(self._gains, star, self.size.width - _ASIDE)
        head = Content("\n").join(part for part in (short, self._since) if part.plain)
        parts = (head, self._next, self._followed, reward_list(self._gains, star), self._moved)
        words = Content("\n\n").join(part.rstrip() for part in parts if part.plain.strip())
        self.query_one(Panel).set_text(words if head.plain else Content("\n") + words)

    def ungraded(self, reason: str, advice: str) -> None:
        """Say that there is no verdict though the fight was fought to its end, why, and what to do."""
        self._unscored("UNGRADED", "No score, no HP change. That was us.", reason, advice)

    def refused(self, reason: str, advice: str) -> None:
        """Say that there is no verdict because nothing was handed in that could be judged."""
        self._unscored("NOTHING", "There is nothing to judge.", reason, advice)

    def unfinished(self, state: AttemptState) -> None:
        """Say that there is no verdict because the judging hasn't come to its end (yet)."""
        if state is AttemptState.RUNNING:
            words = "It is being judged in another place.", "Open it again when that has ended."
            self._unscored("UNDER WAY", "No score yet.", *words)
        else:
            words = "The judging was stopped before its end.", "Fight again: this one doesn't count against you."
            self._unscored("STOPPED", "No score, no HP change.", *words)

    def _unscored(self, word: str, line: str, reason: str, advice: str) -> None:
        self._gains = ()
        self.query_one(Banner).set_word(word, "steel", "shade")
        self.query_one("#verdict-line", Prose).set_text(Content.assemble((line, "bold $ash")))
        words = [("\n", ""), (shorten_home(clean(reason)), "$ash")]
        if advice:
            words += [("\n\nWhat helps\n", "bold $ember"), (shorten_home(clean(advice)), "$ash")]
        self.query_one(Panel).set_text(Content.assemble(*words))
