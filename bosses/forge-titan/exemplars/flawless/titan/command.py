"""The command line: reads arguments, calls the book, prints JSON or a refusal."""

import argparse
import json
import sys

from titan.book import Titan
from titan.errors import BatchError, TitanError

UNREADABLE, NOTHING_READY = 1, 3


def main(argv=None):
    """Run one command and give the exit status."""
    options = parser().parse_args(argv)
    try:
        return options.run(options)
    except TitanError as error:
        print(error, file=sys.stderr)
        return error.status
    except OSError as error:
        print(error, file=sys.stderr)
        return UNREADABLE


def parser():
    """The arguments of all commands."""
    top = argparse.ArgumentParser(prog="titan.py", description="The order book of the forge.")
    commands = top.add_subparsers(required=True)
    add = _command(commands, "add", _add)
    add.add_argument("batch")
    add.add_argument("--key")
    take = _command(commands, "take", _take)
    take.add_argument("--lease", type=_whole(1), default=60)
    for name in ("done", "fail"):
        ended = _command(commands, name, _end, name=name)
        ended.add_argument("job")
        ended.add_argument("attempt", type=_whole(0))
    status = _command(commands, "status", _status)
    status.add_argument("--report")
    for command in commands.choices.values():
        if command is not add:
            command.add_argument("--now", type=_whole(0), required=True)
    return top


def _command(commands, command, run, **defaults):
    added = commands.add_parser(command)
    added.add_argument("journal")
    added.set_defaults(run=run, **defaults)
    return added


def _whole(least):
    def whole(text):
        if not text.isascii() or not text.isdigit() or int(text) < least:
            raise argparse.ArgumentTypeError(f"not a whole number from {least} up: {text}")
        return int(text)

    return whole


def _add(options):
    batch = read_batch(options.batch)
    _print({"added": Titan(options.journal).add(batch, options.key)})
    return 0


def read_batch(path):
    """The batch in a file.

    Raises:
        BatchError: It holds no JSON.
    """
    with open(path, "rb") as file:
        content = file.read()
    try:
        return json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        raise BatchError(f"{path} holds no JSON") from None


def _take(options):
    taken = Titan(options.journal).take(options.now, options.lease)
    if taken is None:
        _print({"job": None})
        return NOTHING_READY
    job, attempt = taken
    _print({"job": job, "attempt": attempt})
    return 0


def _end(options):
    book = Titan(options.journal)
    say = book.done if options.name == "done" else book.fail
    _print({"counted": say(options.job, options.attempt, options.now)})
    return 0


def _status(options):
    book = Titan(options.journal)
    if options.report is None:
        _print(book.status(options.now))
    else:
        book.report(options.report, options.now)
    return 0


def _print(answer):
    print(json.dumps(answer))
