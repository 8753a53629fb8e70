"""The journal as a file: locked while it is open, and not a moment longer."""

import asyncio
import os
import time
from pathlib import Path

import pytest

from evalforge.evaluate.journal import CallFailed, Journal

_LINE = CallFailed(rubric="9f2c", call="i00001-", reason="The connection broke.", usd=0.0)


async def test_a_cancelled_sync_leaves_the_journal_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sync in another thread keeps an open file alive, and its lock with it, whoever closes the file meanwhile."""
    sync, is_syncing = os.fsync, asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow_sync(file: int) -> None:
        # As the kernel does: the file stays open until it is synced. The sync that closing makes is over before.
        held = os.dup(file)
        if not is_syncing.is_set():
            loop.call_soon_threadsafe(is_syncing.set)
            time.sleep(0.3)  # a file closed meanwhile would be found locked below
        sync(held)
        os.close(held)

    monkeypatch.setattr(os, "fsync", slow_sync)

    async def write() -> None:
        with Journal(tmp_path / "journal.jsonl") as journal:
            journal.write(_LINE)
            await journal.wait_until_synced()

    task = asyncio.create_task(write())
    await is_syncing.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    monkeypatch.undo()
    with Journal(tmp_path / "journal.jsonl") as journal:
        journal.write(_LINE)
    assert (tmp_path / "journal.jsonl").read_bytes().count(b"\n") == 2
