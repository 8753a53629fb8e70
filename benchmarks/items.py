"""Items by the ten thousand before a judge on loopback: how near to the best possible, and in how much memory."""

import asyncio
import json
import math
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Options
from evalforge.evaluate.evaluate import evaluate
from evalforge.evaluate.evaluation import EvaluationOutcome
from evalforge.evaluate.items import Item, Population
from evalforge.evaluate.job_queue import JobQueue
from evalforge.evaluate.run_options import RunOptions
from evalforge.evaluate.spec import JudgeSpec, Spec
from evalforge.evaluate.steps import JobKind
from evalforge.llm.model_options import ModelOptions
from evalforge.llm.sdk_client import Client, Request

BATCH, LATENCY = 5, 0.2
_IDS = re.compile(rb"Judge these now, \d+ in all: (\[.*?\])\\n")


@dataclass
class Limits:
    """What the server allows.

    Attributes:
        room: Calls at once; others are refused at once with 429.
        rate: Calls a second, out of a bucket; others are refused with 429 and a time to wait.
        bucket: How many it holds.
        hiccups: Every so many-th call is refused with 529.
    """

    room: int = 10**9
    rate: float = 1e9
    bucket: float = 1e9
    hiccups: int = 0


class Server:
    """A judge on a port of its own, in a process of its own: it takes its time and keeps its limits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._at_once = self._calls = 0
        self._tokens, self._at = limits.bucket, time.monotonic()

    def refusal(self) -> tuple[int, str] | None:
        """Status and wait, if there is no room."""
        now = time.monotonic()
        self._tokens = min(self._limits.bucket, self._tokens + (now - self._at) * self._limits.rate)
        self._at = now
        self._calls += 1
        if self._limits.hiccups and self._calls % self._limits.hiccups == 0:
            return 529, ""
        if self._at_once >= self._limits.room:
            return 429, ""
        if self._tokens < 1:
            return 429, f"{(1 - self._tokens) / self._limits.rate:.3f}"
        self._tokens -= 1
        return None

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    int(line.split(b":")[1])
                    for line in head.lower().split(b"\r\n")
                    if line.startswith(b"content-length")
                )
                body = await reader.readexactly(length)
                writer.write(await self._answer(body))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def _answer(self, body: bytes) -> bytes:
        refused = self.refusal()
        if refused is not None:
            status, wait = refused
            said = b'{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}'
            more = f"retry-after: {wait}\r\n" if wait else ""
            return _response(said, f"{status} Busy", "application/json", more)
        self._at_once += 1
        try:
            await asyncio.sleep(LATENCY)
        finally:
            self._at_once -= 1
        found = _IDS.search(body)
        assert found
        ids = json.loads(found[1].replace(b'\\"', b'"'))
        return _response(_reply([{"item_id": i, "score": 4, "ambiguous": False} for i in ids]), "200 OK")


def _response(body: bytes, status: str, kind: str = "text/event-stream", more: str = "") -> bytes:
    head = f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n{more}\r\n"
    return head.encode() + body


def _reply(elements: list[dict[str, object]]) -> bytes:
    usage = {"input_tokens": 900, "output_tokens": 1}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": usage}
    text = {"type": "text_delta", "text": json.dumps(elements)}
    events = (
        {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": text},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 120}},
        {"type": "message_stop"},
    )
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()


async def _listen(limits: Limits) -> None:
    server = Server(limits)
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    print(listener.sockets[0].getsockname()[1], flush=True)
    # It lives as long as whoever started it keeps its input open.
    await asyncio.to_thread(sys.stdin.read)


@dataclass
class Run:
    """One evaluation: seconds without start-up, memory on the way, refusals."""

    seconds: float
    early: int
    late: int
    refused: int


def _memory() -> int:
    """Resident kilobytes of this process."""
    status = Path("/proc/self/status").read_text() if Path("/proc/self/status").exists() else ""
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found[1]) if found else 0


async def _evaluate(url: str, items: int, concurrency: int, folder: Path) -> Run:
    seen: list[int] = []
    began: list[float] = []

    def tell(queue: JobQueue) -> None:
        done = len(queue.state.scored[JobKind.ITEMS])
        if done >= items * 0.1 * (len(seen) + 1):
            seen.append(_memory())

    things = tuple(Item(f"item-{n}", {"text": f"The {n}th thing to judge. " * 12}) for n in range(items))
    spec = Spec(
        f"bench-{items}-{concurrency}", JudgeSpec(rubric="Rate 1-5.", model="m", sample_size=None, batch_size=BATCH)
    )
    setting = RunOptions(ModelOptions(base_url=url), concurrency=concurrency, folder=folder, on_change=tell, fresh=True)
    # The SDK is loaded once for all; what it takes is the start-up benchmark's affair.
    warm = Spec("warm", spec.judge)
    await evaluate(warm, setting, Population(things[:1]))
    seen.clear()
    began.append(time.perf_counter())
    found = await evaluate(spec, setting, Population(things))
    seconds = time.perf_counter() - began[0]
    assert found.outcome is EvaluationOutcome.JUDGED
    assert found.coverage == 1.0
    return Run(seconds, seen[0], seen[-1], found.counts["refusals"])


async def _bare(url: str, items: int, concurrency: int) -> Run:
    """The same calls through the SDK, with nothing around them: what this machine can do at this moment."""
    client = Client(ModelOptions(("m",), url), 60.0)
    words = json.dumps([f"item-{n}" for n in range(BATCH)])
    text = f"{'The thing to judge. ' * 80}Judge these now, {BATCH} in all: {words}\n"
    request = Request("m", ("Rate 1-5. " * 120,), (("user", text),), 3500)
    places = asyncio.Semaphore(concurrency)

    async def call() -> None:
        async with places:
            async for _ in client.stream(request):
                pass

    await call()
    began = time.perf_counter()
    await asyncio.gather(*(call() for _ in range(math.ceil(items / BATCH))))
    seconds = time.perf_counter() - began
    await client.close()
    return Run(seconds, _memory(), _memory(), 0)


def measured(limits: Limits, items: int, concurrency: int, *, bare: bool = False) -> Run:
    """One run, the server in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "benchmarks.items", json.dumps(vars(limits))]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            assert server.stdin is not None
            url = f"http://127.0.0.1:{int(server.stdout.readline())}"
            try:
                if bare:
                    return asyncio.run(_bare(url, items, concurrency))
                return asyncio.run(_evaluate(url, items, concurrency, Path(folder)))
            finally:
                server.stdin.close()


