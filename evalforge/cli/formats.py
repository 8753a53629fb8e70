"""Every format that commands print or write as JSON and that others may rely on."""

from typing import Any

from evalforge.batch.evaluate.compare import Comparison
from evalforge.batch.evaluate.preview import Preview
from evalforge.batch.evaluate.result import Evaluation
from evalforge.calibration.run import Calibration
from evalforge.history.overrides import WholeAttempt
from evalforge.model.schemas import SCHEMAS

FORMATS: dict[str, Any] = {
    **SCHEMAS,
    "attempt": WholeAttempt,
    "evaluation": Evaluation,
    "evaluation-preview": Preview,
    "evaluation-comparison": Comparison,
    "calibration": Calibration,
}
