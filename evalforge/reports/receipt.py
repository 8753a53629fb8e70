"""Receipts: a hash over what was judged, with which rubric, by whom, and the result; anybody can recompute it."""

import base64
import hashlib
import json
from collections.abc import Iterator
from typing import Any

from evalforge.model.attempt import Attempt, AttemptRow
from evalforge.model.base import Frozen
from evalforge.model.events import Judged
from evalforge.model.exact_numbers import to_fraction

_VERSION = "evalforge-receipt-1"
_RESULT_FIELDS = ("boss_id", "rubric_id", "score_total", "score_max", "passed", "integrity", "verdict", "criteria")
_RESULT_WORDS = ("summary", "improvements", "raw_notes")
_JUDGE_FIELDS = ("name", "model", "version")
_CODE_BYTES = 10


class Receipt(Frozen):
    """SHA-256 of each part of a judging, in hex. Kept separate so that a mismatch can be named.

    Attributes:
        submission: The submitted files and notes.
        rubric: The measuring instrument: rubric, rules and trials.
        judge: Name, model and version.
        result: The whole result, words included.
    """

    submission: str
    rubric: str
    judge: str
    result: str

    @property
    def sha256(self) -> str:
        """The hash over all parts, in hex."""
        return _sha256(_VERSION, self.submission, self.rubric, self.judge, self.result)

    @property
    def code(self) -> str:
        """The first 80 bits of ``sha256`` in readable form: four groups of four letters and digits."""
        letters = base64.b32encode(bytes.fromhex(self.sha256)[:_CODE_BYTES]).decode()
        return "-".join(letters[start : start + 4] for start in range(0, len(letters), 4))


class Mismatch(Frozen):
    """A difference between a stored attempt and what it should be."""

    part: str
    words: str


def make_receipt(content_hash: str, rubric_hash: str, judge: dict[str, Any], result: dict[str, Any]) -> Receipt:
    """Compute the receipt of a judging from its parts as plain JSON data.

    Args:
        content_hash: The submission's hash.
        rubric_hash: The hash of the boss's rubric, rules and trials.
        judge: A ``JudgeInfo`` as data.
        result: A ``BossEvalResult`` as data.
    """
    fields = (*_RESULT_FIELDS, *_RESULT_WORDS)
    return Receipt(
        submission=_sha256("submission", content_hash),
        rubric=_sha256("rubric", rubric_hash),
        judge=_sha256("judge", _canonical({name: judge.get(name, "") for name in _JUDGE_FIELDS})),
        result=_sha256("result", _canonical({name: result.get(name) for name in fields})),
    )


def receipt_of(attempt: Attempt) -> Receipt | None:
    """Compute the receipt of an attempt from its own parts, hashing its files again; None if it was not judged."""
    if attempt.result is None:
        return None
    return make_receipt(
        attempt.submission.content_hash,
        attempt.rubric_hash,
        attempt.judge.model_dump(mode="json"),
        attempt.result.model_dump(mode="json"),
    )


def audit(attempt: Attempt, row: AttemptRow, stored_receipt: Receipt | None) -> tuple[Mismatch, ...]:
    """Return the inconsistencies of a stored, judged attempt; empty if there are none.

    Args:
        attempt: The attempt as it is stored now.
        row: Its line in lists, which is stored separately.
        stored_receipt: The receipt written when it was judged.
    """
    return tuple(_mismatches(attempt, row, stored_receipt))


def _mismatches(attempt: Attempt, row: AttemptRow, stored: Receipt | None) -> Iterator[Mismatch]:
    result, recomputed = attempt.result, receipt_of(attempt)
    if result is None or recomputed is None or stored is None:
        yield Mismatch(part="receipt", words="This attempt has no receipt.")
        return
    for part, words in (
        ("submission", "The stored files or notes are not those that were judged."),
        ("rubric", "The hash of the rubric is not the one it was judged by."),
        ("judge", "The judge named here is not the one that judged."),
        ("result", "The stored result is not the one that was given."),
    ):
        if getattr(recomputed, part) != getattr(stored, part):
            yield Mismatch(part=part, words=words)
    total = sum((to_fraction(criterion.score) for criterion in result.criteria), to_fraction(0))
    if total != to_fraction(result.score_total):
        yield Mismatch(part="sum", words=f"The criteria add up to {float(total):g}, not to {result.score_total:g}.")
    shown_values = (row.score_total, row.score_max, row.integrity, row.verdict, row.content_hash)
    judged_values = (result.score_total, result.score_max, result.integrity, result.verdict.value)
    if shown_values != (*judged_values, attempt.submission.content_hash):
        yield Mismatch(part="list", words="Its entry in the list of attempts shows something else.")
    if [event.result for event in attempt.events if isinstance(event, Judged)] != [result]:
        yield Mismatch(part="events", words="The stored events of the fight end in another result.")


def _canonical(data: Any) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def _sha256(*parts: str) -> str:
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(f"{len(raw)}:".encode() + raw)
    return digest.hexdigest()
