"""The game in a browser: only for this machine's own page, and nothing is asked from strangers."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

import aiohttp
import pytest

from evalforge.cli.commands.web_server import GameServer
from tests.conftest import REPOSITORY

PATIENCE = 60


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Where a real server listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "evalforge", "serve", "--port", str(free)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    assert process.stdout is not None
    assert f":{free}" in process.stdout.readline()
    assert any(answers(free) for _ in range(PATIENCE * 20))
    yield free
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 0


def answers(port: int) -> bool:
    """Whether somebody listens; waits a moment if nobody does."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
    except OSError:
        time.sleep(0.05)
        return False
    return True


def ask(port: int, **headers: str) -> tuple[int, str, str]:
    request = urllib.request.Request(f"http://127.0.0.1:{port}/", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.headers["Content-Security-Policy"], answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, "", ""


def test_the_page_is_served_and_may_only_ask_us(port: int) -> None:
    status, policy, page = ask(port)
    assert status == 200
    assert f"ws://127.0.0.1:{port}/ws" in page
    assert "default-src 'self'" in policy
    assert "http" not in policy


def test_a_page_of_somebody_else_is_refused(port: int) -> None:
    assert ask(port, Origin="http://evil.example")[0] == 403
    assert ask(port, Origin="null")[0] == 403
    assert ask(port, Host=f"evil.example:{port}")[0] == 403
    assert ask(port, Origin=f"http://127.0.0.1:{port}")[0] == 200


async def test_a_game_starts_for_our_page_and_for_no_other(port: int) -> None:
    address = f"http://127.0.0.1:{port}/ws?width=80&height=24"
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            await session.ws_connect(address, headers={"Origin": "http://evil.example"})
        async with session.ws_connect(address, headers={"Origin": f"http://127.0.0.1:{port}"}) as page:
            seen = b""
            while b"Training Dummy" not in seen:
                message = await page.receive(timeout=PATIENCE)
                seen += message.data if isinstance(message.data, bytes) else str(message.data).encode()


@pytest.mark.parametrize(
    ("served", "host", "origin", "welcome"),
    [
        ("127.0.0.1", "127.0.0.1:8000", None, True),
        ("127.0.0.1", "localhost:8000", "http://localhost:8000", True),
        ("::1", "[::1]:8000", "http://[::1]:8000", True),
        ("127.0.0.1", "localhost:8000", "http://localhost:9000", False),
        ("127.0.0.1", "localhost:9000", None, False),
        ("127.0.0.1", "rebound.example:8000", "http://rebound.example:8000", False),
        ("0.0.0.0", "forge.lan:8000", "http://forge.lan:8000", True),
        ("0.0.0.0", "forge.lan:8000", "http://evil.example", False),
    ],
)
def test_who_is_welcome(served: str, host: str, origin: str | None, welcome: bool) -> None:
    assert GameServer("true", served, 8000).welcomes(host, origin) is welcome
