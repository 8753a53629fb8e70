"""Evidence of submissions that were judged before, valid as long as files, trials, engine and key are the same."""

import shutil
import sysconfig
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from evalforge.evidence_cache import EvidenceCache, hash_of_what_runs
from evalforge.model.events import Event, FactMeasured, ImpostorMet, TrialFinished, TrialsPlanned
from evalforge.model.evidence import LOAD_GROUP, Evidence
from evalforge.packs.locations import state_folder
from evalforge.packs.pack import BossPack


def kept_measurements(pack: BossPack, python: str, *conditions: object) -> EvidenceCache:
    """Return the cached evidence under one boss and one set of conditions.

    Args:
        pack: The boss.
        python: The interpreter for the player's code; ours if empty.
        conditions: Whatever else decides what is measured: the trials' seed, the isolation, what is hidden.
    """
    about = "\0".join(map(str, ("fight", hash_of_what_runs(pack), *_libraries(python), *conditions)))
    return EvidenceCache(state_folder(), about)


def measurement_events(evidence: Evidence) -> Iterator[Event]:
    """Yield evidence as its original events: the result of loading, the plan, then everything else."""
    loading = [trial for trial in evidence.trials if trial.group == LOAD_GROUP]
    asking = [trial for trial in evidence.trials if trial.group != LOAD_GROUP]
    yield from (TrialFinished(trial=trial) for trial in loading)
    yield TrialsPlanned(groups=dict(Counter(trial.group for trial in asking)))
    yield from (TrialFinished(trial=trial) for trial in asking)
    yield from (ImpostorMet(impostor=impostor) for impostor in evidence.impostors)
    yield from (FactMeasured(fact=fact) for fact in evidence.facts)


def _libraries(python: str) -> Iterator[str]:
    """Yield the interpreter and its library folders, each with its last change: installing a library changes one."""
    if not python:
        yield _changed_at(Path(sysconfig.get_path("purelib")))
        return
    program = Path(shutil.which(python) or python)
    yield _changed_at(program)
    for folder in sorted(program.absolute().parent.parent.glob("lib*/python*/site-packages")):
        yield _changed_at(folder)


def _changed_at(path: Path) -> str:
    with suppress(OSError):
        return f"{path} {path.stat().st_mtime_ns}"
    return str(path)
