"""The form of a model's reply, as a JSON schema for servers and as an example for the model."""

from collections.abc import Iterable
from typing import Any

from evalforge.model.rubric import BossRubric, Criterion


def schema_for(rubric: BossRubric, ids: Iterable[str] | None = None) -> dict[str, Any]:
    """The JSON schema of a reply: criteria keyed by id, so that none can be missing, repeated or invented.

    Models write fields in this order, so evidence and comment come before the score they justify.

    Args:
        rubric: The boss's rubric.
        ids: The criteria to judge; all of the rubric's if None.
    """
    criterion_ids = list(ids) if ids is not None else [criterion.id for criterion in rubric.criteria]
    return _object({
        "criteria": _object({name: _criterion_schema(rubric.criterion(name)) for name in criterion_ids}),
        "summary": {"type": "string"},
        "improvements": {"type": "array", "items": _improvement_schema(rubric)},
        "raw_notes": {"type": "string"},
    })  # fmt: skip


def _improvement_schema(rubric: BossRubric) -> dict[str, Any]:
    ids = [criterion.id for criterion in rubric.criteria]
    return _object({"criterion": {"type": "string", "enum": ids}, "text": {"type": "string"}})


def _criterion_schema(criterion: Criterion) -> dict[str, Any]:
    text = {"type": "string"}
    quote = _object({"path": text, "line": {"type": "integer"}, "quote": text})
    claim = _object({"fault": text, "contract": text, "test": text})
    return _object({
        "evidence": {"type": "array", "items": quote},
        "comment": text,
        "score": {"type": "number", "enum": [level.score for level in criterion.levels]},
        "uncertain": {"type": "boolean"},
        "contradicts_limit": text,
        "claims": {"type": "array", "items": claim},
    })  # fmt: skip


def comments_schema(rubric: BossRubric) -> dict[str, Any]:
    """The JSON schema of a reply with a comment for each criterion and nothing else."""
    comment = _object({"comment": {"type": "string"}})
    return _object({"criteria": _object({criterion.id: comment for criterion in rubric.criteria})})


def form_of_reply(rubric: BossRubric) -> dict[str, Any]:
    """The form of a reply as an example with words in place of values, a third as long as the schema."""
    quote = {"path": "FILE", "line": 1, "quote": "TEXT OF THE LINE"}
    claim = {"fault": "TEXT", "contract": "WORDS OF THE CONTRACT", "test": "SOURCE OF ONE TEST FUNCTION"}
    return {
        "criteria": {
            criterion.id: {
                "evidence": [quote],
                "comment": "TEXT",
                "score": " or ".join(f"{level.score:g}" for level in criterion.levels),
                "uncertain": "true or false",
                "contradicts_limit": "TEXT or empty",
                "claims": [claim] if number == 0 else "as above, or empty",
            }
            for number, criterion in enumerate(rubric.criteria)
        },
        "summary": "TEXT",
        "improvements": [{"criterion": "CRITERION ID", "text": "TEXT"}],
        "raw_notes": "TEXT or empty",
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
