"""Where lines come from and summaries go."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any


class FileSource:
    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = paths

    def lines(self) -> Iterator[bytes]:
        for path in self._paths:
            with open(path, "rb") as file:
                yield from file


class StdinSource:
    def lines(self) -> Iterator[bytes]:
        yield from sys.stdin.buffer


class StdoutSink:
    def write(self, summary: Mapping[str, Any]) -> None:
        print(json.dumps(summary, indent=2))


class FileSink:
    def __init__(self, path: str) -> None:
        self._path = path

    def write(self, summary: Mapping[str, Any]) -> None:
        text = json.dumps(summary, indent=2)
        with open(self._path, "w", encoding="utf-8") as file:
            file.write(text + "\n")
