"""An independent second opinion: LLMock breaks the server's side and says how its client behaved.

Our own server knows the API as its client does. LLMock's errors and streams follow somebody else's reading of it, and
it finds by itself what our tests must name: retries too early or too often, and broken streams taken for whole ones.
"""

import json
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest

from evalforge.llm.response_format import FormatNegotiation, ResponseFormat
from evalforge.llm.retry import RetryPolicy
from evalforge.model.events import Event, Judged, Ungraded
from tests.judges.conftest import judged, make_judge
from tests.judges.replies import judgement

PATIENCE = RetryPolicy(max_attempts=3, total_seconds=30.0, stall_seconds=1.0, first_wait_seconds=0.4)
GOOD = json.dumps(judgement({"c0": 2, "c1": 1}))
BESIDE = Path(sys.executable).parent / "llmock"
PROGRAM = str(BESIDE) if BESIDE.exists() else shutil.which("llmock")

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="llmock is not installed")


class Mock:
    """A running LLMock."""

    def __init__(self, url: str) -> None:
        self.url = url

    def ask(self, path: str, data: object = None) -> Any:
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(f"{self.url}{path}", body, {"content-type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=10) as answer:
            return json.loads(answer.read() or "null")

    async def judged(self, *behaviours: dict[str, Any]) -> tuple[Event, list[str], int]:
        """The end of a judging under these behaviours, what LLMock found wrong with us, and how often we called."""
        self.ask("/_llmock/reset", {})
        reply = {"type": "reply", "text": GOOD, "times": None}
        self.ask("/_llmock/scenario", {"behaviors": [*behaviours, reply]})
        server = f"{self.url}/anthropic"
        # Asked before: else the first call of a judging tries the other API, which is not what is counted here.
        FormatNegotiation().remember(server, "m", ResponseFormat.OUTPUT_CONFIG)
        events = await judged(make_judge(server, patience=PATIENCE))
        findings = [finding["code"] for finding in self.ask("/_llmock/verdict")["findings"]]
        requests = self.ask("/_llmock/requests")
        return events[-1], findings, len(requests.get("requests", requests) if isinstance(requests, dict) else requests)


@pytest.fixture(scope="module")
def mock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mock]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("llmock") / "log"
    with log.open("w") as out:
        assert PROGRAM is not None
        # Paced: unpaced, a whole reply is on the wire before LLMock can see that we hung up in the middle of it.
        pace = ["--stream-chunk-delay-ms", "20"]
        server = subprocess.Popen([PROGRAM, "serve", "--port", str(port), *pace], stdout=out, stderr=out)
    mock = Mock(f"http://127.0.0.1:{port}")
    try:
        ends = time.monotonic() + 30
        while time.monotonic() < ends and server.poll() is None:
            try:
                mock.ask("/health")
                break
            except (URLError, ConnectionError):
                time.sleep(0.1)
        else:
            pytest.fail(f"llmock did not start: {log.read_text()}")
        yield mock
    finally:
        server.terminate()
        server.wait(10)


@pytest.mark.parametrize(
    ("behaviours", "calls"),
    [
        ([], 1),
        ([{"type": "fail", "status": 429, "retry_after": 0.4, "times": 2}], 3),
        ([{"type": "fail", "status": 529, "times": 2}], 3),
        ([{"type": "fail", "status": 500}], 2),
        ([{"type": "stream_fault", "kind": "disconnect", "after_chunks": 3}], 2),
        ([{"type": "stream_fault", "kind": "truncate", "after_chunks": 3}], 2),
        ([{"type": "stream_fault", "kind": "malformed", "after_chunks": 3}], 2),
        ([{"type": "slow_first_token", "seconds": 0.4}], 1),
        ([{"type": "stream_fault", "kind": "stall", "after_chunks": 3, "stall_seconds": 3}], 2),
    ],
)
async def test_a_passing_fault_is_survived(mock: Mock, behaviours: list[dict[str, Any]], calls: int) -> None:
    end, findings, called = await mock.judged(*behaviours)
    assert isinstance(end, Judged), end
    assert end.result.score_total == 3
    assert (findings, called) == ([], calls)


@pytest.mark.parametrize(
    ("behaviour", "calls", "suspected"),
    [
        ({"type": "fail", "status": 401, "times": None}, 1, []),
        ({"type": "fail", "status": 404, "times": None}, 1, []),
        ({"type": "fail", "status": 413, "times": None}, 1, []),
        ({"type": "fail", "status": 503, "times": None}, 3, []),
        # After the last try only we know that nothing was made of what had come: it is ungraded.
        ({"type": "stream_fault", "kind": "truncate", "after_chunks": 3}, 3, ["truncated_stream_accepted"]),
        ({"type": "stream_fault", "kind": "malformed", "after_chunks": 3}, 3, ["malformed_chunk_ignored"]),
    ],
)
async def test_a_lasting_fault_is_ungraded_after_its_number_of_calls(
    mock: Mock, behaviour: dict[str, Any], calls: int, suspected: list[str]
) -> None:
    end, findings, called = await mock.judged({**behaviour, "times": None})
    assert isinstance(end, Ungraded), end
    assert (findings, called) == (suspected, calls)
