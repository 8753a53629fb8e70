"""Messages about runs and sessions to a host and its children, as typed values.

A host trusts its client but not its children, in whose name the player's code may send anything. A malformed message of
either raises ``WireError``.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from . import player_test_messages
from .fields import Fields
from .player_test_messages import PlayerTestPlan
from .wire import WireError

_MAX_TEXT_CHARS = 1000
_MAX_LINE_NUMBER = 10_000_000


class RunLimits(NamedTuple):
    """Limits of one run, in seconds and bytes. See ``RunLimits`` in ``sandbox/report.py``."""

    seconds: float
    memory_bytes: int
    memory_in_all_bytes: int
    output_bytes: int
    file_bytes: int
    scratch_bytes: int
    open_files: int


class Entry(NamedTuple):
    """What to run: ``kind`` is ``script``, ``module``, ``compile``, ``session`` or ``tests``.

    Attributes:
        kind: The kind of entry.
        target: The script's path in the submission, or the module's dotted name.
        paths: The files to compile.
    """

    kind: str
    target: str = ""
    paths: tuple[str, ...] = ()


class AnswerMarks(NamedTuple):
    """What is noted or changed in a run of marked bytecode (see the package ``answers``).

    Attributes:
        name: The built-in name by which marked code finds our function, and the file of the notes.
        noted: What is noted: ``answers`` with effects, ``blocks`` and which state calls share, or ``calls`` of a
            trial's own functions.
        changed: The number of the function whose answers are changed; None if there is none.
        likely: The texts and numbers that it answers elsewhere.
        raised: The number of the block in which an error is raised; None if there is none.
        error: The name of its class.
        is_interrupt: Whether it is one that only ``except BaseException`` takes, such as Ctrl-C.
        put_back: The names whose state is put back where a call begins, each with its file.
    """

    name: str
    noted: str = ""
    changed: int | None = None
    likely: Sequence[Any] = ()
    raised: int | None = None
    error: str = ""
    is_interrupt: bool = False
    put_back: Sequence[Sequence[str]] = ()


class RunRequest(NamedTuple):
    """A request to fork a child.

    Attributes:
        id: The id that the reply must carry.
        mode: ``script`` (a module too), ``compile``, ``session`` or ``tests``.
        source: The submission's folder.
        import_folders: Folders within it to import from; ``""`` is the submission itself.
        bytecode: A folder of compiled modules for ``sys.pycache_prefix``, or ``""``.
        readable: Other folders and files that may be read.
        entry: What to run.
        args: Command-line arguments.
        stdin: Standard input.
        env: Additional environment variables.
        files: Content of files in the working directory, by relative path.
        limits: The run's limits.
        layer: The isolation, a name in ``cage/layers.py``.
        allow_fork: Whether the child may start processes.
        plan: In mode ``tests``, which tests to run.
        watched: The Python files, relative to the submission, whose execution is recorded.
        marks: If ``bytecode`` is marked, or is to be: what is noted or changed.
    """

    id: str
    mode: str
    source: str
    import_folders: list[str]
    bytecode: str
    readable: list[str]
    entry: Entry
    args: list[str]
    stdin: bytes
    env: dict[str, str]
    files: dict[str, bytes]
    limits: RunLimits
    layer: str
    allow_fork: bool
    plan: PlayerTestPlan | None
    watched: list[str]
    marks: AnswerMarks | None


class ExecutionRequest(NamedTuple):
    """A request for what the runs of a submission have executed so far; the reply must carry ``id``."""

    id: str
    source: str


class StopRequest(NamedTuple):
    """A request to end the present run.

    Attributes:
        grace_seconds: How long it may take to end by itself.
        is_late: Whether a call took too long.
    """

    grace_seconds: float
    is_late: bool


class Operation(NamedTuple):
    """One operation of a session, its arguments still encoded."""

    name: str
    args: list[Any]
    kwargs: dict[str, Any]


class CallbackAnswer(NamedTuple):
    """The answer to a callback: a value, still encoded, or the built-in exception that the client's function raised."""

    value: Any
    error_name: str = ""
    error_message: str = ""


class FailureReport(NamedTuple):
    """How a program failed, as its own process reports it.

    Attributes:
        type: The exception's class, e.g. ``ZeroDivisionError``.
        line: The innermost line of the player's code, if it is valid.
        message: The exception's message.
        path: The file of that line.
        refused: What the sandbox refused, e.g. ``open a socket``.
    """

    type: str = ""
    line: int | None = None
    message: str = ""
    path: str = ""
    refused: str = ""


