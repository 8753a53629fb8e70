"""Explains failed trials by the fewest known mistakes: impostors of the pack that fail in the same way.

A mistake is in a submission if all trials that fail with it fail there, too, and say the same. Where more fails than
that, another fault may look like it: a single trial then names only the section of the contract. Of a criterion most of
whose trials fail only a mistake is named that explains all of them, because a small signature is found there by chance.
"""

import re
from collections.abc import Collection, Mapping, Sequence

from evalforge.model.evidence import LOAD_GROUP, TrialResult
from evalforge.model.reason import Mistake
from evalforge.packs.impostors import Impostor
from evalforge.packs.known_mistakes import Signature, symptom_of
from evalforge.packs.pack import BossPack

_CERTAIN = 2
"""So many trials have to say the same as with a known mistake; fewer name only the broken section of the contract,
unless nothing else fails in its criterion, or no other known mistake makes one of them fail."""
_MOST = 0.5
"""Above this share of failed trials, a criterion's mistakes can't be distinguished."""
_CODE_NAME = re.compile(r"^[a-z_]+(?:\([^)]*\)|=\w+)?(?=\s)")
"""Matches a name of the contract at the start of a fault, which else starts with a capital."""
Symptoms = Mapping[str, tuple[str, str]]
"""How each failed trial ended, with and without what it said, by its id."""


def find_mistakes(pack: BossPack, trials: Sequence[TrialResult]) -> tuple[Mistake, ...]:
    """Name the known mistakes that explain the failed trials, the one that explains most first.

    Args:
        pack: The boss; without known mistakes that still hold, nothing is named.
        trials: The results of all trials.
    """
    failed = {trial.id: trial for trial in trials if not trial.passed and trial.group != LOAD_GROUP}
    if not failed or not pack.known_mistakes:
        return ()
    symptoms = {name: (symptom_of(trial), symptom_of(trial, says=False)) for name, trial in failed.items()}
    blurred = _criteria_that_mostly_fail(pack, trials)
    candidates = [
        mistake
        for mistake in pack.known_mistakes
        if _is_in(mistake.signature, symptoms)
        and (mistake.impostor.owner not in blurred or mistake.signature.keys() == failed.keys())
    ]
    mistakes: list[Mistake] = []
    doubtful: set[str] = set()
    unexplained = set(failed)
    while candidates:
        gains = [_gain(mistake.signature, unexplained) for mistake in candidates]
        best = max(gains)
        if not best[0]:
            break
        explained = unexplained.intersection(candidates[gains.index(best)].signature)
        alike = [
            mistake.impostor
            for mistake, gain in zip(candidates, gains, strict=True)
            if gain == best and unexplained.intersection(mistake.signature) == explained
        ]
        mistakes += _named(alike, [trial for name, trial in failed.items() if name in explained])
        if best[1] < _CERTAIN and not _are_alone(pack, explained, {impostor.id for impostor in alike}):
            doubtful.update(impostor.id for impostor in alike)
        unexplained -= explained
    unclear = _criteria_of(pack, [failed[name] for name in unexplained])
    return tuple(
        _clause_alone(mistake) if mistake.owner in unclear and mistake.ids[0] in doubtful else mistake
        for mistake in mistakes
    )


def _criteria_that_mostly_fail(pack: BossPack, trials: Sequence[TrialResult]) -> set[str]:
    names: set[str] = set()
    for criterion in pack.rubric.criteria:
        groups = pack.rules.trial_groups(criterion.id)
        own = [trial for trial in trials if trial.is_in(groups)]
        if own and sum(not trial.passed for trial in own) > _MOST * len(own):
            names.add(criterion.id)
    return names


def _is_in(signature: Signature, symptoms: Symptoms) -> bool:
    """Whether all trials of a signature failed in the same way, and at least one says the same."""
    seen = [(symptom, symptoms.get(trial, ())) for trial, symptom in signature.items()]
    return all(symptom in own for symptom, own in seen) and any(own and symptom == own[0] for symptom, own in seen)


def _gain(signature: Signature, unexplained: set[str]) -> tuple[int, int]:
    """How many trials a mistake explains that nothing explains yet, and of how many it knows what they say."""
    explained = unexplained.intersection(signature)
    return len(explained), sum(":" in signature[trial] for trial in explained)


def _are_alone(pack: BossPack, trials: Collection[str], ids: Collection[str]) -> bool:
    """Whether one of these trials fails with no other known mistake."""
    failing = [
        {mistake.impostor.id for mistake in pack.known_mistakes if trial in mistake.signature} for trial in trials
    ]
    return any(names <= set(ids) for names in failing)


def _criteria_of(pack: BossPack, trials: Sequence[TrialResult]) -> set[str]:
    """The ids of the criteria that these trials belong to."""
    groups = {criterion.id: pack.rules.trial_groups(criterion.id) for criterion in pack.rubric.criteria}
    return {name for name, own in groups.items() if any(trial.is_in(own) for trial in trials)}


def _named(impostors: Sequence[Impostor], trials: Sequence[TrialResult]) -> list[Mistake]:
    """The mistake that impostors share; of several, only the clause; none if they break different ones."""
    first = impostors[0]
    if len({(impostor.owner, impostor.clause) for impostor in impostors}) > 1:
        return []
    ids, titles = tuple(impostor.id for impostor in impostors), tuple(trial.title for trial in trials)
    shared = Mistake(ids=ids, owner=first.owner, clause=first.clause, trials=titles)
    if len({impostor.fault for impostor in impostors}) > 1:
        return [shared]
    fault = _CODE_NAME.sub(r"`\g<0>`", first.fault)
    advice = next((trial.advice for trial in trials if trial.advice), "")
    words = {"fault": fault, "says": first.says, "riddle": first.riddle, "why": first.why, "advice": advice}
    return [shared.model_copy(update=words)]


def _clause_alone(mistake: Mistake) -> Mistake:
    """A mistake of which only the broken section of the contract is said."""
    return Mistake(ids=mistake.ids, owner=mistake.owner, clause=mistake.clause, trials=mistake.trials)
