"""The command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TypeVar

from .domain import BlowCount, Session, StrikerName
from .protocols import Renderer, Sink
from .rendering import ThwackRenderer

T = TypeVar("T")


def _argument(parse: Callable[[str], T]) -> Callable[[str], T]:
    """An argparse type that shows the message of a ValueError."""

    def convert(raw: str) -> T:
        try:
            return parse(raw)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return convert


class Application:
    """Reads arguments, and lets a session be rendered into a sink."""

    def __init__(self, sink: Sink, renderer: Renderer | None = None) -> None:
        self._sink = sink
        self._renderer = renderer or ThwackRenderer()

    def run(self, arguments: Sequence[str] | None = None) -> int:
        """Run once and return the exit status."""
        session = self._parse(arguments)
        self._sink.write_all(map(self._renderer.render, session.blows()))
        return 0

    def _parse(self, arguments: Sequence[str] | None) -> Session:
        parser = argparse.ArgumentParser(prog="dummy.py", description="Strike the training dummy.")
        parser.add_argument("name", metavar="NAME", type=_argument(StrikerName.parse))
        parser.add_argument("--blows", metavar="N", type=_argument(BlowCount.parse), default=BlowCount(1))
        options = parser.parse_args(arguments)
        return Session(options.name, options.blows)
