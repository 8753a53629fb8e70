"""What measures a class, part by part, and what has changed when a result did."""

import hashlib
from collections.abc import Iterable

from evalforge.history.classes import Instrument, Sitting
from evalforge.library.contents import files_below
from evalforge.library.pack import BossPack
from evalforge.model.result import JudgeInfo

_PARTS = {"rubric": "rubric", "evidence": "evidence rules", "trials": "trials", "python": "interpreter"}


def instrument_of(pack: BossPack, python: str = "") -> Instrument:
    """The hashes of a boss's measuring instrument."""
    files = files_below(pack.trials)
    return Instrument(
        rubric=_hash([pack.rubric.model_dump_json().encode()]),
        evidence=_hash([pack.rules.model_dump_json().encode()]),
        trials=_hash(
            part for path in files for part in (str(path.relative_to(pack.trials)).encode(), path.read_bytes())
        ),
        python=python,
    )


def _hash(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part)}:".encode() + part)
    return digest.hexdigest()[:16]


def causes(before: Sitting, content_hash: str, judge: JudgeInfo, instrument: Instrument) -> tuple[str, ...]:
    """What differs between an earlier judging and one that is to be; empty if nothing does.

    Args:
        before: The earlier one.
        content_hash: Of the hand-in now.
        judge: Who judges now.
        instrument: What measures now.
    """
    found = ["submission"] if before.content_hash != content_hash else []
    found += [words for name, words in _PARTS.items() if getattr(before.instrument, name) != getattr(instrument, name)]
    return (*found, "judge") if before.judge != judge else tuple(found)
