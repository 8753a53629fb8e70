"""The command line."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any

from titan.book import Titan
from titan.errors import BatchError, TitanError

NOTHING_READY = 3


def parser() -> argparse.ArgumentParser:
    """All commands and their arguments."""
    top = argparse.ArgumentParser(prog="titan.py")
    commands = top.add_subparsers(dest="command", required=True)
    for name in ("add", "take", "done", "fail", "status"):
        command = commands.add_parser(name)
        command.add_argument("journal")
        if name == "add":
            command.add_argument("batch")
            command.add_argument("--key")
            continue
        if name in ("done", "fail"):
            command.add_argument("job")
            command.add_argument("attempt", type=int)
        command.add_argument("--now", type=int, required=True)
        command.add_argument("--lease", type=int, default=60)
        command.add_argument("--report")
    return top


def load(path: str) -> Any:
    """A batch from a file.

    Raises:
        BatchError: It holds no JSON.
    """
    with open(path, "rb") as file:
        try:
            return json.load(file)
        except ValueError as error:
            raise BatchError(f"{path}: {error}") from error


def answer(options: argparse.Namespace) -> Any:
    """What a command has to say; None for nothing at all."""
    book = Titan(options.journal)
    match options.command:
        case "add":
            return {"added": book.add(load(options.batch), options.key)}
        case "take":
            job, attempt = book.take(options.now, options.lease) or (None, None)
            return {"job": job} if job is None else {"job": job, "attempt": attempt}
        case "status":
            return book.status(options.now) if not options.report else book.report(options.report, options.now)
        case how:
            say = {"done": book.done, "fail": book.fail}[how]
            return {"counted": say(options.job, options.attempt, options.now)}


def main(argv: list[str] | None = None) -> int:
    """Run a command and give its exit status."""
    try:
        told = answer(parser().parse_args(argv))
    except TitanError as error:
        print(error, file=sys.stderr)
        return error.exit_status
    except OSError as error:
        print(error, file=sys.stderr)
        return os.EX_NOINPUT
    if told is not None:
        print(json.dumps(told))
    return NOTHING_READY if told == {"job": None} else os.EX_OK