ROWS = (
    ("8 at once allowed", Limits(), 8, 8 / LATENCY),
    ("16 at once allowed", Limits(), 16, 16 / LATENCY),
    ("64 by us, 12 by the server (429)", Limits(room=12), 64, 12 / LATENCY),
    ("64 by us, 12 by the server, each 100th call fails (529)", Limits(room=12, hiccups=100), 64, 12 / LATENCY),
    ("16 by us, 60 a second by the server (429, retry-after)", Limits(rate=60, bucket=30), 16, 60.0),
)


def main(options: Options) -> None:
    """Wall time beside the least that calls, latency and limits allow; memory after a tenth and at the end."""
    items = options.size(10_000, 50)
    calls = math.ceil(items / BATCH)
    print(f"\nitems: {items:,} in {calls:,} calls of {LATENCY * 1000:.0f} ms; ratio to the least possible")
    print(f"  {'':<58} {'wall s':>8} {'least s':>8} {'ratio':>6} {'refused':>8} {'MB at 10 %':>11} {'at 100 %':>9}")
    for at_once in options.size((8, 16), (8,)):
        _row(
            f"the SDK alone, {at_once} at once",
            measured(Limits(), items, at_once, bare=True),
            calls * LATENCY / at_once,
        )
    for name, limits, concurrency, rate in options.size(ROWS, ROWS[:1]):
        _row(name, measured(limits, items, concurrency), calls / rate)


def _row(name: str, run: Run, least: float) -> None:
    memory = f"{run.early / 1024:11.1f} {run.late / 1024:9.1f}"
    print(
        f"  {name:<58} {run.seconds:8.2f} {least:8.2f} {run.seconds / least:6.3f} {run.refused:8} {memory}", flush=True
    )


if __name__ == "__main__":
    asyncio.run(_listen(Limits(**json.loads(sys.argv[1]))))
