"""Messages about the player's tests as typed values: to the host, and between its processes.

Workers run the player's code, so their answers may be anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from .fields import Fields
from .wire import WireError


class PlayerTestPlan(NamedTuple):
    """Which tests to run, and how.

    Attributes:
        tests: Paths of test files, e.g. ``tests/test_tally.py``.
        code: Paths of the other Python files.
        seconds: The time limit for everything, wall clock; a busy machine may take longer.
        describes_tests: Whether the tests are described, in a message before they run.
        is_reversed: Whether the tests run in reverse order. If one fails, a run in which nothing is measured
            decides; on a laid-out program it is in the other order.
        laid_out: The source by path of a program that replaces the player's; on disk its files hold only their names.
        inner_modules: Dotted names of the player's modules for which there are placeholders.
        inner_names: Names in the player's modules for which there are placeholders.
        inner_errors: Those of the names that are exceptions.
        import_folders: Folders within the submission to import from; ``""`` is the submission itself.
        test_seconds: The time limit of one test.
        load_seconds: The time limit for loading the tests.
        libraries: Test libraries that the submission may import.
        explains_checks: Whether a failed assertion says what it compared, as pytest usually does.
    """

    tests: Sequence[str]
    code: Sequence[str]
    seconds: float
    describes_tests: bool = False
    is_reversed: bool = False
    laid_out: Mapping[str, str] = {}
    inner_modules: Sequence[str] = ()
    inner_names: Sequence[str] = ()
    inner_errors: Sequence[str] = ()
    import_folders: Sequence[str] = ()
    test_seconds: float = 5.0
    load_seconds: float = 10.0
    libraries: Sequence[str] = ()
    explains_checks: bool = False


class Edit(NamedTuple):
    """A span of bytes in a file, and the text that replaces it."""

    start: int
    end: int
    text: str


class FileChange(NamedTuple):
    """The changes that a mutant makes to one file.

    Attributes:
        path: The file, relative to the submission.
        edits: The changes, in ascending order.
    """

    path: str
    edits: list[Edit]


class MutantJob(NamedTuple):
    """A mutant, and the tests to run on it. It doesn't reveal whether it is a control.

    Attributes:
        number: The number that the outcome must carry.
        changes: The files to change; copies of the first one come after it.
        tests: The names of the tests.
        is_live: Whether to change loaded functions, instead of loading the changed file.
        seconds: The time limit, wall clock.
        cpu_seconds: The limit of processor time.
    """

    number: int
    changes: list[FileChange]
    tests: list[str]
    is_live: bool
    seconds: float
    cpu_seconds: float

    def below(self, root: str) -> MutantJob:
        """The same job with absolute paths in a folder."""
        return self._replace(changes=[FileChange(root + path, edits) for path, edits in self.changes])

    def as_request(self) -> dict[str, object]:
        """The job as a request."""
        return {
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
    """A run of all tests on the original code, in order or in reverse, with or without recording lines."""

    is_reversed: bool
    notes_lines: bool
    seconds: float

    def as_request(self) -> dict[str, object]:
        """The run as a request to a worker."""
        return {"reverse": self.is_reversed, "lines": self.notes_lines, "seconds": self.seconds}


def parse_plan(fields: Fields) -> PlayerTestPlan:
    """Parse the plan in the client's request."""
    return PlayerTestPlan(
        tests=fields.texts("tests"),
        code=fields.texts("code"),
        import_folders=fields.texts("import_folders"),
        seconds=fields.number("seconds"),
        test_seconds=fields.number("test_seconds"),
        load_seconds=fields.number("load_seconds"),
        describes_tests=fields.flag("describes_tests"),
        is_reversed=fields.flag("is_reversed"),
        laid_out={path: str(source) for path, source in fields.mapping("laid_out").items()},
        inner_modules=fields.texts("inner_modules"),
        inner_names=fields.texts("inner_names"),
        inner_errors=fields.texts("inner_errors"),
        libraries=fields.texts("libraries"),
        explains_checks=fields.flag("explains_checks"),
    )


def parse_mutant_jobs(message: object) -> list[MutantJob]:
    """Parse all mutants to test, in the order in which the client wants them."""
    return [_parse_mutant_job(Fields(job)) for job in Fields(message).items("jobs")]


def parse_worker_request(message: object) -> BaselineRun | MutantJob:
    """Parse a request to a worker."""
    fields = Fields(message)
    if "reverse" in fields:
        return BaselineRun(fields.flag("reverse"), fields.flag("lines"), fields.number("seconds"))
    return _parse_mutant_job(fields)


def parse_worker_answer(message: object) -> dict[str, object]:
    """Parse a worker's answer. The client gets it unchanged, and checks it there.

    Raises:
        WireError: The answer isn't an object.
    """
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
