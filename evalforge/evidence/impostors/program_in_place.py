"""A right program in place of the player's, and its impostors as jobs for the host that runs the tests."""

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest

from evalforge.evidence.examination import NOTICED, MutantVerdict
from evalforge.evidence.impostors import layout, planting
from evalforge.evidence.impostors.inner_tests import TestUses
from evalforge.evidence.impostors.layout import EntryPlace
from evalforge.evidence.impostors.planting import PlantedImpostor
from evalforge.evidence.impostors.suite_runs import SuiteOnProgram
from evalforge.evidence.mutation.candidates import find_mutants
from evalforge.evidence.mutation.mutant import Mutant
from evalforge.evidence.mutation.mutation_plan import MutationJob, PassingTest, plan_jobs, plan_single_tests
from evalforge.packs.impostors import Impostor, Impostors, RightProgram

# Finding tests that are likely to catch an impostor: those that share words with the description of its fault.

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_MIN_WORD_CHARS = 3
_STEM_CHARS = 5  # reversal, reversed, reverse
_CALL_SECONDS = 0.001
_SILENT_WEIGHT = 0.1


class LikelyTests:
    """Orders the tests of a suite by their words.

    Args:
        tests: The tests that may be run.
        texts: The names and literals that each test uses, by the test's name.
    """

    def __init__(self, tests: Iterable[PassingTest], texts: Mapping[str, Iterable[str]]) -> None:
        self._seconds = {test.name: test.seconds for test in tests}
        self._words = {name: _words([name.partition("::")[2], *texts.get(name, ())]) for name in self._seconds}
        counts = Counter(word for text in self._words.values() for word in text)
        self._weights = {word: math.log(len(self._words) / count) for word, count in counts.items()}

    def in_order(self, tests: Sequence[str], impostor: Impostor) -> tuple[str, ...]:
        """The same tests, likely and quick ones first; the others keep their order."""
        impostor_words = _words([impostor.id, impostor.clause, impostor.says, impostor.fault])

        def score(name: str) -> float:
            weight = _SILENT_WEIGHT + sum(self._weights[word] for word in self._words[name] & impostor_words)
            return weight / math.sqrt(self._seconds[name] + _CALL_SECONDS)

        return tuple(sorted(tests, key=score, reverse=True))


def _words(texts: Iterable[str]) -> frozenset[str]:
    """The stems of all words, including those in names such as ``test_no_amount`` or ``LedgerError``."""
    words = (word.lower() for text in texts for word in _WORD.findall(text))
    return frozenset(word[:_STEM_CHARS] for word in words if len(word) >= _MIN_WORD_CHARS)


@dataclass(frozen=True)
class TestsOnProgram:
    """The results of the tests on one right program and its impostors.

    Attributes:
        program: The right program.
        suite: The results of the tests on it.
        outcomes: The results on its impostors, by id; those that were not run are missing.
        unreached: The ids of impostors whose fault no test reaches.
        expected: By test that fails on the right program, the ids of impostors on which it passes.
        has_noticed_control: Whether tests failed on an unchanged program.
    """

    program: "ProgramInPlace"
    suite: SuiteOnProgram
    outcomes: Mapping[str, MutantVerdict]
    unreached: frozenset[str]
    expected: Mapping[str, tuple[str, ...]]
    has_noticed_control: bool


@dataclass(frozen=True)
class ImpostorJobs:
    """The jobs to run on one right program.

    Attributes:
        program: The right program.
        suite: The results of the tests on it.
        jobs: Its impostors, with controls among them.
        ids: The ids of impostors by job number.
        expected: The ids of impostors by job number, for jobs that check whether a test that contradicts the contract
            passes on one.
        unreached: The ids of impostors whose fault no test reaches.
    """

    program: "ProgramInPlace"
    suite: SuiteOnProgram
    jobs: tuple[MutationJob, ...]
    ids: Mapping[int, str]
    expected: Mapping[int, str]
    unreached: frozenset[str]

    def read_verdicts(self, received: Iterable[MutantVerdict]) -> TestsOnProgram:
        """Interpret the verdicts on impostors, given those on controls."""
        verdicts = {verdict.number: verdict for verdict in received}
        controls = {verdicts[number].outcome for number in verdicts if self.jobs[number].is_control}
        unreached = self.unreached
        if "timeout" in controls:  # tests that hang on an unchanged program prove nothing by hanging
            survived = {"outcome": "survived", "test": ""}
            verdicts = {
                number: verdict.model_copy(update=survived) if verdict.outcome == "timeout" else verdict
                for number, verdict in verdicts.items()
            }
        if not self.suite.is_complete:  # a test that was not run might have caught an impostor
            verdicts = {number: verdict for number, verdict in verdicts.items() if verdict.outcome in NOTICED}
            unreached = frozenset[str]()
        expected = defaultdict[str, list[str]](list)
        for number, name in self.expected.items():
            if number in verdicts and verdicts[number].outcome == "survived":
                expected[self.jobs[number].tests[0]].append(name)
        return TestsOnProgram(
            program=self.program,
            suite=self.suite,
            outcomes={name: verdicts[number] for number, name in self.ids.items() if number in verdicts},
            unreached=unreached,
            expected={test: tuple(names) for test, names in expected.items()},
            has_noticed_control=not controls.isdisjoint(NOTICED),
        )


