"""The player's tests on a boss's right programs and impostors: facts, and what became of each impostor."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evalforge.evidence.impostors.examination import ImpostorExamination
from evalforge.evidence.impostors.facts import impostor_facts, unmeasured_impostor_facts
from evalforge.evidence.impostors.suite_runs import Standing
from evalforge.model.boss import BossDefinition
from evalforge.model.errors import EvalForgeError
from evalforge.model.evidence import Fact, ImpostorResult
from evalforge.model.submission import Submission
from evalforge.packs.document import read_document
from evalforge.packs.impostors import impostors_file
from evalforge.packs.path_checks import boss_file, is_file
from evalforge.sandbox.player_test_host import PlayerTestHost

_PROGRAMS_NEED = (3, 11)
_OLD_PYTHON = "The boss's own programs need Python 3.11 or newer."
_NO_IMPOSTORS = "This boss has no impostors."
_INNER_FACTOR = 3
_NO_TESTS = "There are no tests."
_NOT_RUN = "The tests could not be run on other programs."


@dataclass(frozen=True)
class ImpostorSource:
    """Where impostors come from: the boss's folder, and the names its program may be started by."""

    pack: Path
    entry_files: tuple[str, ...]


@dataclass(frozen=True)
class ImpostorMeasurement:
    """What the tests made of the boss's programs.

    Attributes:
        facts: Facts about the tests.
        results: What became of each impostor.
        needs_mutants: Many tests met no impostor, so mutants of the player's own program say what those are worth.
    """

    facts: tuple[Fact, ...]
    results: tuple[ImpostorResult, ...] = ()
    needs_mutants: bool = True


def meet_impostors(
    hosts: Sequence[PlayerTestHost], submission: Submission, source: ImpostorSource | None
) -> ImpostorMeasurement:
    """Run a submission's tests on every right program of a boss, and on the impostors among them.

    Args:
        hosts: Hosts of one interpreter that the tests run in, free.
        submission: What was handed in; its own program is left out.
        source: The boss, if there is one.
    """
    if source is None or not is_file(impostors_file(source.pack)):
        return ImpostorMeasurement(unmeasured_impostor_facts(_NO_IMPOSTORS))
    if hosts[0].version < _PROGRAMS_NEED:
        return ImpostorMeasurement(unmeasured_impostor_facts(_OLD_PYTHON))
    try:
        examination = ImpostorExamination(hosts, submission, source.pack, source.entry_files, _contract(source.pack))
        if not examination.has_tests:
            return ImpostorMeasurement(unmeasured_impostor_facts(_NO_TESTS))
        run = examination.run()
    except EvalForgeError as error:
        return ImpostorMeasurement(unmeasured_impostor_facts(f"{_NOT_RUN[:-1]}: {error}"))
    if run is None:
        return ImpostorMeasurement(unmeasured_impostor_facts(_NOT_RUN))
    facts = impostor_facts(run)
    standings = Counter(run.standings.values())
    is_measured = any(fact.name == "tests.unmasked" and fact.value is not None for fact in facts)
    needs_mutants = not is_measured or standings[Standing.INNER] * _INNER_FACTOR > standings[Standing.CONTRACT]
    return ImpostorMeasurement(facts, run.results, needs_mutants)


def _contract(pack: Path) -> str:
    path = boss_file(pack)
    return read_document(path).parse(BossDefinition).metadata.contract if path else ""
