"""A judge on loopback: it scores what it is asked about, counts what it was paid for, and fails as it is told."""

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from tests.judges.server import stream_of

_IDS = re.compile(r"Judge these now, \d+ in all: (\[.*\])")
_REPAIR = re.compile(r"one element for each of (\[.*\]), nothing")


@dataclass(frozen=True)
class Asked:
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


def understood(body: dict[str, Any]) -> Asked:
    turns = body["messages"]
    text = turns[-1]["content"][0]["text"]
    found = _IDS.search(text) or _REPAIR.search(text)
    if not found:
        # The skill's own template names no ids apart from the items.
        items = json.loads(text.split("<items>\n", 1)[1].split("\n</items>", 1)[0])
        return Asked(tuple(item["item_id"] for item in items), about_singletons=False, turns=len(turns), body=body)
    about_singletons = "should_cluster" in body["system"][0]["text"]
    return Asked(tuple(json.loads(found[1])), about_singletons, len(turns), body)


def score_of(item_id: Any) -> int:
    """A score anybody can work out: 1 to 5, by the letters of the id."""
    return sum(str(item_id).encode()) % 5 + 1


def element(item_id: Any, **more: Any) -> dict[str, Any]:
    return {"item_id": item_id, "score": score_of(item_id), "ambiguous": False, **more}


def honest(asked: Asked) -> str:
    """The reply of a judge that does as it is told."""
    if asked.about_singletons:
        return json.dumps([
            {"item_id": i, "should_cluster": False, "best_cluster_id": None, "confidence": 4} for i in asked.ids
        ])  # fmt: skip
    return json.dumps([element(item_id) for item_id in asked.ids])


@dataclass(frozen=True)
class Refusal:
    """The server has no room, or something else is wrong."""

    status: int
    kind: str = "api_error"
    words: str = "no"
    headers: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Said:
    """A reply that ended for a certain reason."""

    text: str
    stop: str | None = "end_turn"


Reply = str | Said | Refusal
Judge = Callable[[Asked], Reply]


class JudgeServer:
    """Serves a judge on a free port. Use as a context manager.

    Args:
        judge: Replies.
        latency: Seconds each reply takes.
        room: The most calls at once; those beyond are refused with 429.
        retry_after: What a refusal for want of room says.
        keeps: Whether a repeated idempotency key gets the same reply again, for nothing.
        batch_looks: How often a message batch is looked at before it has ended.
        results: What becomes of a request in a batch, by its name; ``succeeded`` unless it says otherwise.
    """

    def __init__(
        self,
        judge: Judge = honest,
        *,
        latency: float = 0.0,
        room: int | None = None,
        retry_after: str = "",
        keeps: bool = False,
        batch_looks: int = 1,
        results: Callable[[str], str] = lambda _: "succeeded",
    ) -> None:
        self.judge = judge
        self.latency, self.room, self.retry_after, self.keeps = latency, room, retry_after, keeps
        self.batch_looks, self.results = batch_looks, results
        self.asked: list[Asked] = []
        self.at: list[float] = []
        self.keys: list[str] = []
        self.paid: Counter[str] = Counter()
        self.worked: Counter[str] = Counter()
        self.refused = 0
        self.most_at_once = 0
        self.tokens = (1000, 200)
        self.batches: dict[str, dict[str, Any]] = {}
        self.created = 0
        self.after_create: Callable[[], bool | Refusal] = lambda: False
        """What goes wrong once a batch is made: it is refused all the same, or (True) the connection breaks."""
        self.no_batches: Callable[[str], Refusal | None] = lambda _: None
        """What is said to whoever asks for message batches with a method; None where they are served."""
        self.lock = threading.Lock()
        self.closing = threading.Event()
        self._replies: dict[str, str] = {}
        self._at_once = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def ids(self) -> Counter[str]:
        """How often each item was asked about."""
        return Counter(str(item_id) for asked in self.asked for item_id in asked.ids)

    def __enter__(self) -> Self:
        self._server = _QuietServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"judge": self}))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()

    def reply(self, body: dict[str, Any], key: str) -> Reply:
        """What is said to one request; ``paid`` counts what was worked for."""
        asked = understood(body)
        with self.lock:
            if self.room is not None and self._at_once >= self.room:
                self.refused += 1
                headers = {"retry-after": self.retry_after} if self.retry_after else {}
                return Refusal(429, "rate_limit_error", "slow down", headers)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            self.asked.append(asked)
            self.at.append(time.monotonic())
            self.keys.append(key)
        try:
            if self.keeps and key in self._replies:
                return self._replies[key]
            self.closing.wait(self.latency)
            said = self.judge(asked)
            if isinstance(said, str):
                with self.lock:
                    self._replies.setdefault(key, said)
                    self.paid.update(str(item_id) for item_id in asked.ids)
                    self.worked[key] += 1
            return said
        finally:
            with self.lock:
                self._at_once -= 1

    # Message batches

    def create(self, requests: Iterable[dict[str, Any]]) -> dict[str, Any]:
        with self.lock:
            self.created += 1
            name = f"msgbatch_{self.created:04}"
            self.batches[name] = {"requests": list(requests), "looks": 0, "results": None}
            return self.state(name)

    def state(self, name: str) -> dict[str, Any]:
        batch = self.batches[name]
        ended = batch["looks"] >= self.batch_looks
        counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
        counts["succeeded" if ended else "processing"] = len(batch["requests"])
        return {
            "id": name, "type": "message_batch", "processing_status": "ended" if ended else "in_progress",
            "request_counts": counts, "created_at": "2026-01-01T00:00:00Z", "expires_at": "2026-01-02T00:00:00Z",
            "results_url": f"{self.url}/v1/messages/batches/{name}/results" if ended else None,
        }  # fmt: skip

    def result_lines(self, name: str) -> list[dict[str, Any]]:
        batch = self.batches[name]
        if batch["results"] is None:
            # In the order nobody expects.
            batch["results"] = [self._result(request) for request in reversed(batch["requests"])]
        return batch["results"]

    def _result(self, request: dict[str, Any]) -> dict[str, Any]:
        name = request["custom_id"]
        kind = self.results(name)
        if kind == "errored":
            error = {"type": "error", "error": {"type": "api_error", "message": "it broke"}}
            return {"custom_id": name, "result": {"type": "errored", "error": error}}
        if kind != "succeeded":
            return {"custom_id": name, "result": {"type": kind}}
        asked = understood(request["params"])
        said = self.judge(asked)
        said = Said(said) if isinstance(said, str) else said
        assert isinstance(said, Said)
        with self.lock:
            self.asked.append(asked)
            self.paid.update(str(item_id) for item_id in asked.ids)
        message = {
            "id": f"msg_{name}", "type": "message", "role": "assistant", "model": "m-1",
            "content": [{"type": "text", "text": said.text}], "stop_reason": said.stop, "stop_sequence": None,
            "usage": {"input_tokens": self.tokens[0], "output_tokens": self.tokens[1]},
        }  # fmt: skip
        return {"custom_id": name, "result": {"type": "succeeded", "message": message}}


