"""What an agent may do: read bosses, submit, and learn why; it never sees trials, exemplars or impostors."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evalforge.agents.agent_feedback import Feedback, feedback_on
from evalforge.evidence.attempt_reasons import attempt_reason
from evalforge.evidence.reason_chain import CriterionReason
from evalforge.fight import FightOptions, Forge
from evalforge.history.store import History
from evalforge.model.attempt import Attempt
from evalforge.model.base import Frozen
from evalforge.model.errors import EvalForgeError, UsageError
from evalforge.model.fight_record import EventHandler, record_fight
from evalforge.model.rubric import BossRubric
from evalforge.packs.find_pack import find_pack
from evalforge.packs.pack import BossPack
from evalforge.packs.summary import find_bosses


class ListedBoss(Frozen):
    """A boss that an agent can fight."""

    boss_id: str
    title: str
    tier: int
    realm: str
    short_description: str


class BossContract(Frozen):
    """Everything that is said about what to build; trials test nothing else."""

    boss_id: str
    title: str
    mission: str
    contract: str
    entry_files: tuple[str, ...]


class NextStep(Frozen):
    """What to do next after an attempt: the most valuable improvement, and those after it."""

    attempt_id: str
    verdict: str
    next_step: str
    after_that: tuple[str, ...]


@dataclass(frozen=True)
class Workplace:
    """The folders an agent works with.

    Attributes:
        bosses: Folders with packs.
        folders: The agent may submit these folders and any folder inside them.
    """

    bosses: tuple[Path, ...]
    folders: tuple[Path, ...]


class BossTools:
    """An agent's tools; one judging at a time.

    Args:
        forge: Runs the fights.
        history: The store of attempts.
        workplace: The folders the agent works with.
        options: How its folders are judged.
    """

    def __init__(self, forge: Forge, history: History, workplace: Workplace, options: FightOptions) -> None:
        self._forge = forge
        self._history = history
        self._workplace = workplace
        self._options = options
        self._one_at_a_time = asyncio.Lock()

    def list_bosses(self) -> list[ListedBoss]:
        """Every sound boss, by tier and title."""
        return [
            ListedBoss(
                boss_id=boss.slug,
                title=boss.title,
                tier=boss.tier,
                realm=boss.realm,
                short_description=boss.short_description,
            )
            for boss in find_bosses(self._workplace.bosses)
            if not boss.error
        ]

    def read_contract(self, boss_id: str) -> BossContract:
        """A boss's mission and contract."""
        pack = self._pack(boss_id)
        return BossContract(
            boss_id=pack.boss_id,
            title=pack.definition.title,
            mission=pack.definition.long_description,
            contract=pack.definition.metadata.contract,
            entry_files=tuple(pack.definition.metadata.entry_files),
        )

    def read_rubric(self, boss_id: str) -> BossRubric:
        """A boss's rubric."""
        return self._pack(boss_id).rubric

    async def judge_folder(
        self, boss_id: str, directory: str, agent: str, notes: str, on_event: EventHandler
    ) -> Feedback:
        """Judge a folder as an attempt of an agent.

        Raises:
            UsageError: The folder is outside those that may be submitted, or belongs to a boss.
        """
        pack = self._pack(boss_id)
        folder = allowed_folder(Path(directory), self._workplace)
        # An agent can ask as often as it likes, so inputs hidden in a player's first attempts stay hidden from it.
        options = replace(self._options, notes=notes, tries=0, agent=agent)
        async with self._one_at_a_time:
            record = await record_fight(self._forge.fight(pack, folder, options), on_event)
        return feedback_on(pack, record)

    def explain_attempt(self, attempt_id: str, criterion: str) -> CriterionReason:
        """Why a criterion of an attempt has its level: rules, facts, trials, calls and lines."""
        attempt = self._attempt(attempt_id)
        return attempt_reason(attempt, self._pack_of(attempt), criterion)

    def next_step(self, attempt_id: str) -> NextStep:
        """Return the advice of an attempt's judge.

        Raises:
            UsageError: The attempt was not judged.
        """
        attempt = self._attempt(attempt_id)
        if attempt.result is None:
            raise UsageError(f"Attempt {attempt.id} was not judged ({attempt.state.value}).", "Judge the folder again.")
        first, *others = attempt.result.improvements or ("Nothing: everything is at its highest level.",)
        return NextStep(
            attempt_id=attempt.id, verdict=attempt.result.verdict, next_step=first, after_that=tuple(others)
        )

    def _pack(self, boss_id: str) -> BossPack:
        # Only by id: a path would let an agent supply its own rules.
        if boss_id not in {boss.slug for boss in find_bosses(self._workplace.bosses)}:
            raise UsageError(f"There is no boss called {boss_id!r}.", "list_bosses names those that are there.")
        return find_pack(boss_id, self._workplace.bosses)

    def _pack_of(self, attempt: Attempt) -> BossPack | None:
        try:
            return self._pack(attempt.boss_id)
        except EvalForgeError:
            return None

    def _attempt(self, attempt_id: str) -> Attempt:
        attempt = self._history.get(attempt_id)
        row = self._history.row(attempt.id)
        if row is not None and row.of_class:
            raise UsageError(f"Attempt {attempt.id} is a student's submission, which agents can't see.")
        return attempt


def allowed_folder(directory: Path, workplace: Workplace) -> Path:
    """Resolve the links of a folder that an agent submits; a relative path is below the first allowed folder.

    Raises:
        UsageError: It is outside the allowed folders, or holds or belongs to a boss pack.
    """
    folder = (workplace.folders[0] / directory).resolve()
    if not any(folder.is_relative_to(allowed.resolve()) for allowed in workplace.folders):
        names = ", ".join(map(str, workplace.folders))
        raise UsageError(f"{folder} lies outside of {names}.", "Whoever starts the server allows more with --folder.")
    for pack in _pack_folders(workplace.bosses):
        if folder.is_relative_to(pack) or pack.is_relative_to(folder):
            raise UsageError(f"{folder} holds or belongs to a boss pack, whose files can't be submitted.")
    return folder


def _pack_folders(folders: Sequence[Path]) -> list[Path]:
    return [boss.path.resolve() for boss in find_bosses(tuple(folders))]
