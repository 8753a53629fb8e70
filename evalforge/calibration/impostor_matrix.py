"""A boss's right and wrong programs put through its trials and the forge judge: what is noticed, what is charged twice.

A good boss notices every impostor by a trial of the criterion that owns its fault, and charges the fault to that
criterion alone. What falls besides is *spill*: the same fault is charged twice.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from evalforge.collect import collect
from evalforge.evidence.engine import Engine
from evalforge.judges.base import Case
from evalforge.judges.forge import forge_opinion
from evalforge.model.base import Frozen
from evalforge.model.errors import UsageError
from evalforge.model.evidence import TrialResult
from evalforge.model.exact_numbers import Score
from evalforge.model.fight_record import FightRecord, record_fight
from evalforge.model.level_rules import LevelRule, LevelRules
from evalforge.model.submission import Submission, SubmissionFile
from evalforge.packs.impostors import Impostor, Impostors, PlantedFault, plant, read_impostors
from evalforge.packs.pack import BossPack
from evalforge.packs.trial_key import trial_seed
from evalforge.trial_check import without_tests


class RightResult(Frozen):
    """How a right program did.

    Attributes:
        name: The program's name.
        trials: How many trials were run.
        failed: Titles of trials that failed on it: they ask more than the contract.
    """

    name: str
    trials: int
    failed: tuple[str, ...]


class WrongResult(Frozen):
    """What became of a wrong program.

    Attributes:
        id: The program's id.
        owner: The criterion that owns its fault.
        is_impostor: Whether tests and trials can notice it; else it is a fault of structure or build.
        expected: The owner's level by the rubric's words.
        given: The owner's level by the forge judge.
        noticed_by: How many trials of the owner fail.
        spill: Level by criterion for the other criteria that fall below what the right program gets.
        lost: Levels lost against the right program, by criterion; those that lose none are left out.
    """

    id: str
    owner: str
    is_impostor: bool
    expected: Score
    given: Score
    noticed_by: int
    spill: dict[str, Score]
    lost: dict[str, Score]

    @property
    def is_charged(self) -> bool:
        """Whether its owner falls below what the right program gets."""
        return self.owner in self.lost

    @property
    def is_missed(self) -> bool:
        """Whether no trial of its owner notices an impostor: a gap in the trials."""
        return self.is_impostor and self.noticed_by == 0


class ImpostorMatrix(Frozen):
    """All programs of one boss.

    Attributes:
        boss_id: The boss.
        criteria: Ids of the criteria that judge the program; those about its tests alone are left out.
        right: Its right programs.
        wrong: Its impostors, then its faults.
    """

    boss_id: str
    criteria: tuple[str, ...]
    right: tuple[RightResult, ...]
    wrong: tuple[WrongResult, ...]

    @property
    def is_sound(self) -> bool:
        """Whether right programs get every trial right and every impostor is noticed by its owner."""
        return not any(program.failed for program in self.right) and not any(each.is_missed for each in self.wrong)

    @property
    def charges_each_once(self) -> bool:
        """Whether every fault lowers its owner, and no other criterion."""
        return all(each.is_charged and not each.spill for each in self.wrong)


async def measure_impostors(pack: BossPack, report: Callable[[str], None]) -> ImpostorMatrix:
    """Run all right and wrong programs of a boss, one after the other.

    Args:
        pack: A sound pack.
        report: Called with a line on what is being run.

    Raises:
        UsageError: The pack has no impostors.
        PackError: A change doesn't fit the program it is made to.
        SandboxError: Nothing can be run here.
    """
    listed = read_impostors(pack.path)
    if listed is None:
        raise UsageError(f"{pack.boss_id} has no impostors.", "docs/authoring.md says how to write them.")
    engine = Engine()
    try:
        return await _Measurement(pack, listed, engine, report).matrix()
    finally:
        await engine.close()


class _Measurement:
    def __init__(self, pack: BossPack, listed: Impostors, engine: Engine, report: Callable[[str], None]) -> None:
        self._pack, self._listed = pack, listed
        self._engine, self._report = engine, report
        self._judging = replace(pack, rules=_rules_without_tests(pack.rules))

    async def matrix(self) -> ImpostorMatrix:
        right: list[RightResult] = []
        levels: dict[str, Mapping[str, Score]] = {}
        files: dict[str, dict[str, str]] = {}
        for program in self._listed.right:
            self._report(f"{self._pack.boss_id}: right program {program.name}")
            program_files = without_tests(collect(program.path(self._pack.path))).files
            files[program.name] = {file.path: file.content for file in program_files}
            record = await self._fight(files[program.name])
            levels[program.name] = self._levels(record)
            failed = tuple(trial.title for trial in record.trials if not trial.passed)
            right.append(RightResult(name=program.name, trials=len(record.trials), failed=failed))
        planted = [each for each in self._listed.wrong if each.of in files]
        wrong = [await self._wrong(each, files[each.of], levels[each.of]) for each in planted]
        return ImpostorMatrix(
            boss_id=self._pack.boss_id, criteria=self._criteria(), right=tuple(right), wrong=tuple(wrong)
        )

    def _criteria(self) -> tuple[str, ...]:
        ids = [criterion.id for criterion in self._pack.rubric.criteria]
        return tuple(each for each in ids if not self._pack.rules.is_about_tests(each))

    async def _wrong(self, wrong: PlantedFault, right: Mapping[str, str], top: Mapping[str, Score]) -> WrongResult:
        self._report(f"{self._pack.boss_id}: {wrong.id}")
        record = await self._fight(plant(right, wrong))
        levels = self._levels(record)
        return WrongResult(
            id=wrong.id,
            owner=wrong.owner,
            is_impostor=isinstance(wrong, Impostor),
            expected=wrong.level,
            given=levels[wrong.owner],
            noticed_by=sum(1 for _ in self._failures_of(wrong.owner, record.trials)),
            spill={name: level for name, level in levels.items() if name != wrong.owner and level < top[name]},
            lost={name: top[name] - level for name, level in levels.items() if level < top[name]},
        )

    def _failures_of(self, criterion_id: str, trials: list[TrialResult]) -> Iterator[TrialResult]:
        groups = self._pack.rules.trial_groups(criterion_id)
        return (trial for trial in trials if not trial.passed and ("all" in groups or trial.group in groups))

    async def _fight(self, files: Mapping[str, str]) -> FightRecord:
        contents = tuple(SubmissionFile(path=path, content=content) for path, content in files.items())
        submission = Submission(files=contents)
        entry_files = self._pack.definition.metadata.entry_files
        seed = trial_seed(self._pack.boss_id, submission.content_hash)
        stream = self._engine.gather(seed, self._pack.trials, entry_files, submission)
        return await record_fight(stream, record=FightRecord(submission=submission))

    def _levels(self, record: FightRecord) -> Mapping[str, Score]:
        assert record.submission is not None
        opinion = forge_opinion(Case(self._judging, record.submission, record.evidence))
        return {judgement.criterion_id: judgement.score for judgement in opinion.judgements}


def _rules_without_tests(rules: LevelRules) -> LevelRules:
    """The rules as they judge a program that has no tests; a level that only asks for tests stays as it is."""
    return LevelRules({name: tuple(_rule_without_tests(rule) for rule in rules.of(name)) for name in rules.root})


def _rule_without_tests(rule: LevelRule) -> LevelRule:
    kept = tuple(condition for condition in rule.requires if not condition.asks_for_tests)
    return rule.model_copy(update={"requires": kept or rule.requires})
