"""Stores evaluations: a folder per spec with a folder per run, which holds its items, journal and result."""

import json
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self, cast

from pydantic import ValidationError

from evalforge.evaluate.evaluation import Evaluation
from evalforge.evaluate.items import Item, ItemCluster, Population
from evalforge.evaluate.journal import JournalError, open_locked
from evalforge.evaluate.ledger import read_ledgers
from evalforge.model.base import Frozen
from evalforge.model.errors import UsageError
from evalforge.model.text import clean_line
from evalforge.packs.atomic_files import write_atomically
from evalforge.packs.locations import state_folder
from evalforge.packs.path_checks import file_fault, is_file, is_folder
from evalforge.packs.private_files import FOLDER_MODE

_HEADER_FILE, _ITEMS_FILE, _JOURNAL_FILE, _RESULT_FILE = "run.json", "items.jsonl", "journal.jsonl", "result.json"
_NAMES_LISTED = 10
# As in: cluster-quality-12
_ID = re.compile(r"^([a-z0-9][a-z0-9_-]*)-(\d+)$")


class RunHeader(Frozen):
    """Identifies a run; written before anything is asked.

    Attributes:
        spec_hash: Hash of everything that decides what is asked, except the items.
        items_hash: Hash of all items.
        secret: Random hex digits, for border marks and names at the server.
    """

    id: str
    spec_hash: str
    items_hash: str
    rubric: str
    secret: str
    started_at: str


@dataclass(frozen=True)
class EvaluationRun:
    """The folder of one evaluation run."""

    folder: Path
    header: RunHeader

    @property
    def journal(self) -> Path:
        """The path of its journal."""
        return self.folder / _JOURNAL_FILE

    @property
    def result(self) -> Evaluation | None:
        """Its result; None if it has none yet."""
        path = self.folder / _RESULT_FILE
        return read_result(path) if is_file(path) else None

    def population(self) -> Population:
        """The items as they were when the run started.

        Raises:
            JournalError: The stored items are damaged.
        """
        try:
            return _read_population(self.folder / _ITEMS_FILE)
        except (OSError, ValueError, KeyError, TypeError):
            raise JournalError(f"{self.folder / _ITEMS_FILE} is damaged.", "Start over with --fresh.") from None

    def save(self, result: Evaluation) -> None:
        """Write the result atomically, and read it back to verify it.

        Raises:
            JournalError: The disk doesn't hold what was written.
        """
        path = self.folder / _RESULT_FILE
        _write(path, result.model_dump_json(indent=1) + "\n")
        if read_result(path) != result:
            raise JournalError(f"{path} doesn't contain what was written to it.", "Is the disk sound?")


class EvaluationStore:
    """The runs of one spec. Use ``with``: only one process may evaluate a spec at a time, so that its cap holds."""

    def __init__(self, name: str, folder: Path | None = None) -> None:
        self._name = name
        self._folder = (folder or state_folder() / "evaluations") / name
        self._lock = -1

    def __enter__(self) -> Self:
        self._lock = open_locked(self._folder / "lock", self._folder)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._lock)

    def runs(self) -> list[EvaluationRun]:
        """All runs, newest first; a folder without a readable header doesn't count."""
        numbers = sorted(self._numbers(), reverse=True)
        return [run for number in numbers if (run := _read_run(self._folder / str(number))) is not None]

    def _numbers(self) -> list[int]:
        return [int(path.name) for path in self._folder.glob("[0-9]*") if path.name.isdigit()]

    def unfinished(self, spec_hash: str, items_hash: str | None) -> EvaluationRun | None:
        """The newest unfinished run of the same spec and, if a hash is given, of the same items."""
        for run in self.runs():
            if run.header.spec_hash == spec_hash and items_hash in (None, run.header.items_hash):
                result = run.result
                return run if result is None or not result.final else None
        return None

    def finished(self, spec_hash: str, items_hash: str) -> Evaluation | None:
        """The newest final result of the same spec and the same items."""
        for run in self.runs():
            result = run.result
            is_same = (run.header.spec_hash, run.header.items_hash) == (spec_hash, items_hash)
            if is_same and result is not None and result.final:
                return result
        return None

    def begin(self, spec_hash: str, items_hash: str, rubric: str, population: Population) -> EvaluationRun:
        """Create a run; its folder is on disk before anything is asked."""
        number = max(self._numbers(), default=0) + 1
        folder = self._folder / str(number)
        folder.mkdir(FOLDER_MODE)
        header = RunHeader(
            id=f"{self._name}-{number}",
            spec_hash=spec_hash,
            items_hash=items_hash,
            rubric=rubric,
            secret=secrets.token_hex(16),
            started_at=timestamp(),
        )
        _write(folder / _ITEMS_FILE, "".join(_population_lines(population)))
        _write(folder / _HEADER_FILE, header.model_dump_json(indent=1) + "\n")
        return EvaluationRun(folder, header)

    def max_spent(self) -> float:
        """The most that all runs can have cost, in dollars."""
        return sum(ledger.max_usd for run in self.runs() for ledger in read_ledgers(run.journal).values())


