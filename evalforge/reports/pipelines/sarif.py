"""SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/): each criterion is a rule, each reason a result."""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from evalforge import __version__
from evalforge.model.rubric import Criterion
from evalforge.model.text import clean
from evalforge.reports.pipelines.judged_folder import JudgedFolder, Problem

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
"""The name that SARIF readers give the root of a checkout; paths are relative to it."""


def sarif(folders: Sequence[JudgedFolder]) -> str:
    """Convert all folders to one run."""
    criteria = {criterion.id: criterion for folder in folders for criterion in folder.rubric.criteria}
    indexes = {criterion_id: index for index, criterion_id in enumerate(criteria)}
    reasons = [f"{folder.name} could not be judged: {folder.reason}" for folder in folders if folder.result is None]
    run = {
        "tool": {
            "driver": {
                "name": "EvalForge",
                "semanticVersion": __version__,
                "rules": [_rule(criterion) for criterion in criteria.values()],
            }
        },
        "invocations": [
            {
                "executionSuccessful": not reasons,
                "toolExecutionNotifications": [{"level": "error", "message": _text(reason)} for reason in reasons],
            }
        ],
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(problem, indexes[problem.criterion_id]) for folder in folders for problem in folder.problems
        ],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(criterion: Criterion) -> dict[str, Any]:
    levels = "\n".join(f"{level.score:g}, {level.label}: {level.full_description}" for level in criterion.levels)
    return {
        "id": criterion.id,
        "name": "".join(part.capitalize() for part in criterion.id.split("_")),
        "shortDescription": _text(criterion.label),
        "fullDescription": _text(criterion.description or criterion.label),
        "help": _text(levels),
        "defaultConfiguration": {"level": "warning"},
    }


def _result(problem: Problem, rule_index: int) -> dict[str, Any]:
    region = {} if problem.line is None else {"region": {"startLine": problem.line}}
    return {
        "ruleId": problem.criterion_id,
        "ruleIndex": rule_index,
        "level": "error" if problem.is_severe else "warning",
        "message": _text(problem.message),
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(problem.path), **region}}],
    }


def _artifact(path: str) -> dict[str, str]:
    if path.startswith("/"):
        return {"uri": f"file://{quote(path)}"}
    return {"uri": quote(path), "uriBaseId": _ROOT}


def _text(text: str) -> dict[str, str]:
    return {"text": clean(text)}
