"""Hashes what decides results, part by part, and names the parts that have changed since an earlier judging."""

from collections.abc import Iterable

from evalforge.history.class_book import JudgingFingerprint, PastJudging
from evalforge.model.result import JudgeInfo
from evalforge.packs.fingerprint import files_below, short_hash
from evalforge.packs.pack import BossPack

_PART_NAMES = {"rubric": "rubric", "evidence": "evidence rules", "trials": "trials", "python": "interpreter"}


def judging_fingerprint(pack: BossPack, python: str = "") -> JudgingFingerprint:
    """Hash the parts of a boss that decide results.

    Args:
        pack: The boss.
        python: The interpreter named for the hand-ins' code; empty for ours.
    """
    trial_files = files_below(pack.trials)
    return JudgingFingerprint(
        rubric=_hash([pack.rubric.model_dump_json().encode()]),
        evidence=_hash([pack.rules.model_dump_json().encode()]),
        trials=_hash(
            part for path in trial_files for part in (str(path.relative_to(pack.trials)).encode(), path.read_bytes())
        ),
        python=python,
    )


def _hash(parts: Iterable[bytes]) -> str:
    return short_hash(*(f"{len(part)}:".encode() + part for part in parts))


def changed_parts(
    past: PastJudging, content_hash: str, judge: JudgeInfo, fingerprint: JudgingFingerprint
) -> tuple[str, ...]:
    """Name what has changed since an earlier judging; empty if nothing has.

    Args:
        past: The earlier judging.
        content_hash: Hash of the hand-in now.
        judge: The judge now.
        fingerprint: The parts of the boss now.
    """
    changed = ["submission"] if past.content_hash != content_hash else []
    for part, name in _PART_NAMES.items():
        if getattr(past.fingerprint, part) != getattr(fingerprint, part):
            changed.append(name)
    return (*changed, "judge") if past.judge != judge else tuple(changed)
