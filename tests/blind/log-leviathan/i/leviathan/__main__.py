"""Command line of the Leviathan."""

import argparse
import sys

from leviathan.adapters import FileSink, FileSource, StdinSource, StdoutSink
from leviathan.application import Application, default_collectors
from leviathan.parsing import RegexParser


def whole_number(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number, 0 or more")
    return int(text)


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="log_leviathan", description="Summarise logs of any length.")
    parser.add_argument("files", metavar="FILE", nargs="*", help="logs; standard input if there is none")
    parser.add_argument("--top", metavar="N", type=whole_number, default=5, help="how many of the slowest requests")
    parser.add_argument("--output", metavar="PATH", help="where the summary goes")
    return parser


def main(arguments: list[str] | None = None) -> int:
    options = build_parser().parse_intermixed_args(arguments)
    application = Application(
        source=FileSource(options.files) if options.files else StdinSource(),
        parser=RegexParser(),
        collectors=default_collectors(options.top),
        sink=FileSink(options.output) if options.output is not None else StdoutSink(),
    )
    try:
        application.run()
    except OSError as error:
        print(f"log_leviathan: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
