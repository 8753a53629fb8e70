"""Runs a boss's right and wrong programs on all cores, each only once as long as nothing has changed."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from evalforge.calibration.impostor_matrix import ImpostorMatrix, RightResult, WrongResult
from evalforge.engine_pool import EnginePool
from evalforge.evidence.engine import Engine
from evalforge.judges.forge import rescore
from evalforge.measurements import Measurements, without_tests
from evalforge.model.errors import UsageError
from evalforge.model.evidence import Evidence, ImpostorFate, TrialOutcome, TrialResult
from evalforge.model.exact_numbers import Score
from evalforge.model.level_rules import LevelRule, LevelRules
from evalforge.model.submission import Submission
from evalforge.packs.impostors import Impostor, Impostors, PlantedFault, plant, read_impostors
from evalforge.packs.pack import BossPack
from evalforge.packs.trial_key import PUBLIC_KEY
from evalforge.submissions.collect import collect

Levels = Mapping[str, Score]
"""Level by criterion."""


async def measure_impostors(
    pack: BossPack, engines: EnginePool, state: Path, report: Callable[[str], None]
) -> ImpostorMatrix:
    """Run every right and wrong program of a boss that has no cached result, as many at once as there are engines.

    Args:
        pack: A sound pack.
        engines: The engines that run them.
        state: EvalForge's state folder; evidence is kept there, by content.
        report: Called with a line on what is being run.

    Raises:
        UsageError: The pack has no impostors.
        PackError: An impostor's change doesn't fit the program it is applied to.
        SandboxError: Code can't be run here.
    """
    programs = read_programs(pack)
    if programs is None:
        raise UsageError(f"{pack.boss_id} has no impostors.", "The authoring guide explains how to write them.")
    runs = ProgramRuns(pack, engines, ProgramCache(pack, state), report)
    right = await runs.measure(programs.right)
    wrong = await runs.measure(programs.wrong)
    tests = await runs.measure_tests(programs.tested) if programs.tested else None
    return _MatrixBuilder(pack, programs.listed, right, wrong).matrix(_reddening_ids(tests))


def cached_matrix(pack: BossPack, state: Path) -> ImpostorMatrix | None:
    """Compute a boss's matrix by its current rules; None unless all of its programs were run by these trials.

    Nothing is run.

    Raises:
        PackError: An impostor's change doesn't fit the program it is applied to.
    """
    programs, cache = read_programs(pack), ProgramCache(pack, state)
    if programs is None:
        return None
    right, wrong = cache.of_all(programs.right), cache.of_all(programs.wrong)
    tests = cache.tests.find_evidence(programs.tested.content_hash) if programs.tested else None
    if right is None or wrong is None or (programs.tested and tests is None):
        return None
    return _MatrixBuilder(pack, programs.listed, right, wrong).matrix(_reddening_ids(tests))


def _reddening_ids(tests: Evidence | None) -> frozenset[str]:
    """Return the ids of impostors on which a right program's tests fail."""
    fates = tests.impostors if tests is not None else ()
    return frozenset(fate.id for fate in fates if fate.fate is ImpostorFate.UNMASKED)


@dataclass(frozen=True)
class PackPrograms:
    """The programs of a boss that are run.

    Attributes:
        listed: The impostors of the pack, except those whose right program is missing.
        right: Right programs by name, without tests.
        wrong: Wrong programs by id, without tests.
        tested: The first right program that is an exemplar, with its tests; None if there is none.
    """

    listed: Impostors
    right: Mapping[str, Submission]
    wrong: Mapping[str, Submission]
    tested: Submission | None


def read_programs(pack: BossPack) -> PackPrograms | None:
    """Read the programs of a boss; None if it lists none."""
    listed = read_impostors(pack.path)
    if listed is None:
        return None
    listed = listed.model_copy(update={"impostors": _planted(listed.impostors, listed)})
    listed = listed.model_copy(update={"faults": _planted(listed.faults, listed)})
    files = {program.name: without_tests(collect(program.path(pack.path))).contents for program in listed.right}
    tested = next((program for program in listed.right if program.exemplar), None)
    return PackPrograms(
        listed=listed,
        right={name: Submission.of(contents) for name, contents in files.items()},
        wrong={program.id: Submission.of(plant(files[program.of], program)) for program in listed.wrong},
        tested=collect(tested.path(pack.path)) if tested is not None else None,
    )


def _planted(faults: tuple[PlantedFault, ...], listed: Impostors) -> tuple[PlantedFault, ...]:
    """Keep the faults whose right program is listed."""
    return tuple(fault for fault in faults if listed.right_program(fault.of))


class ProgramCache:
    """The cached evidence of a boss's programs.

    Attributes:
        programs: Evidence of programs without tests.
        second_runs: Evidence of second runs of such programs, to find out what differs by chance.
        tests: Evidence of right programs' tests alone.
    """

    def __init__(self, pack: BossPack, state: Path, trial_key: str = "") -> None:
        # A program without tests meets no impostor, so editing impostors leaves its evidence valid.
        key = trial_key or PUBLIC_KEY
        self.programs = Measurements(pack, "program", state=state, meets_programs=False, trial_key=key)
        self.second_runs = Measurements(pack, "program again", state=state, meets_programs=False, trial_key=key)
        self.tests = Measurements(pack, "tests alone", state=state)

    def of_all(self, programs: Mapping[str, Submission]) -> dict[str, Evidence] | None:
        """Return the evidence of all these programs by name; None if one of them was not run."""
        cached = {name: self.programs.find_evidence(submission.content_hash) for name, submission in programs.items()}
        complete = {name: evidence for name, evidence in cached.items() if evidence is not None}
        return complete if len(complete) == len(cached) else None


