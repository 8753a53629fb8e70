"""Which state calls share: found by putting it back where each call begins, so that a call that needs it misses it.

A cache is missed by nobody. That takes a trial that passes, so what only changes in trials that fail counts, too.
"""

from collections.abc import Sequence

from evalforge.evidence.effects.deciding_functions import unmeasured_facts
from evalforge.evidence.effects.replays import USABLE, Name, Observed, Replays, trials_in_turn
from evalforge.model.evidence import Fact, Finding, TrialResult

SHARED = "code.shared_state"
_WORDS = "outlives a call, and what one call leaves there can change what another does"
_MAX_OBSERVED, _MAX_FOUND, _MAX_TRIED = 8, 2, 6


def shared_state_fact(replays: Replays, results: Sequence[TrialResult]) -> Fact:
    """How many names of modules hold such state, up to a few; ``results`` are those of all trials."""
    if not replays.functions:
        return Fact(name=SHARED, value=0)
    turns = (replays.observe(trial, "blocks") for trial in trials_in_turn(results)[:_MAX_OBSERVED])
    observed = [again for again in turns if again is not None]
    if not observed:
        reason = "No trial could be run again, so nothing is known about what calls share."
        return unmeasured_facts([SHARED], reason)[0]
    shared, harmless, doubtful = dict[Name, None](), set[Name](), dict[Name, None]()
    for again in observed:
        changed = dict.fromkeys(name for notes in again.notes for name in notes.changed if name not in shared)
        if len(shared) < _MAX_FOUND and _are_missed(replays, again, [*changed]):
            missed = [name for name in [*changed][:_MAX_TRIED] if _are_missed(replays, again, [name])]
            shared |= dict.fromkeys(missed or changed)
        elif again.trial.passed:
            harmless |= changed.keys()
        else:
            doubtful |= changed
    shared |= dict.fromkeys(name for name in doubtful if name not in harmless)
    findings = [
        Finding(message=f"`{name}` {_WORDS}", path=path, line=replays.line_by_name.get((path, name)))
        for path, name in sorted([*shared][:_MAX_FOUND])
    ]
    return Fact(name=SHARED, value=len(findings), findings=tuple(findings))


def _are_missed(replays: Replays, again: Observed, names: Sequence[Name]) -> bool:
    """Whether a trial ends otherwise if the state of these names is put back, although it always ends the same."""
    if not names:
        return False
    outcome = replays.put_back(again, names)
    differs = outcome.ended in USABLE and outcome != again.outcome
    return differs and replays.put_back(again, ()) == again.outcome
