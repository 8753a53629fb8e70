"""JSON Schemas for every JSON format that commands print or write and that others may rely on."""

from typing import Any

from pydantic import TypeAdapter

from evalforge.calibration.calibrate import Calibration
from evalforge.cli.health_report import HealthReport
from evalforge.evaluate.compare import Comparison
from evalforge.evaluate.evaluation import Evaluation
from evalforge.evaluate.preview import Preview
from evalforge.history.overrides import AttemptWithOverrides
from evalforge.model.boss import BossCodex, BossDefinition
from evalforge.model.events import Event
from evalforge.model.level_rules import LevelRules
from evalforge.model.result import BossEvalResult
from evalforge.model.rubric import BossRubric
from evalforge.model.submission import Submission

FORMATS: dict[str, Any] = {
    "boss-definition": BossDefinition,
    "boss-rubric": BossRubric,
    "boss-codex": BossCodex,
    "evidence-rules": LevelRules,
    "submission": Submission,
    "boss-eval-result": BossEvalResult,
    "attempt": AttemptWithOverrides,
    "event": Event,
    "evaluation": Evaluation,
    "evaluation-preview": Preview,
    "evaluation-comparison": Comparison,
    "calibration": Calibration,
    "health-report": HealthReport,
}


def schema_of(name: str) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of one format.

    Raises:
        KeyError: There is no format of that name.
    """
    schema: dict[str, Any] = TypeAdapter(FORMATS[name]).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name, **schema}
