"""A judge that says yes to everything: the top level of every criterion, with a line of code that is really there."""

import json
import re
from typing import Any

from tests.messages_server import Answer, HttpRequest, text_answer

_ROW = re.compile(r"^(\d+)\|(.*)$")
_FILE = re.compile(r'^file (".*") \(\d+ lines\)$')


def always_top(request: HttpRequest) -> Answer:
    """The answer to a request of a judge."""
    return text_answer(json.dumps(top_reply(request.body)))


def top_reply(body: dict[str, Any]) -> dict[str, Any]:
    """The reply as data."""
    quotes = _lines_of_code(body["messages"][0]["content"][0]["text"])
    wanted = body["output_config"]["format"]["schema"]["properties"]["criteria"]["properties"]
    criteria = {
        name: {
            "evidence": quotes,
            "comment": "It is all there.",
            "score": max(part["properties"]["score"]["enum"]),
            "uncertain": False,
        }
        for name, part in wanted.items()
    }
    return {"criteria": criteria, "summary": "", "improvements": [], "raw_notes": ""}


def _lines_of_code(shown: str) -> list[dict[str, Any]]:
    """The first line that returns or prints something, in the program and in the tests."""
    path = ""
    quotes: dict[bool, dict[str, Any]] = {}
    for row in shown.split("\n"):
        if header := _FILE.match(row):
            path = json.loads(header[1])
        elif row.startswith(("notes", "measured:")):
            break
        elif match := _ROW.match(row):
            text = match[2].strip()
            if text.startswith(("return ", "print(", "assert ")):
                quotes.setdefault("test" in path, {"path": path, "line": int(match[1]), "quote": text})
    return list(quotes.values())
