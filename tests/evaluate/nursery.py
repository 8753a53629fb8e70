"""Processes that begin at once: everything is loaded here, and each command gets a fork of its own.

A line of JSON with ``arguments``, ``home``, ``out`` and ``err`` comes in; the process id goes out, then how it ended.
"""

import asyncio
import json
import os
import sys
from contextlib import suppress
from typing import Any

import evalforge.cli.commands.evaluate
from evalforge.cli.main import main
from evalforge.llm import message_batches, sdk_client
from evalforge.llm.failure import CallFailedError
from evalforge.llm.model_options import ModelOptions


def live(order: dict[str, Any]) -> int:
    """One command, from its beginning to its end, in this process."""
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(order[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.environ["EVALFORGE_HOME"] = os.environ["HOME"] = order["home"]
    os.chdir(order["home"])
    try:
        return main(order["arguments"])
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


async def warm() -> None:
    """One call to nobody, so that all that is loaded late is loaded here."""
    request = sdk_client.Request("m", ("x",), (), 1)
    connection = sdk_client.Client(ModelOptions(("m",), "http://127.0.0.1:9"), 5.0)
    for call in (
        connection.count_tokens(request),
        message_batches.list_newest(connection),
    ):
        with suppress(CallFailedError):
            await call
    with suppress(CallFailedError):
        async for _ in connection.stream(request):
            pass
    await connection.close()


asyncio.run(warm())
assert evalforge.cli.commands.evaluate
while line := sys.stdin.readline():
    pid = os.fork()
    if pid == 0:
        os._exit(live(json.loads(line)))
    print(pid, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
