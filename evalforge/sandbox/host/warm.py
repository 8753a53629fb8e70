"""What programs of players commonly need, made ready once in the host instead of in each run.

That is more than importing: the first use of a library compiles patterns and fills tables, which takes longer than all
else that a small program does.
"""

from __future__ import annotations

import contextlib
import importlib
import io

_MODULES = """
abc argparse ast asyncio base64 bisect calendar collections.abc configparser contextlib copy csv ctypes dataclasses
datetime decimal difflib enum errno fnmatch fractions functools getopt glob hashlib heapq inspect io itertools json
logging logging.handlers math numbers operator os.path pathlib pickle platform pprint py_compile queue random re secrets
shutil signal sqlite3 statistics string struct subprocess tempfile textwrap threading time timeit tokenize traceback
types typing unittest unittest.mock uuid warnings weakref zlib concurrent.futures encodings.idna zoneinfo select
selectors _strptime encodings.unicode_escape
""".split()

_OFTEN = 8  # after as many calls the interpreter has made a function quicker, which writes to its memory


def up():
    """Load modules and use them; what an interpreter lacks is left out."""
    for name in _MODULES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for use in (_command_lines, _data, _logs, _dates, _signatures):
        with contextlib.suppress(Exception):
            for _ in range(_OFTEN):
                use()


def _command_lines():
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


def _data():
    import csv
    import json
    from pathlib import Path

    document = {"numbers": [1, -2.5, 10**20], "text": "aé\n", "flags": [True, None], "inner": {"empty": []}}
    for options in ({}, {"indent": 2, "sort_keys": True}, {"ensure_ascii": False}):
        json.loads(json.dumps(document, **options))
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


def _logs():
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
            raise ValueError("words")
        except ValueError:
            log.exception("it did not go well")
    finally:
        for handler in logging.root.handlers:
            handler.close()
        logging.root.handlers[:] = handlers
        logging.root.setLevel(level)


def _dates():
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


def _signatures():
    import inspect

    inspect.signature(dict.get)
