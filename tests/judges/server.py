"""A Messages API server on loopback that does as it is told: streams, faults, and a judge that obeys anybody."""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

EVENTS = (
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
)


class Cut:
    """The connection breaks here, in the middle of what was promised."""


@dataclass(frozen=True)
class Pause:
    """Nothing more is sent until this is set, or the client has gone."""

    until: threading.Event


Part = bytes | Cut | Pause


@dataclass
class Answer:
    """One response, sent part by part. Without ``chunked`` the end of the connection is the end of the body."""

    parts: Sequence[Part]
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict[str, str])
    kind: str = "text/event-stream"
    chunked: bool = True


def sse(kind: str, **data: Any) -> bytes:
    """One event of a stream."""
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()


def stream_of(
    text: str,
    stop: str | None = "end_turn",
    *,
    pieces: int = 40,
    thinking: str = "",
    tool: str = "",
    usage: dict[str, int] | None = None,
    details: dict[str, Any] | None = None,
) -> list[bytes]:
    """The events of a whole reply, its text in pieces of so many characters."""
    counts = {"input_tokens": 1000, "output_tokens": 1, **(usage or {})}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None,
               "stop_sequence": None, "usage": counts}  # fmt: skip
    out = [sse("message_start", message=message), sse("ping")]
    index = 0
    if thinking:
        out.append(
            sse("content_block_start", index=0, content_block={"type": "thinking", "thinking": "", "signature": ""})
        )
        out.append(sse("content_block_delta", index=0, delta={"type": "thinking_delta", "thinking": thinking}))
        out.append(sse("content_block_stop", index=0))
        index = 1
    block = {"type": "tool_use", "id": "t1", "name": tool, "input": {}} if tool else {"type": "text", "text": ""}
    out.append(sse("content_block_start", index=index, content_block=block))
    for begin in range(0, len(text), pieces):
        piece = text[begin : begin + pieces]
        delta = {"type": "input_json_delta", "partial_json": piece} if tool else {"type": "text_delta", "text": piece}
        out.append(sse("content_block_delta", index=index, delta=delta))
    out.append(sse("content_block_stop", index=index))
    delta = {"stop_reason": stop, "stop_sequence": None, "stop_details": details}
    out.append(sse("message_delta", delta=delta, usage={"output_tokens": 200}))
    out.append(sse("message_stop"))
    return out


def says(text: str, stop: str | None = "end_turn", **more: Any) -> Answer:
    """A whole reply."""
    return Answer(stream_of(text, stop, **more))


def fails(status: int, kind: str, words: str = "no", **headers: str) -> Answer:
    """An error as the API tells it."""
    body = json.dumps({"type": "error", "error": {"type": kind, "message": words}}).encode()
    return Answer(
        [body], status, {name.replace("_", "-"): value for name, value in headers.items()}, "application/json"
    )


def judgement(
    scores: dict[str, float], quote: tuple[str, int, str] = ("main.py", 1, "def decide(x):"), **more: Any
) -> dict[str, Any]:
    """A reply in the right form."""
    path, line, text = quote
    return {
        "criteria": {
            name: {
                "evidence": [{"path": path, "line": line, "quote": text}],
                "comment": f"It does {score}.",
                "score": score,
                "uncertain": False,
                "contradicts_limit": "",
                "claims": [],
            }
            for name, score in scores.items()
        },
        "summary": "It decides. It reads badly.",
        "improvements": [
            {"criterion": next(iter(scores), ""), "text": "Name the limits."},
            {"criterion": list(scores)[-1], "text": "Test the edges."},
        ],
        "raw_notes": "",
        **more,
    }


Script = Iterable[Answer] | Callable[[dict[str, Any]], Answer]


class ScriptedServer:
    """Serves a script on a free port. Use as a context manager.

    Args:
        script: Answers in turn (the last one stays), or a function of the request's body.
        counts: What ``count_tokens`` says; None means the server has no such thing.
        chat: Answers of the chat completions API in turn, the last one stays; empty if there is no such thing.
    """

    def __init__(self, script: Script, counts: int | None = None, chat: Sequence[Answer] = ()) -> None:
        self.chat_answers = list(chat)
        self.chat_requests: list[dict[str, Any]] = []
        self.chat_headers: list[dict[str, str]] = []
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.counted: list[dict[str, Any]] = []
        self.counts = counts
        self._answers: Iterator[Answer] = iter(()) if callable(script) else iter(script)
        self._function = script if callable(script) else None
        self._last: Answer | None = None
        self._lock = threading.Lock()
        self.closing = threading.Event()

    def answer(self, body: dict[str, Any], headers: dict[str, str]) -> Answer:
        with self._lock:
            self.requests.append(body)
            self.headers.append(headers)
            if self._function is not None:
                return self._function(body)
            self._last = next(self._answers, self._last)
            assert self._last is not None, "the script is empty"
            return self._last

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"scripted": self}))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    scripted: ScriptedServer

    def log_message(self, *_: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == "/v1/messages/count_tokens" and self.scripted.counts is not None:
            self.scripted.counted.append(body)
            counted = json.dumps({"input_tokens": self.scripted.counts}).encode()
            self._send(Answer([counted], kind="application/json"))
        elif self.path == "/v1/messages":
            headers = {name.lower(): value for name, value in self.headers.items()}
            self._send(self.scripted.answer(body, headers))
        elif self.path == "/v1/chat/completions" and self.scripted.chat_answers:
            self.scripted.chat_requests.append(body)
            self.scripted.chat_headers.append({name.lower(): value for name, value in self.headers.items()})
            answers = self.scripted.chat_answers
            self._send(answers.pop(0) if len(answers) > 1 else answers[0])
        else:
            self._send(fails(404, "not_found_error", f"no route {self.path}"))

    def _send(self, answer: Answer) -> None:
        self.close_connection = True
        try:
            self._head(answer)
            for part in answer.parts:
                if isinstance(part, Cut):
                    self._reset()
                    return
                if isinstance(part, Pause):
                    while not part.until.wait(0.02) and not self.scripted.closing.is_set():
                        pass
                else:
                    self.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n" if answer.chunked else part)
                    self.wfile.flush()
            if answer.chunked:
                self.wfile.write(b"0\r\n\r\n")
        except (BrokenPipeError, ConnectionResetError):
            return

    def _head(self, answer: Answer) -> None:
        self.send_response(answer.status)
        self.send_header("content-type", answer.kind)
        self.send_header("connection", "close")
        if answer.chunked:
            self.send_header("transfer-encoding", "chunked")
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _reset(self) -> None:
        """No lingering: the peer sees a reset, as when a machine in between dies."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