class ProgramRuns:
    """Gets evidence of programs: cached, or else measured."""

    def __init__(self, pack: BossPack, engines: EnginePool, cache: ProgramCache, report: Callable[[str], None]) -> None:
        self._pack, self._engines, self._report = pack, engines, report
        self._cache, self._second_cache, self._tests_cache = cache.programs, cache.second_runs, cache.tests

    async def measure(self, programs: Mapping[str, Submission]) -> dict[str, Evidence]:
        """Return the evidence of programs by name; missing evidence is measured, several programs at once."""
        cached = {name: self._cache.find_evidence(submission.content_hash) for name, submission in programs.items()}
        unknown = {name: programs[name] for name, evidence in cached.items() if evidence is None}
        jobs = [partial(self._measure_and_store, name, submission) for name, submission in unknown.items()]
        measured = dict(zip(unknown, await self._engines.run_all(jobs), strict=True))
        for name, evidence in measured.items():
            if self._is_in_doubt(evidence):
                (measured[name],) = await self._engines.run_all([partial(self._measure_anew, name, programs[name])])
                self._cache.store(programs[name].content_hash, measured[name])
        return {name: evidence or measured[name] for name, evidence in cached.items()}

    async def measure_twice(self, name: str, program: Submission) -> tuple[Evidence, Evidence]:
        """Return the evidence of a program, and that of a second run; each is measured only if it isn't kept."""
        (first,) = (await self.measure({name: program})).values()
        (second,) = await self._engines.run_all([partial(self._second_cache.find_or_measure, program)])
        return first, second

    async def measure_tests(self, submission: Submission) -> Evidence:
        """Return the evidence of only the tests of a right program."""
        if self._tests_cache.find_evidence(submission.content_hash) is None:
            self._report(f"{self._pack.boss_id}: the tests of a right program")
        (evidence,) = await self._engines.run_all(
            [partial(self._tests_cache.find_or_measure, submission, tests_alone=True)]
        )
        return evidence

    async def _measure_and_store(self, name: str, submission: Submission, engine: Engine) -> Evidence:
        """Measure a program and store the result at once, so that an interrupted run can resume."""
        evidence = await self._measure_anew(name, submission, engine)
        if not self._is_in_doubt(evidence):
            self._cache.store(submission.content_hash, evidence)
        return evidence

    def _is_in_doubt(self, evidence: Evidence) -> bool:
        """Whether a trial ran out of time, perhaps only because other programs ran beside it."""
        return self._engines.size > 1 and any(trial.outcome is TrialOutcome.TIMED_OUT for trial in evidence.trials)

    async def _measure_anew(self, name: str, submission: Submission, engine: Engine) -> Evidence:
        self._report(f"{self._pack.boss_id}: {name}")
        return await self._cache.measure(submission, engine)


class _MatrixBuilder:
    """Applies the forge judge to the evidence of all programs."""

    def __init__(
        self, pack: BossPack, listed: Impostors, right: Mapping[str, Evidence], wrong: Mapping[str, Evidence]
    ) -> None:
        self._pack, self._listed, self._right, self._wrong = pack, listed, right, wrong
        self._judging = replace(pack, rules=_rules_without_tests(pack.rules))

    def matrix(self, reddening_ids: frozenset[str]) -> ImpostorMatrix:
        levels = {name: self._levels(evidence) for name, evidence in self._right.items()}
        ids = [criterion.id for criterion in self._pack.rubric.criteria]
        return ImpostorMatrix(
            boss_id=self._pack.boss_id,
            criteria=tuple(criterion_id for criterion_id in ids if not self._pack.rules.is_about_tests(criterion_id)),
            right=tuple(_right_result(name, evidence) for name, evidence in self._right.items()),
            wrong=tuple(
                self._wrong_result(program, levels[program.of], reddening_ids) for program in self._listed.wrong
            ),
        )

    def _wrong_result(self, wrong: PlantedFault, top: Levels, reddening_ids: frozenset[str]) -> WrongResult:
        evidence = self._wrong[wrong.id]
        levels = self._levels(evidence)
        return WrongResult(
            id=wrong.id,
            owner=wrong.owner,
            is_impostor=isinstance(wrong, Impostor),
            expected=wrong.level,
            given=levels[wrong.owner],
            noticed_by=sum(1 for _ in self._failures_of(wrong.owner, evidence)),
            spill={name: level for name, level in levels.items() if name != wrong.owner and level < top[name]},
            lost={name: top[name] - level for name, level in levels.items() if level < top[name]},
            turns_tests_red=wrong.id in reddening_ids,
        )

    def _failures_of(self, criterion_id: str, evidence: Evidence) -> Iterator[TrialResult]:
        groups = self._pack.rules.trial_groups(criterion_id)
        return (trial for trial in evidence.trials if not trial.passed and trial.is_in(groups))

    def _levels(self, evidence: Evidence) -> Levels:
        judgements = rescore(self._judging, Submission.of({}), evidence).judgements
        return {judgement.criterion_id: judgement.score for judgement in judgements}


def _right_result(name: str, evidence: Evidence) -> RightResult:
    failed = tuple(trial.title for trial in evidence.trials if not trial.passed)
    return RightResult(name=name, trials=len(evidence.trials), failed=failed)


def _rules_without_tests(rules: LevelRules) -> LevelRules:
    """Adapt rules to a program without tests; a level that only asks for tests stays as it is."""
    return LevelRules({name: tuple(_rule_without_tests(rule) for rule in rules.of(name)) for name in rules.root})


def _rule_without_tests(rule: LevelRule) -> LevelRule:
    conditions = tuple(condition for condition in rule.requires if not condition.asks_for_tests)
    return rule.model_copy(update={"requires": conditions or rule.requires})