def parse_client_message(message: object) -> RunRequest | ExecutionRequest | StopRequest:
    """Parse a client's message to the host. A request to stop may arrive just after its run has ended."""
    fields = Fields(message)
    if "executed" in fields:
        return ExecutionRequest(fields.text("id"), fields.text("executed"))
    if "mode" not in fields:
        grace = fields.number("grace") if "grace" in fields else 0.0
        return StopRequest(grace, fields.flag("late"))
    return RunRequest(
        id=fields.text("id"),
        mode=fields.text("mode"),
        source=fields.text("source"),
        import_folders=fields.texts("path"),
        bytecode=fields.text("bytecode"),
        readable=fields.texts("readable"),
        entry=_parse_entry(fields.nested("entry")),
        args=fields.texts("args"),
        stdin=_parse_base64(fields.text("stdin")),
        env={name: str(value) for name, value in fields.mapping("env").items()},
        files={name: _parse_base64(str(content)) for name, content in fields.mapping("files").items()},
        limits=_parse_limits(fields.nested("limits")),
        layer=fields.text("layer"),
        allow_fork=fields.flag("allow_fork"),
        plan=player_test_messages.parse_plan(fields.nested("examination")) if "examination" in fields else None,
        watched=fields.texts("watched"),
        marks=_parse_marks(fields.nested("marks")) if "marks" in fields else None,
    )


def _parse_entry(fields: Fields) -> Entry:
    kind = fields.text("kind")
    if kind == "script":
        return Entry(kind, fields.text("path"))
    if kind == "module":
        return Entry(kind, fields.text("name"))
    return Entry(kind, paths=tuple(fields.texts("paths")) if kind == "compile" else ())


def _parse_marks(fields: Fields) -> AnswerMarks:
    changed, raised = (None if fields.get(name) is None else fields.integer(name) for name in ("changed", "raised"))
    return AnswerMarks(
        name=fields.text("name"),
        noted=fields.text("noted"),
        changed=changed,
        likely=fields.items("likely"),
        raised=raised,
        error=fields.text("error"),
        is_interrupt=fields.flag("is_interrupt"),
        put_back=_parse_names(fields.items("put_back")),
    )


def _parse_names(items: list[object]) -> list[list[str]]:
    return [[str(part) for part in Fields({"name": item}).items("name")] for item in items]


def _parse_limits(fields: Fields) -> RunLimits:
    return RunLimits(
        seconds=fields.number("seconds"),
        memory_bytes=fields.integer("memory_bytes"),
        memory_in_all_bytes=fields.integer("memory_in_all_bytes"),
        output_bytes=fields.integer("output_bytes"),
        file_bytes=fields.integer("file_bytes"),
        scratch_bytes=fields.integer("scratch_bytes"),
        open_files=fields.integer("open_files"),
    )


def _parse_base64(text: str) -> bytes:
    try:
        return base64.b64decode(text)
    except ValueError:
        raise WireError("a message that is not in base64") from None


def parse_operation(message: object) -> Operation:
    """Parse one operation of a session."""
    fields = Fields(message)
    args = fields.items("args") if "args" in fields else []
    return Operation(fields.text("op"), args, fields.mapping("kwargs") if "kwargs" in fields else {})


def parse_callback_answer(message: object) -> CallbackAnswer:
    """Parse the answer to a callback: ``{"return": value}`` or ``{"raise": name, "message": text}``."""
    fields = Fields(message)
    if "raise" in fields:
        return CallbackAnswer(None, fields.text("raise"), fields.text("message"))
    return CallbackAnswer(fields.get("return"))


def parse_failure_report(body: bytes) -> FailureReport | None:
    """Parse how the program failed, as far as it is valid, since the program may have written it; None if it isn't."""
    if not body:
        return FailureReport()
    try:
        fields = Fields(json.loads(body))
        line = fields.get("line")
        return FailureReport(
            type=_short_text(fields, "type"),
            line=line if type(line) is int and 0 < line < _MAX_LINE_NUMBER else None,
            message=_short_text(fields, "message"),
            path=_short_text(fields, "path"),
            refused=_short_text(fields, "refused"),
        )
    except (ValueError, RecursionError, WireError):
        return None


def _short_text(fields: Fields, name: str) -> str:
    return str(fields.get(name) or "")[:_MAX_TEXT_CHARS]


def is_submitted_file(folder: str, path: str) -> bool:
    """Whether a path relative to the submission's folder names a file in it, as a program may name any."""
    # When joined to a folder, an absolute path replaces it, and one that begins with ".." leaves it.
    is_inside = bool(path) and os.path.normpath(path) == path and path[0] != "/" and path.partition("/")[0] != ".."
    return is_inside and os.path.isfile(os.path.join(folder, path))
