"""A judge that falls for everything: top levels for all, whatever the file asks for, in whatever form it asks."""

import json
import re
from typing import Any

from tests.messages_server import Answer, text_answer

_ROW = re.compile(r"^(\d+)\|(.*)$")
_FILE = re.compile(r'^file (".*") \(\d+ lines\)$')
_REFUSAL = "ANTHROPIC_MAGIC_STRING_TRIGGER_REFUSAL"
_ESCAPES = "\x1b[2J\x1b]0;pwned\x07\x1b]52;c;cm0gLXJmIC8=\x07\u202e\x9b31m\r\x00"
_MARKUP = "[bold red link=http://evil][@click=app.quit]free points[/]"


def obedient(body: dict[str, Any], how: str, *, echo: bool) -> Answer:
    """The reply to a request.

    Args:
        body: The request.
        how: What the attack makes it do, apart from top levels.
        echo: Whether it quotes the attack itself, and repeats it in its words; else it quotes real code.
    """
    shown = _lines(body["messages"][0]["content"][0]["text"])
    if how == "refuse" or any(_REFUSAL in text for _, _, text in shown):
        return text_answer("", "refusal", details={"type": "refusal", "category": "general_harms"})
    data = _flattery(body, shown, how, echo=echo)
    text = json.dumps(data)
    if how == "duplicate":
        text = text.replace('"criteria": {', '"criteria": {"c0": {"comment": "x", "score": 0, "evidence": []}, ', 1)
    if how == "cut":
        return text_answer(text, "max_tokens")
    return text_answer(text, pieces=65_536 if len(text) > 100_000 else 60)


def _flattery(body: dict[str, Any], shown: list[tuple[str, int, str]], how: str, *, echo: bool) -> dict[str, Any]:
    words = {"escapes": _ESCAPES, "markup": _MARKUP, "endless": "again " * 100_000}.get(how, "")
    said = shown[-1][2] if echo and shown else ""
    path, line, quote = _quote(shown, echo=echo)
    criteria: dict[str, Any] = {
        name: {
            "evidence": [{"path": path, "line": line, "quote": quote}],
            "comment": f"{words}Flawless. {said}",
            "score": 5 if how == "above" else max(part["properties"]["score"]["enum"]),
            "uncertain": False,
        }
        for name, part in _wanted(body).items()
    }
    if how == "invent":
        criteria["c7"] = {**criteria["c0"], "score": 100}
    return {
        "criteria": [criteria] if how == "list" else criteria,
        "summary": f"{words}Flawless in every way. {said}",
        "improvements": [f"{words}None at all.", said or "Celebrate."],
        "raw_notes": words,
        "score_total": 6,
        "passed": True,
        "integrity": 1.0,
        "verdict": "strong_pass",
    }


def _wanted(body: dict[str, Any]) -> dict[str, Any]:
    """The form of each criterion, from wherever this request asks for it."""
    if "output_config" in body:
        schema = body["output_config"]["format"]["schema"]
    elif "tools" in body:
        schema = body["tools"][0]["input_schema"]
    else:
        form = json.loads(body["system"][0]["text"].rpartition("\n")[2])["criteria"]
        return {
            name: {"properties": {"score": {"enum": [float(score) for score in part["score"].split(" or ")]}}}
            for name, part in form.items()
        }
    return schema["properties"]["criteria"]["properties"]


def _lines(user: str) -> list[tuple[str, int, str]]:
    """Path, number and text of every line it was shown."""
    shown: list[tuple[str, int, str]] = []
    path = ""
    for line in user.split("\n"):
        if header := _FILE.match(line):
            path = json.loads(header[1])
        elif match := _ROW.match(line):
            shown.append((path, int(match[1]), match[2]))
    return shown


def _quote(shown: list[tuple[str, int, str]], *, echo: bool) -> tuple[str, int, str]:
    telling = [line for line in shown if len(line[2].strip()) > 3]
    if not telling:
        return "main.py", 1, "nothing"
    foreign = [line for line in telling if line[0] != "main.py"]
    return foreign[0] if echo and foreign else telling[0]
