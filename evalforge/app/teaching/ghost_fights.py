"""Ghosts side by side: each with a boss and a bar, damaged criterion by criterion at the same step."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget

from evalforge.app.fight.stage.hp_bar import HpBar
from evalforge.app.ui.text.formatting import VERDICT_ROLES, VERDICT_WORDS, level_role
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.sprite_view import SpriteView
from evalforge.app.ui.widgets.text_panel import Prose
from evalforge.model.hp import HpScale, Part
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.app.core.boss_view import BossView
    from evalforge.app.teaching.background_fight import BackgroundFight
    from evalforge.model.rubric import Criterion


class Ghost(Widget):
    """One lane: the ghost's name, the boss it fights, its bar, and the level of each revealed criterion."""

    DEFAULT_CSS = """
    Ghost { layout: vertical; height: 1fr; width: 1fr; padding: 0 1; }
    Ghost .portrait { width: 1fr; height: 13; }
    Ghost HpBar { margin: 0 1; }
    Ghost .levels { padding: 0 1; margin: 1 0 0 0; }
    """

    def __init__(self, boss: "BossView", name: str) -> None:
        super().__init__()
        self._boss, self._ghost_name = boss, name

    def compose(self) -> ComposeResult:
        """Compose the ghost's name, its bar and its verdict."""
        yield Heading([(self._ghost_name.upper(), "bold ash")])
        yield SpriteView().add_class("portrait")
        yield HpBar()
        yield Prose(classes="levels")

    def on_mount(self) -> None:
        """Show an unhurt boss."""
        boss, rubric = self._boss, self._boss.rubric
        self.query_one(SpriteView).show(boss.sprite, boss.pack, boss.accent)
        # A lane is too narrow for names below its bar; they are shown with their levels.
        parts = [Part(c.id, "", c.max_score) for c in rubric.criteria]
        self.query_one(HpBar).prepare(parts, HpScale.from_rubric(rubric), boss.accent)

    def show(self, fight: "BackgroundFight", revealed: int, *, strike: bool) -> None:
        """Show the lane after this many criteria; ``strike`` animates the last one."""
        criteria = self._boss.rubric.criteria
        ids = tuple(criterion.id for criterion in criteria[:revealed])
        scores = fight.scores(ids)
        bar, sprite = self.query_one(HpBar), self.query_one(SpriteView)
        last = ids[-1] if ids and ids[-1] in scores and strike else ""
        bar.show({name: score for name, score in scores.items() if name != last})
        bar.show_note(fight.bar_note)
        if last and bar.strike(last, scores[last]) > 0:
            sprite.hit("")
        is_over = revealed == len(criteria) and fight.result is not None
        if is_over and fight.result is not None and fight.result.passed:
            sprite.fall(flawless=fight.result.verdict == "strong_pass")
        elif not strike or sprite.mood == "defeated":
            sprite.set_mood("idle")
        self._show_levels(fight, criteria[:revealed], is_over=is_over)

    def _show_levels(self, fight: "BackgroundFight", revealed: "Sequence[Criterion]", *, is_over: bool) -> None:
        """Show the newest level at the end of the first line, and all of them below the bar."""
        right = [("", "dim")]
        if fight.reason:
            right = [("not judged", "bold steel")]
        elif revealed and not fight.is_over:
            right = [("the forge is at work", "dim")]
        elif is_over and fight.result is not None:
            right = [(VERDICT_WORDS[fight.result.verdict], f"bold {VERDICT_ROLES[fight.result.verdict]}")]
        elif revealed:
            right = [(self._level(fight, revealed[-1])[1], "dim")]
        self.query_one(Heading).set_text([(self._ghost_name.upper(), "bold ash"), *self._pips(fight, revealed)], right)
        self.query_one(Prose).set_text(self._levels(fight, revealed))

    def _pips(self, fight: "BackgroundFight", revealed: "Sequence[Criterion]") -> list[Run]:
        """Show every level so far next to the name, if there is no room for a list."""
        if self.query_one(Prose).display or not fight.is_over or fight.reason:
            return []
        glyphs = look(self).glyphs
        levels = [(self._level(fight, criterion)[0], criterion.max_score) for criterion in revealed]
        return [
            (f"{'    ' if index == 0 else '  '}{glyphs.pips(score, most)}", level_role(score, most))
            for index, (score, most) in enumerate(levels)
        ]

    def _level(self, fight: "BackgroundFight", criterion: "Criterion") -> tuple[float, str]:
        score = fight.judgements[criterion.id].score if criterion.id in fight.judgements else 0
        return score, clean_line(criterion.level_label(score))

    def _levels(self, fight: "BackgroundFight", revealed: "Sequence[Criterion]") -> Content:
        glyphs = look(self).glyphs
        if fight.reason:
            return styled((clean_line(fight.reason), "dim"))
        if not fight.is_over:
            return Content("")
        parts: list[Run] = []
        for criterion in revealed:
            score, label = self._level(fight, criterion)
            marks = glyphs.pips(score, criterion.max_score)
            role = level_role(score, criterion.max_score)
            is_newest = criterion is revealed[-1]
            parts += [
                (f"{marks:<4} ", f"{role}"),
                (clean_line(criterion.label), "bold ash" if is_newest else "dim"),
                (f"\n     {label}\n", f"{role}" if is_newest else "dim"),
            ]
        return styled(*parts)


class GhostRow(Widget):
    """All lanes: side by side if there is room, else below each other."""

    DEFAULT_CSS = """
    GhostRow { layout: vertical; height: 1fr; }
    """

    def __init__(self, boss: "BossView", names: Sequence[str], *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._boss, self._names = boss, tuple(names)

    def compose(self) -> ComposeResult:
        """Compose one lane for each ghost."""
        for name in self._names:
            yield Ghost(self._boss, name)

    def show(self, fights: "Mapping[int, BackgroundFight]", revealed: int, *, strike: bool) -> None:
        """Show every lane after this many criteria."""
        for index, ghost in enumerate(self.query(Ghost)):
            ghost.show(fights[index], revealed, strike=strike)
