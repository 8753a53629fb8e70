"""Every format that commands print or write as JSON and that others may rely on."""

from typing import Any

from evalforge.calibration.calibrate import Calibration
from evalforge.evaluate.compare import Comparison
from evalforge.evaluate.evaluation import Evaluation
from evalforge.evaluate.preview import Preview
from evalforge.history.overrides import AttemptWithOverrides
from evalforge.model.schemas import SCHEMAS

FORMATS: dict[str, Any] = {
    **SCHEMAS,
    "attempt": AttemptWithOverrides,
    "evaluation": Evaluation,
    "evaluation-preview": Preview,
    "evaluation-comparison": Comparison,
    "calibration": Calibration,
}
