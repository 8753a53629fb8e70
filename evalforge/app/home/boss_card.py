"""The boss under the cursor: its picture, its description, the player's standing."""

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from evalforge.app.home.boss_list import STATE_ROLES
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.sprite_view import SpriteView
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.model.number_format import format_number
from evalforge.model.text import clean
from evalforge.packs.release import FOR_STUDENTS
from evalforge.packs.summary import TIERS, BossSummary

if TYPE_CHECKING:
    from evalforge.history.boss_progress import BossProgress


class BossCard(Widget):
    """The picture of a boss above its description."""

    DEFAULT_CSS = """
    BossCard { layout: vertical; height: 1fr; align-horizontal: center; }
    BossCard Static { height: auto; width: 1fr; text-align: center; }
    """

    def compose(self) -> ComposeResult:
        """Compose the picture and the description."""
        yield SpriteView(id="sprite")
        yield Static(Content(""), id="about", markup=False)
        yield Prose(id="lore")

    def show(self, boss: "BossSummary", state: str, progress: "BossProgress | None", lore: Content) -> None:
        """Show a boss.

        Args:
            boss: The boss.
            state: The player's standing, in a word.
            progress: The player's record; None if there is none.
            lore: Its lore; empty if there is no room.
        """
        sprite = self.query_one(SpriteView)
        sprite.show(boss.sprite or boss.slug, boss.path, boss.accent, is_static=bool(boss.error))
        sprite.set_mood("idle")
        accent = look(self).palette.accent(boss.accent)
        self.query_one("#about", Static).update(_description(boss, state, progress, accent))
        self.query_one("#lore", Prose).set_text(lore)


def _description(boss: "BossSummary", state: str, progress: "BossProgress | None", accent: str) -> Content:
    if boss.error:
        return styled(
            (f"{clean(boss.title)}\n", "bold blood"), ("This pack is broken.\n\n", "dim"), (clean(boss.error), "ash")
        )
    tier_and_realm = f"tier {TIERS[boss.tier]} · {boss.realm}".rstrip(" ·")
    tries = FOR_STUDENTS if boss.is_for_students else "never fought"
    if progress:
        best = f"{format_number(progress.best_total)}/{format_number(progress.max_total)}"
        tries = f"{plural(progress.attempt_count, 'attempt')}, best {best}"
    return styled(
        (f"{boss.title.upper()}\n", f"bold {accent}"),
        (f"{tier_and_realm}\n", "dim"),
        (f"{boss.short_description}\n", "ash"),
        (state, f"bold {STATE_ROLES[state]}"),
        (f" · {tries}", "dim"),
    )
