"""SQL functions with which a migration fills new columns. They read plain JSON, so they outlast changes of models."""

import json
import sqlite3
import zlib
from typing import Any

from evalforge.reports.receipt import make_receipt


def register_functions(connection: sqlite3.Connection) -> None:
    """Let the SQL of a migration call the functions here."""
    connection.create_function("carried_levels", 1, _levels, deterministic=True)
    connection.create_function("carried_receipt", 4, _receipt, deterministic=True)


def levels_json(criteria: list[dict[str, Any]]) -> str:
    """The levels of a result as they are stored in a row: ``[[criterion, score, highest], ...]``."""
    return json.dumps([[one["id"], one["score"], one["max_score"]] for one in criteria], separators=(",", ":"))


def _result(body: bytes | None) -> dict[str, Any] | None:
    try:
        return json.loads(zlib.decompress(body))["result"] if body else None
    except (zlib.error, ValueError, KeyError, TypeError):
        # A damaged body fills no column; the attempt reports the damage when it is opened.
        return None


def _levels(body: bytes | None) -> str | None:
    result = _result(body)
    return levels_json(result["criteria"]) if result else None


def _receipt(content_hash: str, rubric_hash: str, judge_info: str, body: bytes | None) -> str | None:
    result = _result(body)
    return make_receipt(content_hash, rubric_hash, json.loads(judge_info), result).model_dump_json() if result else None
