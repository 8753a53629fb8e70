"""The messages about the player's tests, as typed values: to the host, and between its processes.

The workers belong to the player's code, so what they answer may be anything.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from .fields import Fields
from .wire import WireError


class PlayerTestPlan(NamedTuple):
    """Which tests to run.

    Attributes:
        tests: Paths of test files, e.g. ``tests/test_tally.py``.
        code: Paths of the other Python files.
        import_folders: Folders within the submission to import from; ``""`` is the submission itself.
        seconds: Wall clock for all of it, but for the wait.
        wait_seconds: How long to wait for mutants at most.
        is_reversed: Whether the first run is in reverse order.
        is_repeated: Whether the tests run twice in any case; if not, only where one fails.
        laid_out: Source by path of a program that stands in for the player's; on disk its files are empty.
        inner_modules: Dotted names of modules that the player's program has and the laid-out one need not have.
        inner_names: Names in the player's modules that the laid-out program need not have.
        inner_errors: Those of them that are exceptions.
        settings_file: Path of the file with the settings for pytest; empty if there is none.
        options: Options for pytest that choose tests.
        libraries: Test libraries that the submission names.
    """

    tests: list[str]
    code: list[str]
    import_folders: list[str]
    seconds: float
    wait_seconds: float
    is_reversed: bool
    is_repeated: bool
    laid_out: dict[str, str]
    inner_modules: list[str]
    inner_names: list[str]
    inner_errors: list[str]
    settings_file: str
    options: list[str]
    libraries: list[str]


class Edit(NamedTuple):
    """A span of bytes of a file, and the text to put in its place."""

    start: int
    end: int
    text: str


class FileChange(NamedTuple):
    """What a mutant changes in one file.

    Attributes:
        path: The file, relative to the submission.
        edits: The changes, in ascending order.
    """

    path: str
    edits: list[Edit]


class MutantJob(NamedTuple):
    """A mutant, and the tests to run on it. Nothing in it says whether it is a control.

    Attributes:
        number: What the outcome is to carry.
        changes: The files to change; copies of what the first one changes come after it.
        tests: Names of tests.
        is_live: Whether to change functions that are loaded, instead of loading the changed file.
        seconds: Wall clock.
        cpu_seconds: Processor time.
    """

    number: int
    changes: list[FileChange]
    tests: list[str]
    is_live: bool
    seconds: float
    cpu_seconds: float

    def below(self, root: str) -> MutantJob:
        """The same with whole paths."""
        return self._replace(changes=[FileChange(root + path, edits) for path, edits in self.changes])

    def as_request(self) -> dict[str, object]:
        """The job as a worker reads it."""
        return {
            "op": "judge",
            "number": self.number,
            "changes": [
                {"path": change.path, "edits": [list(edit) for edit in change.edits]} for change in self.changes
            ],
            "live": self.is_live,
            "tests": self.tests,
            "seconds": self.seconds,
            "cpu": self.cpu_seconds,
        }


class BaselineRun(NamedTuple):
    """A run of all tests on the code as it is, in order or in reverse, with or without a note of the lines that run."""

    is_reversed: bool
    notes_lines: bool
    seconds: float

    def as_request(self) -> dict[str, object]:
        """The run as a worker reads it."""
        return {"op": "try", "reverse": self.is_reversed, "lines": self.notes_lines, "seconds": self.seconds}


def parse_plan(fields: Fields) -> PlayerTestPlan:
    """The plan inside the client's request."""
    return PlayerTestPlan(
        tests=fields.texts("tests"),
        code=fields.texts("code"),
        import_folders=fields.texts("path"),
        seconds=fields.number("seconds"),
        wait_seconds=fields.number("wait_seconds"),
        is_reversed=fields.flag("is_reversed"),
        is_repeated=fields.flag("is_repeated"),
        laid_out={path: str(source) for path, source in fields.mapping("laid_out").items()},
        inner_modules=fields.texts("inner_modules"),
        inner_names=fields.texts("inner_names"),
        inner_errors=fields.texts("inner_errors"),
        settings_file=fields.text("settings_file"),
        options=fields.texts("options"),
        libraries=fields.texts("libraries"),
    )


def parse_mutant_jobs(message: object) -> list[MutantJob]:
    """All mutants to try, in the order in which the client wants them tried."""
    return [_parse_mutant_job(Fields(job)) for job in Fields(message).items("jobs")]


def parse_worker_request(message: object) -> BaselineRun | MutantJob:
    """What a worker is to do."""
    fields = Fields(message)
    if fields.text("op") == "try":
        return BaselineRun(fields.flag("reverse"), fields.flag("lines"), fields.number("seconds"))
    return _parse_mutant_job(fields)


def parse_worker_answer(message: object) -> dict[str, object]:
    """What a worker says. The client gets it as it is, and checks it there."""
    if not isinstance(message, dict):
        raise WireError("an answer that is not an object")
    return cast("dict[str, object]", message)


def _parse_mutant_job(fields: Fields) -> MutantJob:
    return MutantJob(
        number=fields.integer("number"),
        changes=[_parse_change(Fields(change)) for change in fields.items("changes")],
        tests=fields.texts("tests"),
        is_live=fields.flag("live"),
        seconds=fields.number("seconds"),
        cpu_seconds=fields.number("cpu"),
    )


def _parse_change(fields: Fields) -> FileChange:
    return FileChange(fields.text("path"), [_parse_edit(edit) for edit in fields.items("edits")])


def _parse_edit(edit: object) -> Edit:
    try:
        start, end, text = cast("list[Any]", edit)
        return Edit(int(start), int(end), str(text))
    except (TypeError, ValueError):
        raise WireError("an edit that is none") from None
