"""How a fight ended, and what to do about it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget

from evalforge.app.look import look
from evalforge.app.telling import do_next, since_last, verdict_line
from evalforge.app.widgets.banner import Banner
from evalforge.app.widgets.panel import Panel, Prose
from evalforge.app.words import VERDICT_BANNERS, VERDICT_ROLES
from evalforge.model.text import clean

if TYPE_CHECKING:
    from evalforge.model.result import BossEvalResult


class VerdictPanel(Widget):
    """The verdict as a banner and in words, the change since last time, what to do next, the summary."""

    DEFAULT_CSS = """
    VerdictPanel { layout: vertical; height: 1fr; }
    """

    def compose(self) -> ComposeResult:
        """Lay it out."""
        yield Banner(id="verdict-banner")
        yield Prose(id="verdict-line")
        yield Prose(id="verdict-earned")
        yield Prose(id="verdict-since")
        yield Panel(id="verdict-next")

    def tell(self, result: "BossEvalResult", threshold: float) -> None:
        """Say the verdict."""
        role = VERDICT_ROLES[result.verdict]
        self.query_one(Banner).say(
            VERDICT_BANNERS[result.verdict], role, "ember" if result.verdict == "strong_pass" else "shade"
        )
        if result.passed:
            self.query_one(Banner).shine()
        self._say("#verdict-line", verdict_line(result, threshold))
        self._say("#verdict-earned", Content(""))
        self._say("#verdict-since", Content(""))
        summary = Content.assemble(("\n", ""), (clean(result.summary), "$dim"))
        self.query_one(Panel).say(Content.assemble(("\n", ""), do_next(result), summary))

    def compare(self, result: "BossEvalResult", before: "BossEvalResult | None", labels: dict[str, str]) -> None:
        """Say what changed since the last try."""
        self._say("#verdict-since", since_last(result, before, labels))

    def earned(self, words: Sequence[str]) -> None:
        """Say what this fight brought beyond its points."""
        star = look(self).glyphs.star
        parts = [part for word in words for part in ((f"{star} ", "$molten"), (f"{clean(word)}\n", "bold $molten"))]
        self._say("#verdict-earned", Content.assemble(*parts).rstrip() if parts else Content(""))

    def ungraded(self, reason: str, advice: str) -> None:
        """Say that there is no verdict, why, and what to do."""
        self.query_one(Banner).say("UNGRADED", "steel", "shade")
        self._say("#verdict-line", Content.assemble(("No score, no HP change. That was us.", "bold $ash")))
        self._say("#verdict-earned", Content(""))
        self._say("#verdict-since", Content(""))
        words = [("\n", ""), (clean(reason), "$ash")]
        if advice:
            words += [("\n\nWhat helps\n", "bold $ember"), (clean(advice), "$ash")]
        self.query_one(Panel).say(Content.assemble(*words))

    def _say(self, where: str, content: Content) -> None:
        self.query_one(where, Prose).say(content)
