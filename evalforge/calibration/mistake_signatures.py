"""Measures what a boss's trials say about each of its impostors, and keeps it in the pack."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from evalforge.calibration.impostor_runs import PackPrograms, ProgramCache, ProgramRuns, read_programs
from evalforge.engine_pool import EnginePool
from evalforge.model.evidence import LOAD_GROUP, Evidence, TrialResult
from evalforge.packs.atomic_files import write_atomically
from evalforge.packs.known_mistakes import (
    FILE,
    KnownMistakes,
    Signature,
    read_known_mistakes,
    signature_key,
    symptom_of,
)
from evalforge.packs.pack import BossPack

_OTHER_KEY = "signatures"
"""Trials run a second time with what this key draws: what they say of other cases isn't part of a signature."""


async def keep_signatures(
    pack: BossPack, engines: EnginePool, state: Path, report: Callable[[str], None]
) -> KnownMistakes | None:
    """Measure the signatures of a boss's impostors, unless its file still holds; None if it has no impostors.

    Args:
        pack: A sound pack.
        engines: The engines that run the programs.
        state: EvalForge's state folder; evidence is kept there.
        report: Called with a line on what is being run.

    Raises:
        PackError: An impostor's change doesn't fit the program it is applied to.
        SandboxError: Code can't be run here.
        OSError: The pack can't be written.
    """
    mistakes = read_known_mistakes(pack.path)
    programs = read_programs(pack)
    if mistakes is not None or programs is None:
        return mistakes
    runs = [await _measure(pack, programs, key, engines, state, report) for key in ("", _OTHER_KEY)]
    ids = [impostor.id for impostor in programs.listed.impostors]
    signatures = {name: _signature(*(evidence[name].trials for evidence in runs)) for name in ids}
    mistakes = KnownMistakes(measured_with=signature_key(pack.path), signatures=signatures)
    write_atomically(pack.path / FILE, (json.dumps(mistakes.model_dump(mode="json"), indent=1) + "\n").encode())
    return mistakes


async def _measure(
    pack: BossPack,
    programs: PackPrograms,
    key: str,
    engines: EnginePool,
    state: Path,
    report: Callable[[str], None],
) -> Mapping[str, Evidence]:
    """The evidence of all impostors by id, with what a key draws; empty for the public one."""
    impostors = {impostor.id: programs.wrong[impostor.id] for impostor in programs.listed.impostors}
    return await ProgramRuns(pack, engines, ProgramCache(pack, state, key), report).measure(impostors)


def _signature(trials: tuple[TrialResult, ...], again: tuple[TrialResult, ...]) -> Signature:
    """The trials that failed both times, each with its message where that was the same."""
    by_id = {trial.id: trial for trial in again}
    pairs = [(trial, by_id[trial.id]) for trial in trials if trial.id in by_id and trial.group != LOAD_GROUP]
    return {
        trial.id: symptom_of(trial, says=symptom_of(trial) == symptom_of(other))
        for trial, other in pairs
        if not trial.passed and trial.outcome is other.outcome
    }
