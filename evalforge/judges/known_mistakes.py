"""Explains failed trials by the fewest known mistakes: impostors of the pack that fail in the same way.

A mistake is in a submission if all trials that fail with it fail there, too, and say the same. Of a criterion most of
whose trials fail only a mistake is named that explains all of them, because a small signature is found there by chance.
"""

from collections.abc import Mapping, Sequence

from evalforge.model.base import Frozen
from evalforge.model.evidence import LOAD_GROUP, TrialResult
from evalforge.packs.impostors import Impostor, read_impostors
from evalforge.packs.known_mistakes import Signature, read_known_mistakes, symptom_of
from evalforge.packs.pack import BossPack

_MOST = 0.5
"""Above this share of failed trials, a criterion's mistakes aren't told apart."""


class Mistake(Frozen):
    """What is wrong with a submission.

    Attributes:
        ids: The impostors whose trials say the same; several if the trials can't tell them apart.
        owner: The criterion that is charged for it.
        clause: The heading of the contract's section that it breaks.
        fault: What is wrong, in one sentence; empty if only the clause is known.
        says: The contract's own words; empty if only the clause is known.
        riddle: A hint in other words; empty if only the clause is known.
        trials: The ids of the trials that it makes fail.
    """

    ids: tuple[str, ...]
    owner: str
    clause: str
    fault: str = ""
    says: str = ""
    riddle: str = ""
    trials: tuple[str, ...]


def find_mistakes(pack: BossPack, trials: Sequence[TrialResult]) -> tuple[Mistake, ...]:
    """Name the known mistakes that explain the failed trials, the one that explains most first.

    Args:
        pack: The boss; without known mistakes that still hold, nothing is named.
        trials: The results of all trials.

    Raises:
        PackError: The pack's impostors or known mistakes are invalid.
    """
    impostors, known = read_impostors(pack.path), read_known_mistakes(pack.path)
    if impostors is None or known is None:
        return ()
    failed = {trial.id: trial for trial in trials if not trial.passed and trial.group != LOAD_GROUP}
    blurred = _criteria_that_mostly_fail(pack, trials)
    candidates = [
        (impostor, known.signatures[impostor.id]) for impostor in impostors.impostors if impostor.id in known.signatures
    ]
    found = [
        (impostor, signature)
        for impostor, signature in candidates
        if _is_in(signature, failed) and (impostor.owner not in blurred or signature.keys() == failed.keys())
    ]
    mistakes: list[Mistake] = []
    unexplained = set(failed)
    while found:
        gains = [_gain(signature, unexplained) for _, signature in found]
        best = max(gains)
        if not best[0]:
            break
        explained = unexplained.intersection(found[gains.index(best)][1])
        alike = [
            impostor
            for (impostor, signature), gain in zip(found, gains, strict=True)
            if gain == best and unexplained.intersection(signature) == explained
        ]
        mistakes += _named(alike, tuple(trial for trial in failed if trial in explained))
        unexplained -= explained
    return tuple(mistakes)


def _criteria_that_mostly_fail(pack: BossPack, trials: Sequence[TrialResult]) -> set[str]:
    names: set[str] = set()
    for criterion in pack.rubric.criteria:
        groups = pack.rules.trial_groups(criterion.id)
        own = [trial for trial in trials if trial.is_in(groups)]
        if own and sum(not trial.passed for trial in own) > _MOST * len(own):
            names.add(criterion.id)
    return names


def _is_in(signature: Signature, failed: Mapping[str, TrialResult]) -> bool:
    """Whether all trials of a signature failed in the same way, and at least one says the same."""
    exact = [trial in failed and symptom == symptom_of(failed[trial]) for trial, symptom in signature.items()]
    same = [
        is_exact or (trial in failed and symptom == symptom_of(failed[trial], says=False))
        for is_exact, (trial, symptom) in zip(exact, signature.items(), strict=True)
    ]
    return any(exact) and all(same)


def _gain(signature: Signature, unexplained: set[str]) -> tuple[int, int]:
    """How many trials a mistake explains that nothing explains yet, and of how many it knows what they say."""
    explained = unexplained.intersection(signature)
    return len(explained), sum(":" in signature[trial] for trial in explained)


def _named(impostors: Sequence[Impostor], trials: tuple[str, ...]) -> list[Mistake]:
    """The mistake that impostors share; of several, only the clause; none if they break different ones."""
    first = impostors[0]
    ids = tuple(impostor.id for impostor in impostors)
    if len({impostor.fault for impostor in impostors}) == 1:
        words = {"fault": first.fault, "says": first.says, "riddle": first.riddle}
    else:
        words = {}
    if len({(impostor.owner, impostor.clause) for impostor in impostors}) > 1:
        return []
    return [Mistake(ids=ids, owner=first.owner, clause=first.clause, trials=trials, **words)]
