"""Starts the game with the real layers below it."""

import os
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from evalforge.app.app import EvalForge
from evalforge.app.core.services import FightEngine, Services
from evalforge.app.core.start_request import ROSTER, StartRequest
from evalforge.model.text import is_ascii_only
from evalforge.packs.locations import HISTORY

if TYPE_CHECKING:
    from evalforge.fight import FightOptions, Forge
    from evalforge.judges.base import Case
    from evalforge.llm.model_options import ModelOptions
    from evalforge.model.events import Event
    from evalforge.packs.pack import BossPack

# A server caches a prefix for five minutes after its last use.
_WARM_SECONDS = 270.0


def run(
    home: Path,
    bosses: tuple[Path, ...],
    *,
    judge: str = "forge",
    motion: str = "full",
    theme: str = "",
    ascii_only: bool | None = None,
    start: StartRequest = ROSTER,
    starter_folder: Path = Path(),
    models: "ModelOptions | None" = None,
    python: str = "",
    trusted: bool = False,
    bell: bool = False,
) -> int:
    """Play until the player leaves.

    Args:
        home: EvalForge's state folder, with the history.
        bosses: Folders searched for boss packs.
        judge: Name of the judge.
        motion: ``full``, ``reduced`` or ``none``.
        theme: Name of a theme; the default one if empty.
        ascii_only: Whether to draw with ASCII signs only; the environment decides if None.
        start: What to open first.
        starter_folder: The folder for starter folders and exports.
        models: Which models a model judge asks.
        python: The interpreter for the player's code; ours if empty.
        trusted: Whether it may run without a sandbox.
        bell: Whether the terminal's bell rings when a fight has ended.

    Returns:
        The exit status.
    """
    history = home / HISTORY
    services = Services(
        bosses=bosses,
        history=history,
        engine=lambda: open_engine(history),
        judge=judge,
        motion=motion,
        theme=theme,
        ascii_only=is_ascii_only(os.environ) if ascii_only is None else ascii_only,
        start=start,
        starter_folder=starter_folder,
        models=models,
        python=python,
        trusted=trusted,
        bell=bell,
    )
    game = EvalForge(services)
    game.run()
    return game.return_code or 0


@asynccontextmanager
async def open_engine(history: Path) -> AsyncGenerator[FightEngine]:
    """Open an engine with its own connection to the history, and close both at the end."""
    from evalforge.fight import Forge
    from evalforge.history.store import History

    with History(history) as store:
        async with Forge(store) as forge:
            yield ForgeAdapter(forge)


class ForgeAdapter:
    """Adapts the forge to the game."""

    def __init__(self, forge: "Forge") -> None:
        self._forge = forge
        self._prepared: dict[tuple[str, str, ModelOptions | None], float] = {}

    async def warm(self) -> None:
        """Start everything that the first fight would have to wait for."""
        await self._forge.warm()

    async def isolation(self) -> str:
        """Describe in a sentence or two how players' code is isolated here."""
        await self._forge.warm()
        engine = self._forge.engine
        if not engine.layer:
            return "The sandbox could not start: run evalforge doctor."
        return f"Your code runs in the {engine.layer} sandbox. {engine.isolation_note}".strip()

    async def prepare(self, pack: "BossPack", models: "ModelOptions | None") -> None:
        """Prepare a model judge on the session's budget; repeated only once the server's cache has expired."""
        from evalforge.judges.registry import prepare_judge

        key = pack.boss_id, pack.rubric_hash, models
        if time.monotonic() < self._prepared.get(key, 0.0):
            return
        self._prepared[key] = time.monotonic() + _WARM_SECONDS
        await prepare_judge(pack, models, self._forge.budget)

    def fight(
        self, pack: "BossPack", directory: Path, options: "FightOptions | None" = None
    ) -> "AsyncGenerator[Event]":
        """Run a fight, as a stream of events."""
        return self._forge.fight(pack, directory, options)

    def meet_impostors(
        self, pack: "BossPack", directory: Path, options: "FightOptions | None" = None
    ) -> "AsyncGenerator[Event]":
        """Run only a directory's tests, as a stream of events."""
        return self._forge.meet_impostors(pack, directory, options)

    def judge(self, name: str, models: "ModelOptions", case: "Case") -> "AsyncGenerator[Event]":
        """Have a judge judge, on the session's budget like every fight."""
        from evalforge.lab.judge_pair import ask_within_budget

        return ask_within_budget(self._forge.budget)(name, models, case)
