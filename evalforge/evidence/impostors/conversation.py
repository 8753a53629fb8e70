"""The talk with a host about the player's tests on one right program and on its impostors."""

import contextlib
import socket
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from evalforge.evidence.examination import MutantVerdict, SuiteReport, receive_verdicts
from evalforge.evidence.impostors.inner_tests import TestUses
from evalforge.evidence.impostors.suite_runs import SuiteOnProgram, suite_on_program
from evalforge.evidence.mutation.candidates import find_mutants
from evalforge.evidence.mutation.mutant import Mutant
from evalforge.evidence.mutation.plan import MutationJob, plan_jobs
from evalforge.sandbox.host.protocol import wire

_START_SECONDS = 4.0


@dataclass(frozen=True)
class TestsOnProgram:
    """What came of one right program.

    Attributes:
        suite: How each test did on it.
        outcomes: What became of its impostors, by id; those that were not tried are missing.
        unreached: Ids of impostors whose fault no test comes by.
        has_noticed_control: Tests failed where nothing was changed.
    """

    suite: SuiteOnProgram
    outcomes: Mapping[str, MutantVerdict]
    unreached: frozenset[str]
    has_noticed_control: bool


class ProgramConversation:
    """The talk with a host about one right program.

    Args:
        tests: Files that tests may come from.
        uses: What the tests use.
        common_names: Names that every right program has.
        mutants: The program's impostors as changes of its files, by id.
        sources: The program's files.
    """

    def __init__(
        self,
        tests: frozenset[str],
        uses: TestUses,
        common_names: frozenset[str],
        mutants: Mapping[str, Mutant],
        sources: Mapping[str, str],
    ) -> None:
        self._tests = tests
        self._common_names = common_names
        self._uses = uses
        self._ids = {id(mutant): name for name, mutant in mutants.items()}
        self._mutants = list(mutants.values())
        self._sources = sources

    def hold(self, connection: socket.socket, seconds: float) -> TestsOnProgram | None:
        """Hold it from the first message to the last; None if the host breaks off, or no test can be run.

        Args:
            connection: The host's socket.
            seconds: What the host has for it.
        """
        deadline = time.monotonic() + seconds + _START_SECONDS
        try:
            report = SuiteReport.model_validate(wire.receive_frame(connection, deadline))
            if report.impossible or report.stuck:
                return None
            suite = suite_on_program(report, self._tests, self._uses, self._common_names)
            jobs, unreached = plan_jobs(self._mutants, self._equivalents(), suite.baseline)
            wire.send_frame(connection, {"jobs": [job.as_request(number) for number, job in enumerate(jobs)]})
        except (wire.WireError, ValidationError):
            return None
        verdicts: dict[int, MutantVerdict] = {}
        with contextlib.suppress(ValidationError):  # what came before stands
            for verdict in receive_verdicts(connection, len(jobs), deadline):
                verdicts[verdict.number] = verdict
        control_outcomes = _control_outcomes(jobs, verdicts)
        if "timeout" in control_outcomes:  # tests that hang where nothing was changed prove nothing by hanging
            verdicts = {number: verdict for number, verdict in verdicts.items() if verdict.outcome != "timeout"}
        if not suite.is_complete:  # one of the tests that were not run might have noticed
            verdicts = {number: verdict for number, verdict in verdicts.items() if verdict.outcome == "killed"}
            unreached = []
        return TestsOnProgram(
            suite=suite,
            outcomes={
                self._ids[id(jobs[number].mutant)]: verdict
                for number, verdict in verdicts.items()
                if not jobs[number].is_control
            },
            unreached=frozenset(self._ids[id(mutant)] for mutant in unreached),
            has_noticed_control="killed" in control_outcomes,
        )

    def _equivalents(self) -> list[Mutant]:
        equivalents: list[Mutant] = []
        for path in {mutant.path for mutant in self._mutants}:
            equivalents += find_mutants(path, self._sources[path])[1]
        return equivalents


def _control_outcomes(jobs: Iterable[MutationJob], verdicts: Mapping[int, MutantVerdict]) -> set[str]:
    """What became of programs in which nothing was changed."""
    return {verdicts[number].outcome for number, job in enumerate(jobs) if job.is_control and number in verdicts}
