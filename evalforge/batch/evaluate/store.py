"""Where evaluations are kept: a folder for each spec, in it one for each run, with its items, its log, its result."""

import json
import os
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self, cast

from pydantic import ValidationError

from evalforge.batch.evaluate.items import Cluster, Item, Population
from evalforge.batch.evaluate.journal import JournalError, lock
from evalforge.batch.evaluate.ledger import spent_in
from evalforge.batch.evaluate.result import Evaluation
from evalforge.library.looking import is_file, is_folder, no_file
from evalforge.library.places import home
from evalforge.library.writing import write_whole
from evalforge.model.base import Frozen
from evalforge.model.errors import UsageError
from evalforge.model.text import clean_line

_RUN, _ITEMS, _JOURNAL, _RESULT = "run.json", "items.jsonl", "journal.jsonl", "result.json"
_ID = re.compile(r"^([a-z0-9][a-z0-9_-]*)-(\d+)$")


class Header(Frozen):
    """What a run is, written before anything is asked.

    Attributes:
        id: Its name.
        spec_hash: Of everything that decides what is asked, but the items.
        items_hash: Of all items.
        rubric: The hash of the instrument.
        secret: Of border marks and names at the server.
        started_at: When it began.
    """

    id: str
    spec_hash: str
    items_hash: str
    rubric: str
    secret: str
    started_at: str


@dataclass(frozen=True)
class Run:
    """One run's folder."""

    folder: Path
    header: Header

    @property
    def journal(self) -> Path:
        """Its log."""
        return self.folder / _JOURNAL

    @property
    def result(self) -> Evaluation | None:
        """Its result; None as long as there is none."""
        path = self.folder / _RESULT
        return read_result(path) if is_file(path) else None

    def population(self) -> Population:
        """The items as they were when it began.

        Raises:
            JournalError: They are damaged.
        """
        try:
            return _read_population(self.folder / _ITEMS)
        except (OSError, ValueError, KeyError, TypeError):
            raise JournalError(f"{self.folder / _ITEMS} is damaged.", "Begin anew with --fresh.") from None

    def save(self, result: Evaluation) -> None:
        """Write the result, whole or not at all, and read it back.

        Raises:
            JournalError: The disk doesn't hold what was written.
        """
        path = self.folder / _RESULT
        _write(path, result.model_dump_json(indent=1) + "\n")
        if read_result(path) != result:
            raise JournalError(f"{path} doesn't hold what was written to it.", "Is the disk sound?")


class Store:
    """The runs of one spec. Use ``with``: only one process may evaluate a spec at a time, so that its cap holds.

    Args:
        name: The spec's name.
        folder: Where all specs are; in our home if None.
    """

    def __init__(self, name: str, folder: Path | None = None) -> None:
        self._name = name
        self._folder = (folder or home() / "evaluations") / name
        self._lock = -1

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._folder / "lock"
        self._lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            lock(self._lock, self._folder)
        except BaseException:
            os.close(self._lock)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._lock)

    def runs(self) -> list[Run]:
        """All runs, newest first; one whose beginning never got to the disk is none."""
        numbers = sorted((int(path.name) for path in self._folder.glob("[0-9]*") if path.name.isdigit()), reverse=True)
        return [run for number in numbers if (run := _run(self._folder / str(number))) is not None]

    def unfinished(self, spec_hash: str, items_hash: str | None) -> Run | None:
        """The newest run that could go on: of the same spec, and of the same items if they are known."""
        for run in self.runs():
            if run.header.spec_hash == spec_hash and items_hash in (None, run.header.items_hash):
                result = run.result
                return run if result is None or not result.final else None
        return None

    def finished(self, spec_hash: str, items_hash: str) -> Evaluation | None:
        """The newest result of the same spec and the same items."""
        for run in self.runs():
            result = run.result
            same = (run.header.spec_hash, run.header.items_hash) == (spec_hash, items_hash)
            if same and result is not None and result.final:
                return result
        return None

    def begin(self, spec_hash: str, items_hash: str, rubric: str, population: Population) -> Run:
        """A new run, on disk before anything is asked."""
        number = max((int(path.name) for path in self._folder.glob("[0-9]*") if path.name.isdigit()), default=0) + 1
        folder = self._folder / str(number)
        folder.mkdir(mode=0o700)
        header = Header(
            id=f"{self._name}-{number}",
            spec_hash=spec_hash,
            items_hash=items_hash,
            rubric=rubric,
            secret=secrets.token_hex(16),
            started_at=now(),
        )
        _write(folder / _ITEMS, "".join(_population_lines(population)))
        _write(folder / _RUN, header.model_dump_json(indent=1) + "\n")
        return Run(folder, header)

    def spent(self, but: Run | None = None) -> float:
        """What all runs can have cost at most, but one."""
        return sum(spent_in(run.journal) for run in self.runs() if but is None or run.folder != but.folder)


def find_result(name: str) -> Evaluation:
    """A result by its name, its folder or its file.

    Raises:
        UsageError: There is none, or it can't be read.
    """
    path = Path(name)
    if is_folder(path):
        path = path / _RESULT
    if is_file(path):
        return read_result(path)
    match = _ID.match(name)
    kept = home() / "evaluations" / match[1] / match[2] / _RESULT if match else None
    if kept is not None and is_file(kept):
        return read_result(kept)
    known = sorted(f"{one.parent.parent.name}-{one.parent.name}" for one in home().glob(f"evaluations/*/*/{_RESULT}"))
    told = f"There are: {', '.join(known[-10:])}." if known else "There are none yet."
    raise UsageError(f"There is no evaluation called {clean_line(name)!r}, and as a path it {no_file(path)}.", told)


def read_result(path: Path) -> Evaluation:
    """A result from its file.

    Raises:
        UsageError: It is none.
    """
    try:
        return Evaluation.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path} can't be read ({error.strerror}).") from None
    except ValidationError:
        raise UsageError(f"{path} is not the result of an evaluation.") from None


def now() -> str:
    """The time, as it is written down."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _run(folder: Path) -> Run | None:
    try:
        return Run(folder, Header.model_validate_json((folder / _RUN).read_bytes()))
    except (OSError, ValidationError):
        return None


def _write(path: Path, text: str) -> None:
    """A file that is there whole or not at all, whatever happens.

    Raises:
        JournalError: The disk doesn't take it.
    """
    try:
        write_whole(path, text.encode("utf-8", "replace"), durable=True)
    except OSError as error:
        raise JournalError(f"{path} can't be written ({error.strerror}).", "Is the disk full?") from None


def _population_lines(population: Population) -> Iterator[str]:
    clusters = [[cluster.cluster_id, cluster.title] for cluster in population.clusters]
    yield json.dumps({"values": population.values, "clusters": clusters, "items": len(population.items)}) + "\n"
    for item in (*population.items, *population.singletons):
        yield json.dumps([item.item_id, item.content, item.bucket, item.cluster, item.single]) + "\n"


def _read_population(path: Path) -> Population:
    with path.open(encoding="utf-8") as file:
        head = cast("dict[str, Any]", json.loads(next(file)))
        items = [Item(*json.loads(line)) for line in file]
    count = cast("int", head["items"])
    clusters = tuple(Cluster(*cluster) for cluster in head["clusters"])
    return Population(tuple(items[:count]), tuple(items[count:]), clusters, head["values"])