_MAX_BLANK_LINES = 20
_MAX_WRONG_TESTS = 5
"""The most tests that contradict the contract for which it is found out what they expect instead."""


class ProgramInPlace:
    """A right program among a player's tests, with its impostors.

    Args:
        impostors: The impostors to run.
        all_impostors: All impostors of the pack, since a wrong test may expect what any of them does.
        program: The right program.
        original: The program's files, docstrings included.
        place: The place of the player's entry.

    Attributes:
        files: The files as tests run on them, by path in the submission.
    """

    def __init__(
        self,
        impostors: Impostors,
        all_impostors: Impostors,
        program: RightProgram,
        original: Mapping[str, str],
        place: EntryPlace,
    ) -> None:
        self._impostors = impostors
        self._all_impostors = all_impostors
        self._program = program
        self._original = original
        self._bare_program = planting.bare_program(original)
        # Line numbers reveal nothing: they differ in each fight, and are the same for right and wrong programs.
        self._blank_lines = random.SystemRandom().randint(0, _MAX_BLANK_LINES)
        moved = {path: "\n" * self._blank_lines + source for path, source in self._bare_program.items()}
        self._folder = f"{place.folder}/" if place.folder else ""
        self.files = layout.lay_out(moved, place)

    @cached_property
    def planted(self) -> list[PlantedImpostor]:
        """The impostors that are planted into this program.

        Raises:
            PackError: An impostor doesn't fit the program.
        """
        return self._plant(self._impostors)

    @cached_property
    def all_planted(self) -> list[PlantedImpostor]:
        """All impostors of the pack that are planted into this program.

        Raises:
            PackError: An impostor doesn't fit the program.
        """
        return self._plant(self._all_impostors)

    def _plant(self, impostors: Impostors) -> list[PlantedImpostor]:
        return planting.plant_impostors(impostors, self._program, self._original, self._bare_program)

    @cached_property
    def _mutants(self) -> dict[str, Mutant]:
        """The impostors as changes to the files, by id, in the order of sending."""
        return self._as_mutants(_one_of_each_owner(self.planted))

    def _as_mutants(self, planted: Sequence[PlantedImpostor]) -> dict[str, Mutant]:
        return {
            planted_impostor.impostor.id: planting.move_mutant(planted_impostor.mutant, self._folder, self._blank_lines)
            for planted_impostor in planted
        }

    @cached_property
    def _equivalents(self) -> list[Mutant]:
        """Changes without effect in the files that impostors change."""
        paths = {mutant.path for mutant in self._mutants.values()}
        return [equivalent for path in sorted(paths) for equivalent in find_mutants(path, self.files[path])[1]]

    def prepare_jobs(self) -> None:
        """Do all of the planning that doesn't depend on the tests.

        Raises:
            PackError: An impostor doesn't fit the program.
        """
        _ = self._equivalents

    def plan_jobs(self, suite: SuiteOnProgram, uses: TestUses, min_controls: int) -> ImpostorJobs:
        """Plan which tests run on which impostors."""
        ids = {id(mutant): name for name, mutant in self._mutants.items()}
        jobs, unreached = plan_jobs(list(self._mutants.values()), self._equivalents, suite.baseline, min_controls)
        tests = suite.baseline.tests
        likely_tests = LikelyTests(tests, {test.name: uses.texts_of(test.name) for test in tests})
        failing = replace(suite.failing, tests=suite.failing.tests[:_MAX_WRONG_TESTS])
        all_mutants = self._as_mutants(self.all_planted) if failing.tests else {}
        single_test_jobs = plan_single_tests(list(all_mutants.values()), failing)
        all_ids = {id(mutant): name for name, mutant in all_mutants.items()}
        return ImpostorJobs(
            program=self,
            suite=suite,
            jobs=(
                *(replace(job, tests=likely_tests.in_order(job.tests, self._about(job))) for job in jobs),
                *single_test_jobs,
            ),
            ids={number: ids[id(job.mutant)] for number, job in enumerate(jobs) if not job.is_control},
            expected={number: all_ids[id(job.mutant)] for number, job in enumerate(single_test_jobs, len(jobs))},
            unreached=frozenset(ids[id(mutant)] for mutant in unreached),
        )

    def _about(self, job: MutationJob) -> Impostor:
        """The impostor of a job; for a control, a random one of its scope, so that its tests don't reveal it."""
        by_mutant = {
            id(self._mutants[planted_impostor.impostor.id]): planted_impostor.impostor
            for planted_impostor in self.planted
        }
        if not job.is_control:
            return by_mutant[id(job.mutant)]
        candidates = [mutant for mutant in self._mutants.values() if mutant.scope == job.mutant.scope]
        return by_mutant[id(random.SystemRandom().choice(candidates or list(self._mutants.values())))]


def _one_of_each_owner(planted: Sequence[PlantedImpostor]) -> list[PlantedImpostor]:
    """The impostors in the order of sending: one of each criterion before the second of any."""
    by_owner: dict[str, list[PlantedImpostor]] = {}
    for planted_impostor in planted:
        by_owner.setdefault(planted_impostor.impostor.owner, []).append(planted_impostor)
    return [job for row in zip_longest(*by_owner.values()) for job in row if job is not None]
