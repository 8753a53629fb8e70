"""Hashes each part that decides results, and names the parts that have changed since an earlier judging."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from evalforge.history.class_book import JudgingFingerprint, PastJudging
from evalforge.model.result import JudgeInfo
from evalforge.packs.fingerprint import files_below, short_hash
from evalforge.packs.impostors import FOLDER as IMPOSTORS_FOLDER
from evalforge.packs.pack import BossPack

_PART_NAMES = {"rubric": "rubric", "evidence": "evidence rules", "trials": "trials", "python": "interpreter"}


def judging_fingerprint(pack: BossPack, python: str = "") -> JudgingFingerprint:
    """Hash the parts of a boss that decide results.

    Args:
        pack: The boss.
        python: The interpreter chosen for the submissions' code; empty for ours.
    """
    return JudgingFingerprint(
        rubric=_hash([pack.rubric.model_dump_json().encode()]),
        evidence=_hash([pack.rules.model_dump_json().encode()]),
        # The impostors decide what a submission's tests are worth; a pack without impostors keeps its hash.
        trials=_hash([*_named_contents(pack.trials), *_named_contents(pack.path / IMPOSTORS_FOLDER)]),
        python=python,
    )


def _named_contents(folder: Path) -> Iterator[bytes]:
    for path in files_below(folder):
        yield str(path.relative_to(folder)).encode()
        yield path.read_bytes()


def _hash(parts: Iterable[bytes]) -> str:
    return short_hash(*(f"{len(part)}:".encode() + part for part in parts))


def changed_parts(
    previous: PastJudging, content_hash: str, judge: JudgeInfo, fingerprint: JudgingFingerprint
) -> tuple[str, ...]:
    """Name what has changed since an earlier judging; empty if nothing has.

    Args:
        previous: The earlier judging.
        content_hash: The current hash of the submission.
        judge: The current judge.
        fingerprint: The current parts of the boss.
    """
    changed = ["submission"] if previous.content_hash != content_hash else []
    for part, name in _PART_NAMES.items():
        if getattr(previous.fingerprint, part) != getattr(fingerprint, part):
            changed.append(name)
    return (*changed, "judge") if previous.judge != judge else tuple(changed)
