"""The command line: a command is an object that declares its arguments and runs."""

import argparse
import json
import re
import sys
from abc import ABC, abstractmethod
from typing import Any

from titan.errors import BatchError, TitanError
from titan.service import Titan


def whole(text: str) -> int:
    """A whole number."""
    if not re.fullmatch(r"-?[0-9]+", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    return int(text)


def time(text: str) -> int:
    """A whole number from 0 up."""
    if whole(text) < 0:
        raise argparse.ArgumentTypeError(f"{text} is below 0")
    return int(text)


def lease(text: str) -> int:
    """A whole number from 1 up."""
    if whole(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is below 1")
    return int(text)


class Command(ABC):
    """One command."""

    name: str

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("journal")
        parser.add_argument("--now", type=time, required=True)

    @abstractmethod
    def run(self, book: Titan, options: argparse.Namespace) -> Any:
        """The answer, or None if nothing is to be printed."""


class Add(Command):
    """add JOURNAL BATCH"""

    name = "add"

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("journal")
        parser.add_argument("batch")
        parser.add_argument("--key")

    def run(self, book: Titan, options: argparse.Namespace) -> Any:
        """Add the batch."""
        with open(options.batch, "rb") as file:
            try:
                batch = json.loads(file.read().decode())
            except (ValueError, RecursionError) as error:
                raise BatchError(f"{options.batch} holds no JSON: {error}") from error
        return {"added": book.add(batch, options.key)}


class Take(Command):
    """take JOURNAL"""

    name = "take"

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments."""
        super().declare(parser)
        parser.add_argument("--lease", type=lease, default=60)

    def run(self, book: Titan, options: argparse.Namespace) -> Any:
        """Begin a job."""
        taken = book.take(options.now, options.lease)
        return {"job": None} if taken is None else {"job": taken[0], "attempt": taken[1]}


class End(Command):
    """done or fail JOURNAL JOB ATTEMPT"""

    def __init__(self, name: str) -> None:
        self.name = name

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments."""
        super().declare(parser)
        parser.add_argument("job")
        parser.add_argument("attempt", type=whole)

    def run(self, book: Titan, options: argparse.Namespace) -> Any:
        """End an attempt."""
        end = {"done": book.done, "fail": book.fail}[self.name]
        return {"counted": end(options.job, options.attempt, options.now)}


class Status(Command):
    """status JOURNAL"""

    name = "status"

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments."""
        super().declare(parser)
        parser.add_argument("--report")

    def run(self, book: Titan, options: argparse.Namespace) -> Any:
        """Print or write the status."""
        if options.report is None:
            return book.status(options.now)
        return book.report(options.report, options.now)


COMMANDS: tuple[Command, ...] = (Add(), Take(), End("done"), End("fail"), Status())


def main(arguments: list[str]) -> int:
    """Run one command and give the exit status."""
    parser = argparse.ArgumentParser(prog="titan", allow_abbrev=False)
    subparsers = parser.add_subparsers(required=True)
    for command in COMMANDS:
        subparser = subparsers.add_parser(command.name, allow_abbrev=False)
        command.declare(subparser)
        subparser.set_defaults(command=command)
    options = parser.parse_args(arguments)
    try:
        answer = options.command.run(Titan(options.journal), options)
    except TitanError as error:
        print(f"titan: {error}", file=sys.stderr)
        return error.exit_status
    except OSError as error:
        print(f"titan: {error}", file=sys.stderr)
        return 1
    if answer is not None:
        print(json.dumps(answer))
    return 3 if answer == {"job": None} else 0
