"""The outcome of a fight, and what to do about it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget

from evalforge.app.fight.difference import Difference
from evalforge.app.fight.judgement_text import (
    GAIN_LINES,
    broken_trials,
    do_next,
    followed_advice,
    reward_line,
    reward_list,
    score_moves,
    verdict_line,
)
from evalforge.app.fight.rewards import Reward
from evalforge.app.ui.text.formatting import VERDICT_BANNERS, VERDICT_ROLES
from evalforge.app.ui.text.paths import shorten_home
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.banner import Banner
from evalforge.app.ui.widgets.text_panel import Panel, Prose
from evalforge.model.attempt import AttemptState
from evalforge.model.hp import HpScale
from evalforge.model.result import NOT_CALIBRATED
from evalforge.model.text import clean

if TYPE_CHECKING:
    from evalforge.model.followed_advice import FollowedAdvice
    from evalforge.model.result import BossEvalResult
    from evalforge.model.rubric import BossRubric

_SETBACK, _STILL_DOWN = "SET BACK", "STILL DOWN"
_SPARRING, _KNEELS = ("SPARRING", "steel"), ("KNEELING", "verdigris")
_ROOMY = 16
"""With fewer lines, one line of rewards leaves what to do next in sight."""
_ASIDE = 3
"""The cells that a scrollbar and the space next to it take from the width."""


class VerdictPanel(Widget):
    """The verdict as a banner and as text; below it rewards, what to do next, and the rest, as one text."""

    DEFAULT_CSS = """
    VerdictPanel { layout: vertical; height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._next = self._since = self._followed = Content("")
        self._broken = self._pull = self._offer = Content("")
        self._broken_first = False
        self._gains: Sequence[Reward] = ()

    def compose(self) -> ComposeResult:
        """Compose the verdict, what changed, and the next steps."""
        yield Banner(id="verdict-banner")
        yield Prose(id="verdict-line")
        yield Prose(id="verdict-voice")
        yield Panel(id="verdict-next")

    def needs(self, width: int) -> int:
        """The number of lines that show all of it; 0 before there is a verdict."""
        banner, line = self.query_one(Banner).styles.height, self.query_one("#verdict-line", Prose)
        prose = self.query_one(Panel).query_one(Prose)
        if not line.content.plain or banner is None:
            return 0
        voice = self.query_one("#verdict-voice", Prose)
        lines = line.lines(width) + (voice.lines(width) if voice.display else 0)
        return int(banner.value) + lines + prose.lines(width - _ASIDE)

    def clear(self) -> None:
        """Show that there is no verdict yet."""
        self.query_one("#verdict-line", Prose).set_text(Content(""))
        self.query_one("#verdict-voice", Prose).set_text(Content(""))
        self.query_one(Panel).set_text(Content(""))

    def show_result(
        self,
        result: "BossEvalResult",
        difference: Difference,
        advice: "Sequence[FollowedAdvice]",
        rubric: "BossRubric",
        *,
        is_calibrated: bool = True,
        is_sparring: bool = False,
        in_full: bool = False,
    ) -> None:
        """Show how it ended, what moved, and whether the last advice was followed.

        Args:
            result: The result.
            difference: What it is compared with.
            advice: The last advice, and whether it was followed.
            rubric: The rubric.
            is_calibrated: Whether the forge judge agrees with the boss's gold.
            is_sparring: Whether it is practice.
            in_full: Whether verdict and summary are shown too, which the fight says with the bar.
        """
        banner = self.query_one(Banner)
        before, threshold = difference.total, rubric.overall.pass_threshold
        was_down = before is not None and HpScale.from_rubric(rubric).has_fallen(before)
        if is_sparring:
            banner.set_word(*(_KNEELS if result.passed and not was_down else _SPARRING), "shade")
        elif difference.is_set_back(result.score_total):
            banner.set_word(_SETBACK, "ember", "shade")
        else:
            role, ground = VERDICT_ROLES[result.verdict], "ember" if result.verdict == "strong_pass" else "shade"
            stays_down = was_down and result.verdict == "pass"
            banner.set_word(_STILL_DOWN if stays_down else VERDICT_BANNERS[result.verdict], role, ground)
            if result.passed and not stays_down:
                banner.shine()
        line = verdict_line(result, threshold) if in_full else score_moves(difference, result, rubric)
        calibration = "" if is_calibrated else f"  {NOT_CALIBRATED}"
        self.query_one("#verdict-line", Prose).set_text(styled(line, (calibration, "ember")))
        self._next = styled(do_next(result), *([("\n", ""), (clean(result.summary), "dim")] if in_full else []))
        self._since = self._broken = self._pull = self._offer = Content("")
        again = {words.casefold() for words in result.improvements}
        followed = [each for each in advice if each.words.casefold() not in again]
        self._followed = followed_advice(followed, look(self).glyphs)
        self._gains = ()
        self._show_text()

    def show_comment(self, words: str) -> None:
        """Show the boss's comment below the verdict."""
        self.query_one("#verdict-voice", Prose).set_text(styled((words, "italic dim")))

    def show_first(self, text: str) -> None:
        """Show this text, because there is nothing to compare with."""
        self._since = styled((text, "dim"))
        self._show_text()

    def show_broken(self, titles: Sequence[str], since: str, *, first: bool) -> None:
        """Show which trials passed before and fail now.

        Args:
            titles: The titles of those trials.
            since: When they last passed: ``since the last save``.
            first: Whether it comes before what to do next.
        """
        self._broken, self._broken_first = broken_trials(titles, since, look(self).glyphs), first
        self._show_text()

    def show_pull(self, text: Content, offer: Content | None = None) -> None:
        """Show what comes next; below the advice, what else can be done with this fight."""
        self._pull, self._offer = text, offer or Content("")
        self._show_text()

    def show_rewards(self, gains: Sequence[Reward]) -> None:
        """Show the rewards of this fight beyond its points."""
        self._gains = gains
        self._show_text()

    def on_resize(self) -> None:
        """Redo the manual layout."""
        if self._gains:
            self._show_text()

    def _show_text(self) -> None:
        """Keep what to do next high enough to be visible at once, whatever the rewards."""
        star = look(self).glyphs.star
        is_low = self.size.height < _ROOMY
        short = reward_line(self._gains, star, self.size.width - _ASIDE, 1 if is_low else GAIN_LINES)
        head = Content("\n").join(part for part in (short, self._since) if part.plain)
        # Rewards take many lines, and what to do next must be visible at once.
        pull = (
            self._pull if self._gains else Content("\n").join(part for part in (self._pull, self._offer) if part.plain)
        )
        advice = pull, self._next, self._followed, *([self._offer] if self._gains else [])
        middle = (self._broken, *advice) if self._broken_first else (*advice, self._broken)
        parts = (head, *middle, reward_list(self._gains, star))
        text = Content("\n\n").join(part.rstrip() for part in parts if part.plain.strip())
        self.query_one(Panel).set_text(text if head.plain else Content("\n") + text)

    def ungraded(self, reason: str, advice: str) -> None:
        """Show that a complete fight has no verdict, why, and what to do."""
        self._unscored("UNGRADED", "No score, no HP change. Our fault, not yours.", reason, advice)

    def refused(self, reason: str, advice: str) -> None:
        """Show that there is no verdict because nothing was submitted that could be judged."""
        self._unscored("NOTHING", "There is nothing to judge.", reason, advice)

    def unfinished(self, state: AttemptState) -> None:
        """Show that there is no verdict because the judging hasn't ended (yet)."""
        if state is AttemptState.RUNNING:
            texts = "It is being judged in another window.", "Open it again when that is done."
            self._unscored("UNDER WAY", "No score yet.", *texts)
        else:
            texts = "The fight was stopped before the end.", "Fight again: this one doesn't count against you."
            self._unscored("STOPPED", "No score, no HP change.", *texts)

    def _unscored(self, title: str, line: str, reason: str, advice: str) -> None:
        self._gains = ()
        self.query_one(Banner).set_word(title, "steel", "shade")
        self.query_one("#verdict-line", Prose).set_text(styled((line, "bold ash")))
        parts = [("\n", ""), (shorten_home(clean(reason)), "ash")]
        if advice:
            parts += [("\n\nWhat helps\n", "bold ember"), (shorten_home(clean(advice)), "ash")]
        self.query_one(Panel).set_text(styled(*parts))
