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
from typing import NamedTuple

import aiohttp
import pytest

from evalforge.cli.commands.web_server import GameServer
from tests.conftest import REPOSITORY

PATIENCE = 60


class Served(NamedTuple):
    """A real server: its port, and the address it printed."""

    port: int
    address: str

    @property
    def token(self) -> str:
        return self.address.partition("?token=")[2]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """A real server, until the tests are through."""
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
    address = process.stdout.readline().split()[-1]
    assert address.startswith(f"http://127.0.0.1:{free}/?token=")
    assert any(answers(free) for _ in range(PATIENCE * 20))
    yield Served(free, address)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 0
    process.stdout.close()


def answers(port: int) -> bool:
    """Whether somebody listens; waits a moment if nobody does."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
    except OSError:
        time.sleep(0.05)
        return False
    return True


def ask(served: Served, path: str = "/", **headers: str) -> tuple[int, str, str]:
    """Open a page as a browser does that was let in, unless its cookies are named."""
    headers = {"Cookie": f"evalforge-{served.port}={served.token}", **headers}
    request = urllib.request.Request(f"http://127.0.0.1:{served.port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.headers["Content-Security-Policy"], answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, "", ""


def test_the_page_is_served_and_may_only_ask_us(served: Served) -> None:
    status, policy, page = ask(served)
    assert status == 200
    assert f"ws://127.0.0.1:{served.port}/ws" in page
    assert "default-src 'self'" in policy
    assert "http" not in policy


def test_a_page_of_somebody_else_is_refused(served: Served) -> None:
    assert ask(served, Origin="http://evil.example")[0] == 403
    assert ask(served, Origin="null")[0] == 403
    assert ask(served, Host=f"evil.example:{served.port}")[0] == 403
    assert ask(served, Origin=f"http://127.0.0.1:{served.port}")[0] == 200


@pytest.mark.parametrize(
    "path", ["/", "/?token=guessed", "/?token=", "/ws?width=80&height=24", "/static/js/textual.js"]
)
@pytest.mark.parametrize("cookie", ["", "evalforge-{port}=guessed", "evalforge-1={token}"])
def test_another_user_of_this_machine_is_not_let_in(served: Served, path: str, cookie: str) -> None:
    assert ask(served, path, Cookie=cookie.format(port=served.port, token=served.token))[0] == 403


async def test_the_printed_address_opens_the_page_and_is_forgotten(served: Served) -> None:
    jar = aiohttp.CookieJar(unsafe=True)  # which takes cookies of an address without a name
    async with aiohttp.ClientSession(cookie_jar=jar) as session, session.get(f"{served.address}&fontsize=20") as answer:
        assert answer.status == 200
        assert str(answer.url) == f"http://127.0.0.1:{served.port}/?fontsize=20"
        assert served.token not in await answer.text()
        (first,) = answer.history
        assert "HttpOnly" in first.headers["Set-Cookie"]
        assert "SameSite=Lax" in first.headers["Set-Cookie"]


async def test_a_game_starts_for_our_page_and_for_no_other(served: Served) -> None:
    port, cookies = served.port, {f"evalforge-{served.port}": served.token}
    address = f"http://127.0.0.1:{port}/ws?width=80&height=24"
    async with aiohttp.ClientSession(cookies=cookies, cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            await session.ws_connect(address, headers={"Origin": "http://evil.example"})
        async with session.ws_connect(address, headers={"Origin": f"http://127.0.0.1:{port}"}) as page:
            seen = b""
            while b"Training Dummy" not in seen:
                message = await page.receive(timeout=PATIENCE)
                seen += message.data if isinstance(message.data, bytes) else str(message.data).encode()


@pytest.mark.parametrize(
    ("bound", "host", "origin", "welcome"),
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
def test_who_is_welcome(bound: str, host: str, origin: str | None, welcome: bool) -> None:
    assert GameServer("true", bound, 8000).welcomes(host, origin) is welcome


def test_the_page_is_ours_and_takes_keys_at_once(served: Served) -> None:
    _, _, page = ask(served)
    assert "<title>EvalForge</title>" in page
    assert "xterm-helper-textarea" in page
    assert "needs 60 columns" in page
    assert "fonts.googleapis" not in page
    assert "Textual" not in page
