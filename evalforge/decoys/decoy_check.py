"""Apply generic decoys to exemplars, and report which criteria can be bought and which conditions allow it."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from evalforge.decoys.bases import Base, choose_bases
from evalforge.decoys.code_decoys import ADDITIONS, HIDING_PLACES
from evalforge.decoys.decoy import Decoy, combine
from evalforge.decoys.purchases import Purchase, describe_purchases, find_purchases
from evalforge.decoys.suite_decoys import TEST_DECOYS
from evalforge.engine_pool import EnginePool
from evalforge.measurements import Measurements
from evalforge.model.evidence import Evidence
from evalforge.model.submission import Submission
from evalforge.packs.issue import Issue
from evalforge.packs.pack import BossPack


async def check_decoys(
    pack: BossPack, engines: EnginePool, show_progress: Callable[[str], None], kept: Measurements
) -> tuple[Issue, ...]:
    """Judge exemplars with and without decoys: a level that rises can be bought.

    Args:
        pack: A pack whose trials pass ``check_trials``.
        engines: What measures them.
        show_progress: Called with a sentence on what is being run.
        kept: What was measured before.

    Returns:
        A problem for each level that can be bought.

    Raises:
        SandboxError: Code can't be run here.
    """
    checker = _DecoyChecker(pack, engines, show_progress, kept)
    purchases = [purchase for base in choose_bases(pack) for purchase in await checker.find_purchases(base)]
    return tuple(describe_purchases(pack, purchases))


class _DecoyChecker:
    def __init__(
        self, pack: BossPack, engines: EnginePool, show_progress: Callable[[str], None], kept: Measurements
    ) -> None:
        self._pack = pack
        self._kept = kept
        self._show_progress = show_progress
        self._engines = engines

    async def find_purchases(self, base: Base) -> list[Purchase]:
        """Return every level that a decoy buys on an exemplar."""
        self._show_progress(f"{self._pack.boss_id}: decoys on {base.name}")
        (without,) = await self._measure_all([base.program.submission])
        together = await self._try_decoys(base, without, [combine(ADDITIONS)])
        decoys = (*HIDING_PLACES, *(TEST_DECOYS if base.is_for_tests else ()))
        other_results = await self._try_decoys(base, without, decoys)
        return [*(await self._take_apart(base, without, together) if together else ()), *other_results]

    async def _take_apart(self, base: Base, without: Evidence, together: list[Purchase]) -> list[Purchase]:
        """Return what each addition buys alone, and the fewest that together buy what none buys alone."""
        by_one = await self._try_decoys(base, without, ADDITIONS)
        levels_by_several = _levels(together) - _levels(by_one)
        needed = ADDITIONS
        for decoy in ADDITIONS if levels_by_several else ():
            fewer = tuple(needed_decoy for needed_decoy in needed if needed_decoy is not decoy)
            purchases = await self._try_decoys(base, without, [combine(fewer)])
            if levels_by_several <= _levels(purchases):
                needed, together = fewer, purchases
        return [*by_one, *(purchase for purchase in together if _level(purchase) in levels_by_several)]

    async def _try_decoys(self, base: Base, without: Evidence, decoys: Iterable[Decoy]) -> list[Purchase]:
        """Return what each decoy buys, compared with the evidence without any."""
        changed = [(decoy, decoy.apply(base.program)) for decoy in decoys]
        attempts = [(decoy.trick, program.submission) for decoy, program in changed if program is not None]
        measured = await self._measure_all([submission for _, submission in attempts])
        return [
            purchase
            for (trick, _), evidence in zip(attempts, measured, strict=True)
            for purchase in find_purchases(self._pack, base.name, trick, without, evidence)
        ]

    async def _measure_all(self, submissions: Sequence[Submission]) -> list[Evidence]:
        return await self._engines.run_all(
            [partial(self._kept.find_or_measure, submission) for submission in submissions]
        )


def _levels(purchases: Iterable[Purchase]) -> set[tuple[str, float]]:
    """Return the bought levels, each with its criterion."""
    return {_level(purchase) for purchase in purchases}


def _level(purchase: Purchase) -> tuple[str, float]:
    return purchase.criterion.id, purchase.level
