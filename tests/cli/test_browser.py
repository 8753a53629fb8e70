"""A fight in a real browser, from the first key to the verdict."""

import asyncio
import base64
import json
import os
import re
import shutil
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from evalforge.history.store import History
from evalforge.model.result import Verdict
from evalforge.packs.locations import HISTORY
from tests.conftest import REPOSITORY

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 90.0
_ESCAPES = re.compile(r"\x1b\[[0-9;?<>=]*[A-Za-z]|\x1b[()][0-9A-B]|\x1b[=>]")
_KEYS = {"Enter": ("Enter", 13, "\r"), "Escape": ("Escape", 27, "")}

pytestmark = pytest.mark.skipif(BROWSER is None, reason="needs Chromium")


class Page:
    """A page of the browser, through its DevTools protocol."""

    def __init__(self, line: aiohttp.ClientWebSocketResponse) -> None:
        self._line = line
        self._count = 0
        self.seen = ""
        """All that the server wrote to the page's terminal, without what only steers one."""

    async def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._count += 1
        await self._line.send_json({"id": self._count, "method": method, "params": parameters})
        while (message := await self._next()).get("id") != self._count:
            pass
        return message.get("result", {})

    async def _next(self) -> dict[str, Any]:
        message = json.loads((await self._line.receive(PATIENCE)).data)
        if message.get("method") == "Network.webSocketFrameReceived":
            frame = message["params"]["response"]
            data = frame["payloadData"]
            text = base64.b64decode(data).decode("utf-8", "replace") if frame["opcode"] == 2 else data
            self.seen += _ESCAPES.sub("", text)
        return message

    async def until(self, holds: Callable[[str], bool], what: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while not holds(self.seen):
                    await self._next()
        except TimeoutError:
            told = re.sub(r"[ ─]{3,}", " ", self.seen)
            raise AssertionError(f"it never came to this: {what}\n{told[-6000:]}") from None

    async def press(self, key: str) -> None:
        name, code, text = _KEYS[key] if key in _KEYS else (key, ord(key.upper()), key)
        common = {"key": name, "windowsVirtualKeyCode": code}
        self.seen = ""
        await self.ask("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **common)
        await self.ask("Input.dispatchKeyEvent", type="keyUp", **common)

    async def value(self, expression: str) -> Any:
        """The value of an expression in the page."""
        return (await self.ask("Runtime.evaluate", expression=expression))["result"].get("value")

    async def type(self, text: str) -> None:
        await self.ask("Input.insertText", text=text)


@asynccontextmanager
async def browser(folder: Path) -> AsyncIterator[Page]:
    """A fresh browser with one empty page."""
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--window-size=1400,1000"]
    process = await asyncio.create_subprocess_exec(
        str(BROWSER), *flags, f"--user-data-dir={folder}", "about:blank", stderr=asyncio.subprocess.PIPE
    )
    try:
        assert process.stderr is not None
        address = b""
        while b"DevTools listening on" not in address:
            address = await asyncio.wait_for(process.stderr.readline(), PATIENCE)
        port = address.decode().split("127.0.0.1:")[1].split("/")[0]
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/json/list") as answer:
                page = next(one for one in await answer.json() if one["type"] == "page")
            async with session.ws_connect(page["webSocketDebuggerUrl"], max_msg_size=0) as line:
                yield Page(line)
    finally:
        process.kill()
        await process.wait()


@asynccontextmanager
async def served(home: Path, *options: str) -> AsyncIterator[str]:
    """The game, served; its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "evalforge", "--motion", "none", "serve", "--port", str(port), *options),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "EVALFORGE_HOME": str(home)},
    )
    try:
        assert process.stdout is not None
        said = (await process.stdout.readline()).decode()
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                await asyncio.sleep(0.05)
        yield said.split()[-1]
    finally:
        process.send_signal(signal.SIGINT)
        await asyncio.wait_for(process.wait(), PATIENCE)


async def test_a_fight_is_fought_by_keyboard_in_a_browser(tmp_path: Path) -> None:
    solution = tmp_path / "solution"
    shutil.copytree(REPOSITORY / "bosses/training-dummy/exemplars/flawless", solution)
    async with served(tmp_path / "home") as address, browser(tmp_path / "profile") as page:
        await page.ask("Network.enable")
        await page.ask("Page.enable")
        await page.ask("Page.navigate", url=address)
        await page.until(lambda seen: "two minutes" in seen, "the welcome")
        await page.press("Escape")
        await page.until(lambda seen: "P progress" in seen, "the roster")
        await page.press("Enter")
        await page.until(lambda seen: "ctrl+n starter folder" in seen, "the briefing of a boss that is new")
        await page.press("Enter")
        await page.until(lambda seen: "choose your solution folder" in seen, "the arena")
        await page.type(str(solution))
        await page.until(lambda seen: "3 files" in seen, "what will be handed in")
        await page.press("Enter")
        await page.until(lambda seen: "again" in seen, "the end of the fight")
    with History(tmp_path / "home" / HISTORY) as history:
        assert [row.verdict for row in history.page()] == [Verdict.STRONG_PASS]


async def test_the_room_sees_the_stage_and_the_speaker_the_notes(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with (
        served(home, "--stage", "training-dummy") as stage,
        served(home, "--notes", "training-dummy") as notes,
        browser(tmp_path / "room") as room,
        browser(tmp_path / "speaker") as speaker,
    ):
        for page, address in ((speaker, notes), (room, stage)):
            await page.ask("Network.enable")
            await page.ask("Page.navigate", url=address)
        await room.until(lambda seen: "THE MISSION" in seen, "the mission, for the room")
        await speaker.until(lambda seen: "step 1 of" in seen, "the notes have found the stage")
        await room.press(" ")
        await room.until(lambda seen: "contract" in seen.lower(), "one step on")
        await speaker.until(lambda seen: "step 2 of" in seen, "and the notes with it")
    if (home / HISTORY).exists():
        with History(home / HISTORY) as history:
            assert not history.page()


async def test_the_page_is_ours_and_begins_again_by_a_key(tmp_path: Path) -> None:
    async with served(tmp_path / "home") as address, browser(tmp_path / "profile") as page:
        await page.ask("Network.enable")
        await page.ask("Page.navigate", url=address)
        await page.until(lambda seen: "two minutes" in seen, "the welcome")
        assert await page.value("document.title") == "EvalForge"
        await page.press("Escape")
        await page.until(lambda seen: "P progress" in seen, "the roster")
        await page.press("q")
        while "-closed" not in await page.value("document.body.className"):
            await asyncio.sleep(0.05)
        assert "Your attempts are kept" in await page.value("document.querySelector('.closed').innerText")
        await page.press("Enter")
        await page.until(lambda seen: "Training Dummy" in seen, "the game again")


@pytest.mark.parametrize(("width", "too_narrow"), [(280, True), (390, False), (844, False)])
async def test_a_phone_reads_sixty_columns_or_why_not(tmp_path: Path, width: int, too_narrow: bool) -> None:
    async with served(tmp_path / "home") as address, browser(tmp_path / "profile") as page:
        await page.ask("Network.enable")
        await page.ask("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=2, mobile=True)
        await page.ask("Page.navigate", url=address)
        await page.until(lambda seen: "two-minute" in seen or "Too small" in seen, "the welcome, or why not")
        shown = await page.value("getComputedStyle(document.querySelector('.narrow')).display") == "block"
        assert shown == too_narrow
        assert "needs 60 columns" in await page.value("document.querySelector('.narrow').innerText")
