"""JSON Schemas of the formats others read and write."""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from evalforge.model.attempt import Attempt
from evalforge.model.boss import BossCodex, BossDefinition
from evalforge.model.events import Event
from evalforge.model.level_rules import LevelRules
from evalforge.model.result import BossEvalResult
from evalforge.model.rubric import BossRubric
from evalforge.model.submission import Submission

SCHEMAS: dict[str, Any] = {
    "boss-definition": BossDefinition,
    "boss-rubric": BossRubric,
    "boss-codex": BossCodex,
    "evidence-rules": LevelRules,
    "submission": Submission,
    "boss-eval-result": BossEvalResult,
    "attempt": Attempt,
    "event": Event,
}


def schema_of(name: str, formats: Mapping[str, Any] = SCHEMAS) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of one format.

    Args:
        name: The format.
        formats: The type of each format there is.

    Raises:
        KeyError: There is no format of that name.
    """
    schema: dict[str, Any] = TypeAdapter(formats[name]).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name, **schema}
