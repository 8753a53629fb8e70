"""Strict parsing of a model's reply.

A score must be one of the rubric's own, every criterion must appear once, and duplicate keys or NaN are refused.
Malformed improvements and quotes are dropped.
"""

import re
import textwrap
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from evalforge.llm.retry import MAX_REPLY_CHARS
from evalforge.model.claim import Claim
from evalforge.model.exact_numbers import is_finite, to_fraction
from evalforge.model.rubric import BossRubric, Criterion
from evalforge.model.text import clean, clean_line

_MAX_COMMENT_CHARS = 1_200
_MAX_NOTES_CHARS = 4_000
_MAX_QUOTE_CHARS = 600
_MAX_QUOTES = 6
_MAX_LINE_NUMBER = 10**7
_MAX_IMPROVEMENTS = 5
_MAX_IMPROVEMENT_CHARS = 500
_MAX_SENTENCES = 4
MAX_CLAIMS = 3
"""How many claims are run for one criterion at most."""
_MAX_CLAIM_CHARS = 400
_MAX_TEST_CHARS = 10_000
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'(`_])")
_FENCE = re.compile(r"```[A-Za-z]*\s*\n(.*?)```", re.DOTALL)


class ReplyError(ValueError):
    """The reply is malformed. The message is written for the model, which may fix it."""


@dataclass(frozen=True)
class Quote:
    """A line that a model says is in the submission."""

    path: str
    line: int
    text: str


@dataclass(frozen=True)
class LevelChoice:
    """A model's choice of a level for one criterion. ``score`` is one of the rubric's own numbers."""

    criterion_id: str
    quotes: tuple[Quote, ...]
    comment: str
    score: int | float
    uncertain: bool
    contradiction: str = ""
    """The model's objection to the limit of the criterion's level; empty if none."""
    claims: tuple[Claim, ...] = ()
    """Faults that the model says its tests show."""


@dataclass(frozen=True)
class Improvement:
    """A suggestion, and the criterion it would help; that is empty if the model named none."""

    text: str
    criterion_id: str = ""


@dataclass(frozen=True)
class Reply:
    """A whole parsed reply. ``unknown_criteria`` are ids that the rubric doesn't have."""

    choices: dict[str, LevelChoice]
    summary: str
    improvements: tuple[Improvement, ...]
    notes: str
    unknown_criteria: tuple[str, ...] = ()


def parse_json_object(text: str) -> dict[str, Any]:
    """Parse the one JSON object in a reply. A fence is accepted; repeated keys, NaN or a second object aren't.

    Raises:
        ReplyError: There is no such object.
    """
    import jiter

    fences = _FENCE.findall(text)
    body = (fences[0] if len(fences) == 1 else text).strip()
    begin, end = body.find("{"), body.rfind("}")
    if begin < 0 or end < begin:
        raise ReplyError("it holds no JSON object")
    try:
        raw = body[begin : end + 1].encode("utf-8", "replace")
        data = jiter.from_json(raw, allow_inf_nan=False, catch_duplicate_keys=True)
    except ValueError as error:
        raise ReplyError(f"it is not one valid JSON object ({clean_line(str(error), cap=160)})") from None
    if not isinstance(data, dict):
        raise ReplyError("it is not a JSON object")
    return cast("dict[str, Any]", data)


def read_reply(text: str, rubric: BossRubric, ids: Iterable[str] | None = None) -> Reply:
    """Read a model's reply, refusing what doesn't fit the form.

    Args:
        text: What the model wrote.
        rubric: The boss's rubric.
        ids: The criteria that were asked for; all of the rubric's if None.

    Raises:
        ReplyError: A criterion is missing, a score isn't a level of its criterion, or the reply is malformed.
    """
    if len(text) > MAX_REPLY_CHARS:
        raise ReplyError(f"it is longer than {MAX_REPLY_CHARS:,} characters")
    data = parse_json_object(text)
    criterion_ids = list(ids) if ids is not None else [criterion.id for criterion in rubric.criteria]
    replies = _criteria_by_id(data.get("criteria"))
    missing = [name for name in criterion_ids if name not in replies]
    if missing:
        raise ReplyError(f"these criteria are missing: {', '.join(missing)}")
    rubric_ids = {criterion.id for criterion in rubric.criteria}
    return Reply(
        choices={name: read_choice(rubric.criterion(name), replies[name]) for name in criterion_ids},
        summary=_summary(data.get("summary")),
        improvements=_improvements(data.get("improvements"), rubric_ids),
        notes=clean(_text_or_empty(data.get("raw_notes")), total_cap=_MAX_NOTES_CHARS).strip(),
        unknown_criteria=tuple(clean_line(name, cap=80) for name in replies if name not in rubric_ids),
    )


def _criteria_by_id(criteria: object) -> Mapping[str, Any]:
    """The criteria of a reply by id; a list of objects with ids, as in a ``BossEvalResult``, is accepted too.

    Raises:
        ReplyError: They are neither, or an id appears twice.
    """
    if isinstance(criteria, Mapping):
        return cast("Mapping[str, Any]", criteria)
    entries = cast("list[Any]", criteria) if isinstance(criteria, list) else []
    by_id: dict[str, Any] = {}
    for entry in entries:
        criterion_id = cast("Mapping[str, Any]", entry).get("id") if isinstance(entry, Mapping) else None
        if not isinstance(criterion_id, str):
            raise ReplyError("criteria must be an object keyed by criterion id")
        if criterion_id in by_id:
            raise ReplyError(f"{criterion_id} is there twice")
        by_id[criterion_id] = entry
    if not by_id:
        raise ReplyError("criteria must be an object keyed by criterion id")
    return by_id