def find_result(name: str) -> Evaluation:
    """Find a result by its name, its folder or its file.

    Raises:
        UsageError: There is no such result, or it can't be read.
    """
    path = Path(name)
    if is_folder(path):
        path = path / _RESULT_FILE
    if is_file(path):
        return read_result(path)
    match = _ID.match(name)
    stored = state_folder() / "evaluations" / match[1] / match[2] / _RESULT_FILE if match else None
    if stored is not None and is_file(stored):
        return read_result(stored)
    names = sorted(
        f"{path.parent.parent.name}-{path.parent.name}"
        for path in state_folder().glob(f"evaluations/*/*/{_RESULT_FILE}")
    )
    hint = f"There are: {', '.join(names[-_NAMES_LISTED:])}." if names else "There are none yet."
    raise UsageError(f"There is no evaluation called {clean_line(name)!r}, and as a path it {file_fault(path)}.", hint)


def find_population(name: str, folder: Path | None = None) -> Population | None:
    """The items of a stored evaluation; None if they are gone. The default folder is in our home."""
    match = _ID.match(name)
    run = _read_run((folder or state_folder() / "evaluations") / match[1] / match[2]) if match else None
    try:
        return run.population() if run else None
    except JournalError:
        return None


def list_results(folder: Path | None = None) -> list[Evaluation]:
    """Every readable stored result, the newest first. The default folder is in our home."""
    results: list[Evaluation] = []
    for path in (folder or state_folder() / "evaluations").glob(f"*/*/{_RESULT_FILE}"):
        with suppress(UsageError):
            results.append(read_result(path))
    return sorted(results, key=lambda result: result.finished_at, reverse=True)


def read_result(path: Path) -> Evaluation:
    """Read a result from its file.

    Raises:
        UsageError: The file isn't a result.
    """
    try:
        return Evaluation.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path} can't be read ({error.strerror}).") from None
    except ValidationError:
        raise UsageError(f"{path} is not the result of an evaluation.") from None


def timestamp() -> str:
    """The current time as it is stored: ISO, UTC, microseconds, so that results sort by creation."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _read_run(folder: Path) -> EvaluationRun | None:
    try:
        return EvaluationRun(folder, RunHeader.model_validate_json((folder / _HEADER_FILE).read_bytes()))
    except (OSError, ValidationError):
        return None


def _write(path: Path, text: str) -> None:
    """Write a file atomically and durably."""
    try:
        write_atomically(path, text.encode("utf-8", "replace"), durable=True)
    except OSError as error:
        raise JournalError(f"{path} can't be written ({error.strerror}).", "Is the disk full?") from None


def _population_lines(population: Population) -> Iterator[str]:
    clusters = [[cluster.cluster_id, cluster.title] for cluster in population.clusters]
    yield json.dumps({"values": population.values, "clusters": clusters, "items": len(population.items)}) + "\n"
    for item in (*population.items, *population.singletons):
        yield json.dumps([item.item_id, item.content, item.bucket, item.cluster, item.is_singleton]) + "\n"


def _read_population(path: Path) -> Population:
    with path.open(encoding="utf-8") as file:
        head = cast("dict[str, Any]", json.loads(next(file)))
        items = [Item(*json.loads(line)) for line in file]
    count = cast("int", head["items"])
    clusters = tuple(ItemCluster(*cluster) for cluster in head["clusters"])
    return Population(tuple(items[:count]), tuple(items[count:]), clusters, head["values"])
