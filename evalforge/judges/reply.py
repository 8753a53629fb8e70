"""A model's reply: the form it must have, and what remains of it after a strict reading."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from evalforge.model.numbers import exact, is_finite
from evalforge.model.rubric import BossRubric, Criterion
from evalforge.model.text import clean, clean_line

REPLY_CAP = 200_000
"""Characters of the longest reply that is read."""
_COMMENT_CAP = 1_200
_NOTES_CAP = 4_000
_QUOTE_CAP = 600
_QUOTES_KEPT = 6
_LAST_LINE = 10**7
_IMPROVEMENTS = 5
_SENTENCES = 4
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'(`_])")
_FENCE = re.compile(r"```[A-Za-z]*\s*\n(.*?)```", re.DOTALL)


class ReplyError(ValueError):
    """The reply doesn't have the form. Its message is written for the model that will mend it."""


@dataclass(frozen=True)
class Quote:
    """A line a model says is in the submission."""

    path: str
    line: int
    text: str


@dataclass(frozen=True)
class Choice:
    """What a model chose for one criterion. ``score`` is one of the rubric's own numbers."""

    criterion_id: str
    quotes: tuple[Quote, ...]
    comment: str
    score: int | float
    uncertain: bool


@dataclass(frozen=True)
class Reply:
    """A whole reply, read strictly. ``unknown`` names criteria the rubric doesn't have; they count for nothing."""

    choices: dict[str, Choice]
    summary: str
    improvements: tuple[str, ...]
    notes: str
    unknown: tuple[str, ...] = ()


def schema_for(rubric: BossRubric, ids: Iterable[str] | None = None) -> dict[str, Any]:
    """The form of a reply: an object keyed by criterion id, so none can be missing, doubled or invented.

    The order of fields is the order of thought: evidence, comment, then the score.
    """
    wanted = list(ids) if ids is not None else [criterion.id for criterion in rubric.criteria]
    return _object({
        "criteria": _object({name: _criterion_schema(rubric.criterion(name)) for name in wanted}),
        "summary": {"type": "string"},
        "improvements": {"type": "array", "items": {"type": "string"}},
        "raw_notes": {"type": "string"},
    })  # fmt: skip


def _criterion_schema(criterion: Criterion) -> dict[str, Any]:
    quote = _object({"path": {"type": "string"}, "line": {"type": "integer"}, "quote": {"type": "string"}})
    return _object({
        "evidence": {"type": "array", "items": quote},
        "comment": {"type": "string"},
        "score": {"type": "number", "enum": [level.score for level in criterion.levels]},
        "uncertain": {"type": "boolean"},
    })  # fmt: skip


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def load(text: str) -> dict[str, Any]:
    """The one JSON object in a reply. A fence around it is forgiven; a key given twice, NaN or a second object is not.

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


def read(text: str, rubric: BossRubric, ids: Iterable[str] | None = None) -> Reply:
    """Read a reply strictly.

    Args:
        text: What the model wrote.
        rubric: Of the boss that is judged.
        ids: The criteria that are wanted; all of the rubric's if None.

    Raises:
        ReplyError: A wanted criterion is missing, a score is no level of its criterion, or the form is another one.
    """
    if len(text) > REPLY_CAP:
        raise ReplyError(f"it is longer than {REPLY_CAP:,} characters")
    data = load(text)
    wanted = list(ids) if ids is not None else [criterion.id for criterion in rubric.criteria]
    given = data.get("criteria")
    if not isinstance(given, Mapping):
        raise ReplyError("criteria must be an object keyed by criterion id")
    found = cast("Mapping[str, Any]", given)
    missing = [name for name in wanted if name not in found]
    if missing:
        raise ReplyError(f"these criteria are missing: {', '.join(missing)}")
    known = {criterion.id for criterion in rubric.criteria}
    return Reply(
        choices={name: choice(rubric.criterion(name), found[name]) for name in wanted},
        summary=_summary(data.get("summary")),
        improvements=_improvements(data.get("improvements")),
        notes=clean(_text(data.get("raw_notes")), total_cap=_NOTES_CAP).strip(),
        unknown=tuple(clean_line(name, cap=80) for name in found if name not in known),
    )


def choice(criterion: Criterion, data: object) -> Choice:
    """One criterion's part of a reply.

    Raises:
        ReplyError: It isn't an object, has no comment, or its score is no level of the criterion.
    """
    if not isinstance(data, Mapping):
        raise ReplyError(f"{criterion.id} must be an object with evidence, comment, score and uncertain")
    fields = cast("Mapping[str, Any]", data)
    comment = clean(_text(fields.get("comment")), total_cap=_COMMENT_CAP).strip()
    if not comment:
        raise ReplyError(f"{criterion.id} needs a comment")
    uncertain = fields.get("uncertain")
    return Choice(
        criterion_id=criterion.id,
        quotes=_quotes(fields.get("evidence")),
        comment=comment,
        score=_level(criterion, fields.get("score")),
        # Who leaves it out has not said that it is sure.
        uncertain=uncertain is not False,
    )


def _level(criterion: Criterion, given: object) -> int | float:
    """The rubric's own number for a score; ``true`` is no number, and nothing is rounded."""
    if isinstance(given, int | float) and not isinstance(given, bool) and is_finite(given):
        for level in criterion.levels:
            if exact(level.score) == exact(given):
                return level.score
    levels = ", ".join(f"{level.score:g}" for level in criterion.levels)
    raise ReplyError(f"the score of {criterion.id} must be one of {levels}, not {clean_line(repr(given), cap=40)}")


def _quotes(given: object) -> tuple[Quote, ...]:
    """The quotes that have a path, the number of a line and a text; what is malformed is no evidence."""
    if not isinstance(given, list):
        return ()
    found: list[Quote] = []
    for entry in cast("list[object]", given)[:_QUOTES_KEPT]:
        if not isinstance(entry, Mapping):
            continue
        fields = cast("Mapping[str, Any]", entry)
        path, text, line = fields.get("path"), fields.get("quote"), fields.get("line")
        # Without a line there is no telling whether the quote is from where the comment says it is.
        if not isinstance(line, int) or isinstance(line, bool) or not 0 < line <= _LAST_LINE:
            continue
        if isinstance(path, str) and isinstance(text, str) and text.strip():
            found.append(Quote(clean_line(path), line, clean(text[:_QUOTE_CAP])))
    return tuple(found)


def _text(given: object) -> str:
    return given if isinstance(given, str) else ""


def sentences(text: str) -> list[str]:
    """A text as its sentences."""
    return [part.strip() for part in _SENTENCE_END.split(" ".join(text.split())) if part.strip()]


def _summary(given: object) -> str:
    return " ".join(sentences(clean(_text(given), total_cap=_COMMENT_CAP))[:_SENTENCES])


def _improvements(given: object) -> tuple[str, ...]:
    if not isinstance(given, list):
        return ()
    told = [clean_line(entry.strip(), cap=500) for entry in cast("list[object]", given) if isinstance(entry, str)]
    return tuple(dict.fromkeys(words for words in told if words))[:_IMPROVEMENTS]
