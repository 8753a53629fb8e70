"""A Messages API server on loopback: it records every request, and a function of the request answers, well or badly."""

import json
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import parse_qs

MESSAGES = "/v1/messages"
TOKEN_COUNTS = "/v1/messages/count_tokens"
BATCHES = "/v1/messages/batches"
CHAT_COMPLETIONS = "/v1/chat/completions"
JSON = "application/json"


@dataclass(frozen=True)
class HttpRequest:
    """One request as it arrived; the names of its headers are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    seconds: float
    """When it arrived, by the monotonic clock."""
    query: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


class Cut:
    """The connection breaks here, in the middle of what was promised."""


@dataclass(frozen=True)
class Pause:
    """Nothing more is sent until this is set, or the server closes."""

    until: threading.Event


Part = bytes | Cut | Pause


@dataclass(frozen=True)
class Answer:
    """One response, sent part by part.

    Without ``chunked`` the end of the connection is the end of the body. Without a status nothing is sent at all.
    """

    parts: Sequence[Part]
    status: int | None = 200
    headers: dict[str, str] = field(default_factory=dict[str, str])
    content_type: str = "text/event-stream"
    chunked: bool = True


NO_ANSWER = Answer([], status=None)
"""The server closes the connection and says nothing."""


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
    message: dict[str, Any] = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": counts,
    }  # fmt: skip
    out = [sse("message_start", message=message), sse("ping")]
    index = 0
    if thinking:
        out.append(
            sse("content_block_start", index=0, content_block={"type": "thinking", "thinking": "", "signature": ""})
        )
        out.append(sse("content_block_delta", index=0, delta={"type": "thinking_delta", "thinking": thinking}))
        out.append(sse("content_block_stop", index=0))
        index = 1
    call: dict[str, Any] = {"type": "tool_use", "id": "t1", "name": tool, "input": {}}
    block = call if tool else {"type": "text", "text": ""}
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


def text_answer(text: str, stop: str | None = "end_turn", **more: Any) -> Answer:
    """A whole reply as a stream."""
    return Answer(stream_of(text, stop, **more))


def json_answer(data: object, status: int = 200, **headers: str) -> Answer:
    """Data as one body; an underscore in the name of a header is a hyphen."""
    hyphenated = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer([json.dumps(data).encode()], status, hyphenated, JSON)


def error_data(kind: str, message: str) -> dict[str, Any]:
    """An error in the API's form."""
    return {"type": "error", "error": {"type": kind, "message": message}}


def error_answer(status: int, kind: str = "api_error", message: str = "no", **headers: str) -> Answer:
    """A status and an error in the API's form."""
    return json_answer(error_data(kind, message), status, **headers)


def token_count(tokens: int) -> dict[str, list[Answer]]:
    """The path that counts tokens, and its answer."""
    return {TOKEN_COUNTS: [json_answer({"input_tokens": tokens})]}


Responder = Callable[[HttpRequest], Answer]
Script = Responder | Iterable[Answer]


def responder(script: Script) -> Responder:
    """A function as it is; of answers, a function that gives them in turn, and the last one again and again."""
    if callable(script):
        return script
    remaining, lock = iter(script), threading.Lock()
    last: Answer | None = None

    def give_next(_: HttpRequest) -> Answer:
        nonlocal last
        with lock:
            last = next(remaining, last)
            assert last is not None, "there is no answer to give"
            return last

    return give_next


ServerType = TypeVar("ServerType", bound="MessagesServer")


class MessagesServer:
    """Serves on a free port. Use as a context manager.

    Args:
        messages: What ``/v1/messages`` answers: a function of the request, or answers in turn (the last one stays).
        others: The same for further paths and all below them. Any other path is not found.
    """

    def __init__(self, messages: Script, others: Mapping[str, Script] | None = None) -> None:
        self._messages = responder(messages)
        self._others = {path: responder(script) for path, script in (others or {}).items()}
        self._received: list[HttpRequest] = []
        self.closing = threading.Event()

    def requests(self, path: str = MESSAGES) -> list[HttpRequest]:
        """All requests to this path so far."""
        return [request for request in self._received if request.path == path]

    def bodies(self, path: str = MESSAGES) -> list[dict[str, Any]]:
        """What was posted to this path so far."""
        return [request.body for request in self.requests(path)]

    def headers(self, path: str = MESSAGES) -> list[dict[str, str]]:
        """The headers of all requests to this path so far."""
        return [request.headers for request in self.requests(path)]

    def answer(self, request: HttpRequest) -> Answer:
        """Record a request and answer it."""
        self._received.append(request)
        for path, respond in self._others.items():
            if request.path == path or request.path.startswith(f"{path}/"):
                return respond(request)
        if request.path == MESSAGES:
            return self._messages(request)
        return error_answer(404, "not_found_error", f"no route {request.path}")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"owner": self}))
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()


def start_servers(kind: Callable[..., ServerType]) -> Iterator[Callable[..., ServerType]]:
    """What a fixture yields: a function that starts a server. At the end all are stopped."""
    with ExitStack() as stack:
        yield lambda *arguments, **options: stack.enter_context(kind(*arguments, **options))


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Clients that call all at once wait in a queue; beyond it, a connection takes a second longer.
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that is killed or hangs up is no error of the server's."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: MessagesServer

    def log_request(self, code: object = "-", size: object = "-") -> None:
        pass

    def do_GET(self) -> None:
        self._respond({})

    def do_POST(self) -> None:
        self._respond(json.loads(self.rfile.read(int(self.headers["content-length"]))))

    def _respond(self, body: dict[str, Any]) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        path, _, query = self.path.partition("?")
        request = HttpRequest(self.command, path, headers, body, time.monotonic(), parse_qs(query))
        self._send(self.owner.answer(request))

    def _send(self, answer: Answer) -> None:
        self.close_connection = self.close_connection or not answer.chunked or answer.status is None
        if answer.status is not None:
            self._send_head(answer.status, answer)
        for part in answer.parts:
            if isinstance(part, Cut):
                self._reset()
                return
            if isinstance(part, Pause):
                while not part.until.wait(0.02) and not self.owner.closing.is_set():
                    pass
            elif part:  # a chunk of no bytes would end the body, and what follows would be taken for the next response
                self.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n" if answer.chunked else part)
        if answer.chunked and answer.status is not None:
            self.wfile.write(b"0\r\n\r\n")

    def _send_head(self, status: int, answer: Answer) -> None:
        self.send_response(status)
        self.send_header("content-type", answer.content_type)
        if answer.chunked:
            self.send_header("transfer-encoding", "chunked")
        if self.close_connection:
            self.send_header("connection", "close")
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _reset(self) -> None:
        """No lingering: the peer sees a reset, as when a machine in between dies."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True
