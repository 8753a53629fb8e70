"""The lab's bench: a draft, the exhibits it is tried on, and what moves."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evalforge.fight import FightOptions
from evalforge.lab.cache import EvidenceCache
from evalforge.lab.check import Checked, check
from evalforge.lab.draft import LabDraft
from evalforge.lab.exhibits import Exhibit, Kind, Measurer, Source, exemplars, exhibit, lineage, of_attempt
from evalforge.lab.instrument import trials_hash
from evalforge.lab.moved import Move, Revision
from evalforge.lab.rescore import rescore
from evalforge.library.pack import BossPack
from evalforge.model.attempt import Attempt
from evalforge.model.errors import EvalForgeError
from evalforge.model.events import Judged
from evalforge.model.numbers import exact

_AT_ONCE = 25
"""How many are scored before others get their turn."""


@dataclass(frozen=True)
class Outcome:
    """Every exhibit before and after, by its id."""

    pack: BossPack
    before: Mapping[str, Judged]
    after: Mapping[str, Judged]
    moves: Mapping[str, Move]
    revision: Revision

    def hits(self, exhibits: Sequence[Exhibit], judged: Mapping[str, Judged]) -> tuple[int, int]:
        """How many gold levels are met, and how many there are."""
        pairs = [
            (exact(one.gold.levels[given.id]), exact(given.score))
            for one in exhibits
            if one.gold is not None and one.id in judged
            for given in judged[one.id].result.criteria
            if given.id in one.gold.levels
        ]
        return sum(gold == given for gold, given in pairs), len(pairs)


class LabBench:
    """Everything one lab works with. Close it to let go of the draft.

    Args:
        state: The folder of our state.
        pack: Whose rubric is worked on.

    Raises:
        UsageError: The draft is held by another lab, or can't be written.
    """

    def __init__(self, state: Path, pack: BossPack) -> None:
        self.state = state
        self.draft = LabDraft(state, pack)
        self._trials = trials_hash(pack)
        self._cache = EvidenceCache(state, self._trials)
        self._known = lineage(pack)
        self._sources: dict[str, Source] = {}
        self._before: dict[str, Judged] = {}
        self.exhibits: dict[str, Exhibit] = {}
        self.failed: dict[str, str] = {}
        """Why a source could not be measured, by its id."""

    @property
    def pack(self) -> BossPack:
        """The pack as it is saved."""
        return self.draft.pack

    @property
    def sources(self) -> tuple[Source, ...]:
        """Exemplars and chosen attempts."""
        return tuple(self._sources.values())

    @property
    def measured(self) -> tuple[Source, ...]:
        """Those whose evidence is there."""
        known = self.exhibits
        return tuple(replace(one, evidence=known[one.id].evidence) for one in self.sources if one.id in known)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The ids of the attempts among them."""
        return tuple(source.id for source in self.sources if source.kind is Kind.ATTEMPT)

    def close(self) -> None:
        """Let go of the draft."""
        self.draft.close()

    def take_exemplars(self) -> None:
        """Read the exemplars."""
        for source in exemplars(self.pack):
            self._sources.setdefault(source.id, source)

    def take_attempts(self, attempts: Sequence[tuple[Attempt, int]]) -> None:
        """Have these past attempts, with their numbers, on the bench, and no others."""
        for name in self.chosen:
            del self._sources[name]
            self.exhibits.pop(name, None)
            self.failed.pop(name, None)
        for attempt, number in attempts:
            self._sources[attempt.id] = of_attempt(attempt, number, self._known, self._trials)

    async def measure(
        self, measurer: Callable[[], Awaitable[Measurer]], options: FightOptions, tell: Callable[[str], None]
    ) -> None:
        """Get the evidence of everything on the bench. Code is run only where facts may have changed.

        Args:
            measurer: Gives what runs code; asked for only if code must be run.
            options: How.
            tell: Called with a word on what is going on.
        """
        missing = [source for source in self.sources if source.id not in self.exhibits]
        for number, source in enumerate(missing, start=1):
            tell(f"measuring {source.name}, {number} of {len(missing)}")
            try:
                self.exhibits[source.id] = await exhibit(source, self.pack, self._cache, measurer, options)
                self.failed.pop(source.id, None)
            except EvalForgeError as error:
                self.failed[source.id] = str(error)
            await asyncio.sleep(0)

    def check(self) -> Checked:
        """Lint the draft."""
        return check(self.draft)

    async def score(self, pack: BossPack) -> Outcome:
        """Score everything by a draft that is sound, and see what moved."""
        revision = Revision(self.pack, pack)
        after: dict[str, Judged] = {}
        moves: dict[str, Move] = {}
        for number, one in enumerate(self._in_order()):
            if number % _AT_ONCE == _AT_ONCE - 1:
                await asyncio.sleep(0)
            if one.id not in self._before:
                self._before[one.id] = rescore(self.pack, one.submission, one.evidence)
            before = self._before[one.id]
            after[one.id] = rescore(pack, one.submission, one.evidence)
            moves[one.id] = revision.moved(before.result, after[one.id].result, one.evidence)
        return Outcome(pack, dict(self._before), after, moves, revision)

    def _in_order(self) -> list[Exhibit]:
        return [self.exhibits[source.id] for source in self.sources if source.id in self.exhibits]
