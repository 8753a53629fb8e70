"""The command line."""

import argparse
import json
import re
import sys

from . import BatchError, Titan, TitanError


def whole(least=None):
    """A parser of whole numbers for argparse."""

    def parse(text):
        if not re.fullmatch(r"-?[0-9]+", text) or (least is not None and int(text) < least):
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number that makes sense")
        return int(text)

    return parse


def arguments(argv):
    """What the command line says; ends with 2 if it is wrong."""
    parser = argparse.ArgumentParser(prog="titan")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("add", "take", "done", "fail", "status"):
        command = commands.add_parser(name)
        command.add_argument("journal")
        if name == "add":
            command.add_argument("batch")
            command.add_argument("--key")
            continue
        if name in ("done", "fail"):
            command.add_argument("job")
            command.add_argument("attempt", type=whole())
        command.add_argument("--now", type=whole(0), required=True)
        if name == "take":
            command.add_argument("--lease", type=whole(1), default=60)
        if name == "status":
            command.add_argument("--report")
    return parser.parse_args(argv)


def add(book, options):
    with open(options.batch, encoding="utf-8") as file:
        try:
            batch = json.load(file)
        except ValueError as error:
            raise BatchError(f"{options.batch} is no JSON: {error}") from error
    return {"added": book.add(batch, options.key)}


def take(book, options):
    job, attempt = book.take(options.now, options.lease) or (None, None)
    return {"job": None} if job is None else {"job": job, "attempt": attempt}


def say(book, options):
    word = book.done if options.command == "done" else book.fail
    return {"counted": word(options.job, options.attempt, options.now)}


def status(book, options):
    if options.report is None:
        return book.status(options.now)
    return book.report(options.report, options.now)


COMMANDS = {"add": add, "take": take, "done": say, "fail": say, "status": status}


def main(argv=None):
    """Run one command; gives the exit status."""
    options = arguments(argv)
    try:
        book = Titan(options.journal)
        answer = COMMANDS[options.command](book, options)
        book.close()
    except TitanError as error:
        print(error, file=sys.stderr)
        return error.status
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    if answer is not None:
        print(json.dumps(answer))
    return 3 if answer == {"job": None} else 0


if __name__ == "__main__":
    sys.exit(main())
