"""Work done once in the host to spare each run: load and use modules, and make forks cheap.

Importing isn't enough: the first use of a library compiles patterns and fills tables, which takes longer than
everything else in a small program.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
from typing import Any

_MODULES = """
abc argparse ast asyncio base64 bisect calendar collections.abc configparser contextlib copy csv ctypes dataclasses
datetime decimal difflib enum errno fnmatch fractions functools getopt glob hashlib heapq inspect io itertools json
logging logging.handlers math numbers operator os.path pathlib pickle platform pprint py_compile queue random re secrets
shutil signal sqlite3 statistics string struct subprocess tempfile textwrap threading time timeit tokenize traceback
types typing unittest unittest.mock uuid warnings weakref zlib concurrent.futures encodings.idna zoneinfo select
selectors _strptime encodings.unicode_escape
""".split()

_USES = 8  # after that many calls the interpreter has optimized a function, which writes to its memory

_register_at_fork: Any = getattr(os, "register_at_fork", None)
_held_fork_hooks: list[dict[str, Any]] = []


def hold_fork_hooks() -> None:
    """Start holding back the fork hooks that modules register. Call this before importing those modules.

    The host forks hundreds of times, always with one thread and no lock held, and the child seeds its random numbers
    again. So these hooks have nothing to repair, but they make up much of a fork's cost. Code that may fork by itself
    gets them back.
    """
    _set_register_at_fork(_hold_fork_hook)


def release_fork_hooks() -> None:
    """Let modules register their fork hooks themselves again."""
    _set_register_at_fork(_register_at_fork)


def restore_fork_hooks() -> None:
    """Register the fork hooks that were held back, for this process and its forks."""
    while _held_fork_hooks:
        _register_at_fork(**_held_fork_hooks.pop(0))


def _hold_fork_hook(**functions: Any) -> None:
    _held_fork_hooks.append(functions)


def _set_register_at_fork(function: Any) -> None:
    if _register_at_fork is not None:
        os.register_at_fork = function


def load_and_use_modules() -> None:
    """Load and use the modules that players' programs often need; ones missing in the interpreter are skipped."""
    for name in _MODULES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for use in (_use_argparse, _use_data_formats, _use_logging, _use_dates, _use_signatures):
        with contextlib.suppress(Exception):
            for _ in range(_USES):
                use()


def _use_argparse() -> None:
    import argparse

    parser = argparse.ArgumentParser(prog="warm", description="words", epilog="words")
    parser.add_argument("file", help="words")
    parser.add_argument("more", nargs="*")
    parser.add_argument("-n", "--number", type=int, default=1, metavar="N", help="words (default: %(default)s)")
    parser.add_argument("--ratio", type=float, required=True)
    parser.add_argument("--pair", nargs=2)
    parser.add_argument("--kind", choices=("one", "other"))
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_mutually_exclusive_group().add_argument("--only", action="append")
    parser.parse_args(["a", "--ratio", "-1.5", "-n", "2", "-v", "--pair", "1", "2", "--kind=one", "--only", "x"])
    for line in (["--help"], [], ["a", "--ratio", "x"], ["a", "--ratio", "1", "--kind", "none"]):
        out, err = contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO())
        with contextlib.suppress(SystemExit), out, err:
            parser.parse_args(line)
    commands = argparse.ArgumentParser(prog="warm").add_subparsers(dest="command", required=True)
    commands.add_parser("go", help="words").add_argument("number", type=int)


def _use_data_formats() -> None:
    import csv
    import json
    from pathlib import Path

    document: dict[str, Any] = {
        "numbers": [1, -2.5, 10**20],
        "text": "aé\n",
        "flags": [True, None],
        "inner": {"empty": []},
    }
    json.loads(json.dumps(document))
    json.loads(json.dumps(document, indent=2, sort_keys=True))
    json.loads(json.dumps(document, ensure_ascii=False))
    with contextlib.suppress(ValueError):
        json.loads('{"a": ')
    table = io.StringIO(newline="")
    writer = csv.DictWriter(table, fieldnames=["a", "b"])
    writer.writeheader()
    writer.writerows([{"a": 1, "b": "x,y"}, {"a": 2.5, "b": '"'}])
    table.seek(0)
    list(csv.DictReader(table))
    file = Path(__file__).resolve()
    file.read_text(encoding="utf-8").splitlines()
    with file.open(encoding="utf-8") as lines:
        next(lines).strip().split()


def _use_logging() -> None:
    import logging

    handlers, level = logging.root.handlers[:], logging.root.level
    logging.root.handlers.clear()
    try:
        logging.basicConfig(
            stream=io.StringIO(), level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
        )
        log = logging.getLogger("asyncio")
        log.debug("not %s", "shown")
        log.info("%d of %s", 1, "all")
        try:
            int("words")
        except ValueError:
            log.exception("it did not go well")
    finally:
        for handler in logging.root.handlers:
            handler.close()
        logging.root.handlers[:] = handlers
        logging.root.setLevel(level)


def _use_dates() -> None:
    import datetime as dt

    for text, form in (
        ("2026-01-02", "%Y-%m-%d"),
        ("2026-01-02 03:04", "%Y-%m-%d %H:%M"),
        ("2026-01-02T03:04:05", "%Y-%m-%dT%H:%M:%S"),
        ("2026-01-02T03:04:05Z", "%Y-%m-%dT%H:%M:%SZ"),
        ("2026-01-02T03:04:05.678Z", "%Y-%m-%dT%H:%M:%S.%fZ"),
        ("03:04", "%H:%M"),
    ):
        dt.datetime.strptime(text, form)  # noqa: DTZ007 - nothing is done with it


def _use_signatures() -> None:
    import inspect

    inspect.signature(str.split)