def read_choice(criterion: Criterion, data: object) -> LevelChoice:
    """Parse one criterion's part of a reply.

    Raises:
        ReplyError: It isn't an object, has no comment, or its score isn't a level of the criterion.
    """
    if not isinstance(data, Mapping):
        raise ReplyError(f"criteria.{criterion.id} must be an object with evidence, comment, score and uncertain")
    fields = cast("Mapping[str, Any]", data)
    comment = clean(_text_or_empty(fields.get("comment")), total_cap=_MAX_COMMENT_CHARS).strip()
    if not comment:
        raise ReplyError(f"criteria.{criterion.id}.comment must be a text")
    uncertain = fields.get("uncertain")
    return LevelChoice(
        criterion_id=criterion.id,
        quotes=_quotes(fields.get("evidence")),
        comment=comment,
        score=_rubric_score(criterion, fields.get("score")),
        # A model that leaves it out doesn't claim to be sure.
        uncertain=uncertain is not False,
        contradiction=clean_line(_text_or_empty(fields.get("contradicts_limit")).strip(), cap=_MAX_IMPROVEMENT_CHARS),
        claims=_claims(criterion.id, fields.get("claims")),
    )


def _rubric_score(criterion: Criterion, score: object) -> int | float:
    """The rubric's own number for a score; ``true`` isn't accepted as 1, and nothing is rounded."""
    if isinstance(score, int | float) and not isinstance(score, bool) and is_finite(score):
        for level in criterion.levels:
            if to_fraction(level.score) == to_fraction(score):
                return level.score
    levels = ", ".join(f"{level.score:g}" for level in criterion.levels)
    raise ReplyError(f"criteria.{criterion.id}.score must be one of {levels}, not {clean_line(repr(score), cap=40)}")


def _quotes(evidence: object) -> tuple[Quote, ...]:
    """The quotes that have a path, a line number and a text; malformed ones are dropped."""
    if not isinstance(evidence, list):
        return ()
    quotes: list[Quote] = []
    for entry in cast("list[object]", evidence)[:_MAX_QUOTES]:
        if not isinstance(entry, Mapping):
            continue
        fields = cast("Mapping[str, Any]", entry)
        path, text, line = fields.get("path"), fields.get("quote"), fields.get("line")
        # Without a line number nobody can check where a quote comes from.
        if not isinstance(line, int) or isinstance(line, bool) or not 0 < line <= _MAX_LINE_NUMBER:
            continue
        if isinstance(path, str) and isinstance(text, str) and text.strip():
            quotes.append(Quote(clean_line(path), line, clean(text[:_MAX_QUOTE_CHARS])))
    return tuple(quotes)


def _claims(criterion_id: str, value: object) -> tuple[Claim, ...]:
    """The claims that have a fault and a test; malformed ones are dropped."""
    claims: list[Claim] = []
    for entry in cast("list[object]", value) if isinstance(value, list) else []:
        if not isinstance(entry, Mapping):
            continue
        fields = cast("Mapping[str, Any]", entry)
        fault = clean_line(_text_or_empty(fields.get("fault")).strip(), cap=_MAX_CLAIM_CHARS)
        contract = clean_line(_text_or_empty(fields.get("contract")).strip(), cap=_MAX_CLAIM_CHARS)
        test = textwrap.dedent(clean(_text_or_empty(fields.get("test")), total_cap=_MAX_TEST_CHARS)).strip()
        if fault and test:
            claims.append(Claim(criterion_id=criterion_id, fault=fault, contract=contract, test=test + "\n"))
    return tuple(claims[:MAX_CLAIMS])


def _text_or_empty(value: object) -> str:
    return value if isinstance(value, str) else ""


def sentences(text: str) -> list[str]:
    """Split a text into sentences, with single spaces."""
    return [part.strip() for part in _SENTENCE_END.split(" ".join(text.split())) if part.strip()]


def _summary(value: object) -> str:
    return " ".join(sentences(clean(_text_or_empty(value), total_cap=_MAX_COMMENT_CHARS))[:_MAX_SENTENCES])


def _improvements(value: object, rubric_ids: Collection[str]) -> tuple[Improvement, ...]:
    """The suggestions, each a text or an object with text and criterion; anything else is dropped."""
    if not isinstance(value, list):
        return ()
    improvements: dict[str, Improvement] = {}
    for entry in cast("list[object]", value):
        fields = cast("Mapping[str, Any]", entry) if isinstance(entry, Mapping) else {"text": entry}
        text = clean_line(_text_or_empty(fields.get("text")).strip(), cap=_MAX_IMPROVEMENT_CHARS)
        criterion_id = _text_or_empty(fields.get("criterion"))
        if text:
            improvements.setdefault(text, Improvement(text, criterion_id if criterion_id in rubric_ids else ""))
    return tuple(improvements.values())[:_MAX_IMPROVEMENTS]
