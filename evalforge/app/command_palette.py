"""The contents of the command palette: the screen's own actions, every boss, every screen."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from textual.app import SystemCommand
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.screen import Screen

from evalforge.app.ui.text.key_hints import all_key_hints
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.app.core.game_app import GameApp
    from evalforge.packs.summary import BossSummary


class Commands(Provider):
    """The palette's source. Textual's own would parse titles as markup, but a boss may have any name."""

    async def discover(self) -> Hits:
        """List all commands before a key is typed."""
        for title, description, act, _ in self._all():
            yield DiscoveryHit(Content(title), act, text=title, help=_plain(description))

    async def search(self, query: str) -> Hits:
        """Yield the commands whose title matches the typed text."""
        matcher = self.matcher(query)
        for title, description, act, _ in self._all():
            score = matcher.match(title)
            if score > 0:
                yield Hit(score, Content(title), act, text=title, help=_plain(description))

    def _all(self) -> list[SystemCommand]:
        game = cast("GameApp", self.app)  # pyright: ignore[reportUnknownMemberType]
        return list(commands(game, self.screen))  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]


def _plain(text: str) -> str:
    """Pass help text as content: Textual's type is a string, but it parses strings as markup."""
    return cast("str", Content(text))


def commands(game: "GameApp", screen: Screen[object]) -> Iterable[SystemCommand]:
    """Yield all commands, the screen's own first."""
    yield from _of_screen(game, screen)
    for boss in game.session.services.find_bosses():
        if not boss.error:
            yield from _of_boss(game, boss)
    yield SystemCommand("Attempts", "all past fights", game.navigator.open_attempts)
    yield SystemCommand("Classes", "classes judged before, ready to continue", game.navigator.open_classes)
    yield SystemCommand("Evaluations", "items judged against a rubric of yours", game.navigator.open_evaluations)
    yield SystemCommand("Progress", "rank, achievements, best on each boss", game.navigator.open_progress)
    yield SystemCommand("Tour", "a two-minute introduction", game.navigator.open_tour)
    yield SystemCommand("Settings", "motion, theme, tone, judge, editor, ...", game.navigator.open_settings)
    yield SystemCommand("Quit", "quit EvalForge", game.action_quit)


def _of_screen(game: "GameApp", screen: Screen[object]) -> Iterable[SystemCommand]:
    """Yield the screen's actions as sentences, except those that merely move within a list."""
    for hint in all_key_hints(screen):
        is_offered = hint.enabled and (hint.offered or hint.of_screen) and "." not in hint.action
        if is_offered:
            title = clean_line(hint.label).capitalize()
            yield SystemCommand(title, f"here, {hint.display}", lambda key=hint.key: game.simulate_key(key))


def _of_boss(game: "GameApp", boss: "BossSummary") -> Iterable[SystemCommand]:
    """Yield the boss's page, whose keys lead to everything else."""

    def open_page() -> None:
        pack = game.session.load_pack(boss.path)
        if pack is not None:
            game.navigator.open_boss(pack)

    yield SystemCommand(clean_line(boss.title), clean_line(boss.short_description), open_page)
