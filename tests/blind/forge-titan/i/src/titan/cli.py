"""The command line."""

import argparse
import json
import sys
from typing import Any

from .errors import BatchError, ConflictError, JournalError, StaleError, TitanError
from .titan import Titan

STATUSES = {BatchError: 4, ConflictError: 5, StaleError: 5, JournalError: 6, OSError: 1}
NOTHING_READY = 3


class FileTrouble(OSError):
    """A file can't be read or written; the message names it."""

    def __init__(self, path: str, error: OSError) -> None:
        super().__init__(f"{path}: {error.strerror or error}")


def load(path: str) -> Any:
    """What a file holds as JSON."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except OSError as error:
        raise FileTrouble(path, error) from error
    except (ValueError, RecursionError) as error:
        raise BatchError(f"{path} holds no JSON: {error}") from error


def number(least: int | None = None):
    """A converter for whole numbers, from a least one up."""

    def convert(text: str) -> int:
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit()) or (least is not None and int(text) < least):
            raise argparse.ArgumentTypeError(f"no whole number, or too small: {text!r}")
        return int(text)

    return convert


def run_add(book: Titan, options: argparse.Namespace) -> Any:
    """add: a batch from a file."""
    return {"added": book.add(load(options.batch), options.key)}


def run_take(book: Titan, options: argparse.Namespace) -> Any:
    """take: the first job that is ready."""
    job, attempt = book.take(options.now, options.lease) or (None, None)
    return {"job": None} if job is None else {"job": job, "attempt": attempt}


def run_done(book: Titan, options: argparse.Namespace) -> Any:
    """done: an attempt succeeded."""
    return {"counted": book.done(options.job, options.attempt, options.now)}


def run_fail(book: Titan, options: argparse.Namespace) -> Any:
    """fail: an attempt failed."""
    return {"counted": book.fail(options.job, options.attempt, options.now)}


def run_status(book: Titan, options: argparse.Namespace) -> Any:
    """status: to standard output, or into a file."""
    if options.report is None:
        return book.status(options.now)
    try:
        book.report(options.report, options.now)
    except OSError as error:
        raise FileTrouble(options.report, error) from error
    return None


def build_parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = argparse.ArgumentParser(prog="titan", allow_abbrev=False)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def add_command(run, timed: bool = True) -> argparse.ArgumentParser:
        command = commands.add_parser(run.__name__.removeprefix("run_"), help=run.__doc__, allow_abbrev=False)
        command.set_defaults(run=run)
        command.add_argument("journal", metavar="JOURNAL")
        if timed:
            command.add_argument("--now", metavar="T", type=number(0), required=True)
        return command

    add = add_command(run_add, timed=False)
    add.add_argument("batch", metavar="BATCH")
    add.add_argument("--key", metavar="KEY")
    add_command(run_take).add_argument("--lease", metavar="S", type=number(1), default=60)
    for run in (run_done, run_fail):
        command = add_command(run)
        command.add_argument("job", metavar="JOB")
        command.add_argument("attempt", metavar="ATTEMPT", type=number())
    add_command(run_status).add_argument("--report", metavar="PATH")
    return parser


def main(arguments: list[str]) -> int:
    """Run one command; the exit status."""
    options = build_parser().parse_args(arguments)
    try:
        book = Titan(options.journal)
        answer = options.run(book, options)
        book.close()
    except (TitanError, OSError) as error:
        print(f"titan: {error}", file=sys.stderr)
        return next(status for kind, status in STATUSES.items() if isinstance(error, kind))
    if answer is not None:
        print(json.dumps(answer))
    return NOTHING_READY if answer == {"job": None} else 0
