"""A judge of items behind the Messages API: it scores what it is asked about, and counts what it was paid for."""

import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tests.messages_server import (
    BATCHES,
    Answer,
    HttpRequest,
    MessagesServer,
    error_answer,
    error_data,
    json_answer,
    text_answer,
)

_IDS = re.compile(r"Judge these now, \d+ in all: (\[.*\])")
_REPAIR = re.compile(r"one element for each of (\[.*\]), nothing")


@dataclass(frozen=True)
class Question:
    """One request as the judge understands it."""

    ids: tuple[Any, ...]
    about_singletons: bool
    turns: int
    body: dict[str, Any]

    @property
    def data(self) -> Any:
        """What stands between the borders."""
        text = self.body["messages"][0]["content"][0]["text"]
        return json.loads(text.split("===\n", 1)[1].rsplit("\n===END", 1)[0])


def read_question(body: dict[str, Any]) -> Question:
    turns = body["messages"]
    text = turns[-1]["content"][0]["text"]
    found = _IDS.search(text) or _REPAIR.search(text)
    if not found:
        # The skill's own template names no ids apart from the items.
        items = json.loads(text.split("<items>\n", 1)[1].split("\n</items>", 1)[0])
        return Question(tuple(item["item_id"] for item in items), about_singletons=False, turns=len(turns), body=body)
    about_singletons = "should_cluster" in body["system"][0]["text"]
    return Question(tuple(json.loads(found[1])), about_singletons, len(turns), body)


def score_of(item_id: Any) -> int:
    """A score anybody can work out: 1 to 5, by the letters of the id."""
    return sum(str(item_id).encode()) % 5 + 1


def element(item_id: Any, **more: Any) -> dict[str, Any]:
    return {"item_id": item_id, "score": score_of(item_id), "ambiguous": False, **more}


def honest(question: Question) -> str:
    """The reply of a judge that scores each item as ``score_of`` does."""
    if question.about_singletons:
        return json.dumps([
            {"item_id": i, "should_cluster": False, "best_cluster_id": None, "confidence": 4} for i in question.ids
        ])  # fmt: skip
    return json.dumps([element(item_id) for item_id in question.ids])


@dataclass(frozen=True)
class BrokenOff:
    """A reply that did not end by itself, and why."""

    text: str
    stop: str


Reply = str | BrokenOff | Answer
"""What a judge replies; an `Answer` is sent as it is, mostly an error."""
Judge = Callable[[Question], Reply]


@dataclass
class Batch:
    """A message batch, how often its state was asked for, and its results once somebody read them."""

    requests: list[dict[str, Any]]
    looks: int = 0
    results: list[dict[str, Any]] | None = None