class _QuietServer(ThreadingHTTPServer):
    """A client that is killed in the middle of a word is nothing to talk about here."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    judge: JudgeServer

    def log_message(self, *_: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == "/v1/messages":
            self._said(self.judge.reply(body, self.headers.get("idempotency-key", "")))
        elif self.path == "/v1/messages/batches":
            if (refused := self.judge.no_batches("POST")) is not None:
                self._said(refused)
                return
            made = self.judge.create(body["requests"])
            wrong = self.judge.after_create()
            if isinstance(wrong, Refusal):
                self._said(wrong)
                return
            if wrong:
                self.close_connection = True
                self.connection.close()
                return
            self._json(made)
        else:
            self._json({"type": "error", "error": {"type": "not_found_error", "message": self.path}}, 404)

    def do_GET(self) -> None:
        path = self.path.partition("?")[0].removeprefix("/v1/messages/batches").strip("/")
        with self.judge.lock:
            known = sorted(self.judge.batches, reverse=True)
        if (refused := self.judge.no_batches("GET")) is not None:
            self._said(refused)
        elif not path:
            with self.judge.lock:
                data = [self.judge.state(name) for name in known]
            self._json({"data": data, "has_more": False, "first_id": None, "last_id": None})
        elif path.endswith("/results"):
            lines = self.judge.result_lines(path.removesuffix("/results"))
            self._send("".join(json.dumps(line) + "\n" for line in lines).encode(), "application/x-jsonl")
        elif path in known:
            with self.judge.lock:
                state = self.judge.state(path)
                self.judge.batches[path]["looks"] += 1
            self._json(state)
        else:
            self._json({"type": "error", "error": {"type": "not_found_error", "message": path}}, 404)

    def _said(self, said: Reply) -> None:
        if isinstance(said, Refusal):
            error = {"type": "error", "error": {"type": said.kind, "message": said.words}}
            self._json(error, said.status, said.headers)
            return
        said = Said(said) if isinstance(said, str) else said
        usage = {"input_tokens": self.judge.tokens[0]}
        body = b"".join(stream_of(said.text, said.stop, pieces=4000, usage=usage))
        self._send(body, "text/event-stream")

    def _json(self, data: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
        self._send(json.dumps(data).encode(), "application/json", status, headers)

    def _send(self, body: bytes, kind: str, status: int = 200, headers: dict[str, str] | None = None) -> None:
        try:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
