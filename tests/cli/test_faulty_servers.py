"""Servers that are no use: how often each is asked, how `evaluate` ends, and what it says.

The table *Servers that fail* of docs/how-to/evaluate.md was measured by these (``-s`` prints requests and seconds).
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.command_line import run
from tests.evaluate.item_server import ItemServer, honest
from tests.messages_server import Answer, Cut, MessagesServer, error_answer, stream_of

_ITEMS = 500
_CALLS = 100
"""Calls that so many items take where nothing goes wrong."""
_HTML = Answer([b"<html><h1>Not Found</h1></html>"], 404, content_type="text/html")
_GARBAGE = Answer([b"\x00\xff\x13 no event stream"], content_type="text/event-stream")
_REFUSED, _ANSWERED = 3, 0


def _scripted(answer: Answer) -> Callable[[], MessagesServer]:
    return lambda: MessagesServer([answer])


def _overloaded_at_first() -> ItemServer:
    refusals = iter(range(4))
    return ItemServer(lambda question: honest(question) if next(refusals, None) is None else error_answer(529))


@dataclass(frozen=True)
class Case:
    """A server, the most requests it gets, the exit status, and words of the message."""

    server: Callable[[], MessagesServer]
    max_requests: int
    status: int
    words: tuple[str, ...]


CASES = {
    "404, not the API's": Case(_scripted(_HTML), 8, _REFUSED, ("no Messages API at this address", "base URL")),
    "404, no such model": Case(
        _scripted(error_answer(404, "not_found_error", "model: m")), 8, _REFUSED, ("knows no model “m”", "--model")
    ),
    "401": Case(_scripted(error_answer(401, "authentication_error")), 8, _REFUSED, ("did not accept the key",)),
    "529 without Retry-After, four times": Case(_overloaded_at_first, _CALLS + 4, _ANSWERED, ("500 of 500 scored",)),
    "500, always": Case(_scripted(error_answer(500, "api_error")), 60, _REFUSED, ("status 500",)),
    "replies that are no judgement": Case(lambda: ItemServer(lambda _: "I'd rather not."), 24, _REFUSED, (
        "Nothing in the first", "Look at the rubric, or try another --model."
    )),
    "bytes that are no reply": Case(_scripted(_GARBAGE), 60, _REFUSED, ("answer is garbled", "Messages API?")),
    "connections dropped at once": Case(_scripted(Answer([Cut()])), 60, _REFUSED, ("connection broke",)),
    "connections dropped in a reply": Case(
        _scripted(Answer([*stream_of("[" * 200)[:5], Cut()])), 60, _REFUSED, ("connection broke",)
    ),
}  # fmt: skip


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    lines = (json.dumps({"item_id": f"i{n}", "text": f"text {n}"}) + "\n" for n in range(_ITEMS))
    (tmp_path / "items.jsonl").write_text("".join(lines))
    (tmp_path / "tidy.yaml").write_text(
        "items: items.jsonl\njudge:\n  rubric: Rate each text 1-5.\n  sample_size: null\n"
    )
    return tmp_path / "tidy.yaml"


@pytest.mark.parametrize("name", CASES)
def test_a_faulty_server_is_left_soon_with_words_and_status(name: str, spec: Path) -> None:
    case = CASES[name]
    with case.server() as server:
        began = time.monotonic()
        ended = run("evaluate", spec, "--model", "m", "--base-url", server.url)
        seconds = time.monotonic() - began
        requests = len(server.bodies())
    print(f"| {name} | {requests} | {seconds:.1f} | {ended.returncode} | {ended.stderr.splitlines()[-3:]}")
    said = ended.stdout + ended.stderr
    assert ended.returncode == case.status, said
    for words in case.words:
        assert words in said
    assert requests <= case.max_requests
    assert "Traceback" not in said