class ItemServer(MessagesServer):
    """Serves a judge of items on a free port. Use as a context manager.

    Args:
        judge: Replies.
        latency: Seconds each reply takes.
        max_calls: The most calls at once; those beyond are refused with 429.
        keeps: Whether a repeated idempotency key gets the same reply again, for nothing.
        batch_looks: How often a message batch is looked at before it has ended.
        results: What becomes of a request in a batch, by its name; ``succeeded`` unless it says otherwise.
    """

    def __init__(
        self,
        judge: Judge = honest,
        *,
        latency: float = 0.0,
        max_calls: int | None = None,
        keeps: bool = False,
        batch_looks: int = 1,
        results: Callable[[str], str] = lambda _: "succeeded",
    ) -> None:
        super().__init__(self._answer_call, {BATCHES: self._answer_about_batches})
        self.judge = judge
        self.latency, self.max_calls, self.keeps = latency, max_calls, keeps
        self.batch_looks, self.results = batch_looks, results
        self.questions: list[Question] = []
        self.paid: Counter[str] = Counter()
        """How often each item was paid for."""
        self.worked: Counter[str] = Counter()
        """How often each idempotency key was worked for."""
        self.refused = 0
        self.most_at_once = 0
        self.batches: dict[str, Batch] = {}
        self.page_size = 100
        """How many message batches are listed at once."""
        self.created = 0
        self.before_batches: Callable[[HttpRequest], Answer | None] = lambda _: None
        """What is answered to a request about message batches instead; None where they are served."""
        self.after_create: Callable[[], Answer | None] = lambda: None
        """What is answered once a batch is made instead; None where its state is."""
        self._lock = threading.Lock()
        self._replies: dict[str, Answer] = {}
        self._at_once = 0

    @property
    def ids(self) -> Counter[str]:
        """How often each item was asked about."""
        return Counter(str(item_id) for question in self.questions for item_id in question.ids)

    def _answer_call(self, request: HttpRequest) -> Answer:
        question = read_question(request.body)
        with self._lock:
            if self.max_calls is not None and self._at_once >= self.max_calls:
                self.refused += 1
                return error_answer(429, "rate_limit_error", "slow down")
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            self.questions.append(question)
        try:
            return self._reply(question, request.headers.get("idempotency-key", ""))
        finally:
            with self._lock:
                self._at_once -= 1

    def _reply(self, question: Question, key: str) -> Answer:
        if self.keeps and key in self._replies:
            return self._replies[key]
        self.closing.wait(self.latency)
        reply = self.judge(question)
        if isinstance(reply, Answer):
            return reply
        if isinstance(reply, BrokenOff):
            return text_answer(reply.text, reply.stop, pieces=4000)
        answer = text_answer(reply, pieces=4000)
        with self._lock:
            self._replies.setdefault(key, answer)
            self.paid.update(str(item_id) for item_id in question.ids)
            self.worked[key] += 1
        return answer

    # Message batches

    def create_batch(self, requests: Iterable[dict[str, Any]]) -> dict[str, Any]:
        """Make a batch; the answer is its state."""
        with self._lock:
            self.created += 1
            name = f"msgbatch_{self.created:04}"
            self.batches[name] = Batch(list(requests))
            return self._state(name)

    def _answer_about_batches(self, request: HttpRequest) -> Answer:
        if (fault := self.before_batches(request)) is not None:
            return fault
        if request.method == "POST":
            created = json_answer(self.create_batch(request.body["requests"]))
            return self.after_create() or created
        name, _, part = request.path.removeprefix(BATCHES).strip("/").partition("/")
        if not name:
            with self._lock:
                names = sorted(self.batches, reverse=True)
                names = [name for name in names if name < request.query.get("after_id", ["~"])[0]]
                states = [self._state(name) for name in names[: self.page_size]]
            last_id = states[-1]["id"] if states else None
            return json_answer({
                "data": states, "has_more": len(names) > len(states), "first_id": names[:1], "last_id": last_id,
            })  # fmt: skip
        if name not in self.batches:
            return error_answer(404, "not_found_error", name)
        if part == "results":
            lines = (json.dumps(result) + "\n" for result in self._results(self.batches[name]))
            return Answer(["".join(lines).encode()], content_type="application/x-jsonl")
        with self._lock:
            state = self._state(name)
            self.batches[name].looks += 1
        return json_answer(state)

    def _state(self, name: str) -> dict[str, Any]:
        batch = self.batches[name]
        ended = batch.looks >= self.batch_looks
        counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
        counts["succeeded" if ended else "processing"] = len(batch.requests)
        return {
            "id": name, "type": "message_batch", "processing_status": "ended" if ended else "in_progress",
            "request_counts": counts, "created_at": "2026-01-01T00:00:00Z", "expires_at": "2026-01-02T00:00:00Z",
            "results_url": f"{self.url}{BATCHES}/{name}/results" if ended else None,
        }  # fmt: skip

    def _results(self, batch: Batch) -> list[dict[str, Any]]:
        if batch.results is None:
            # In the order nobody expects.
            batch.results = [
                {"custom_id": request["custom_id"], "result": self._result(request)}
                for request in reversed(batch.requests)
            ]
        return batch.results

    def _result(self, request: dict[str, Any]) -> dict[str, Any]:
        name = request["custom_id"]
        kind = self.results(name)
        if kind == "errored":
            return {"type": kind, "error": error_data("api_error", "it broke")}
        if kind != "succeeded":
            return {"type": kind}
        question = read_question(request["params"])
        reply = self.judge(question)
        assert not isinstance(reply, Answer), "no answer of its own within a batch"
        text, stop = (reply, "end_turn") if isinstance(reply, str) else (reply.text, reply.stop)
        with self._lock:
            self.questions.append(question)
            self.paid.update(str(item_id) for item_id in question.ids)
        message = {
            "id": f"msg_{name}", "type": "message", "role": "assistant", "model": "m-1",
            "content": [{"type": "text", "text": text}], "stop_reason": stop, "stop_sequence": None,
            "usage": {"input_tokens": 1000, "output_tokens": 200},
        }  # fmt: skip
        return {"type": kind, "message": message}
