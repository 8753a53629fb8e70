"""Stored runs of programs, in one file: what their trials did and what their tests noticed."""

from __future__ import annotations

import fcntl
import json
import lzma
import platform
import sys
from collections.abc import Collection, Generator, Iterable, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path

from pydantic import Field, TypeAdapter

from evalforge.evidence.effects.measure import asked_effects
from evalforge.model.base import Frozen
from evalforge.model.events import FactMeasured, ImpostorMet, TrialFinished, TrialsPlanned
from evalforge.model.submission import Submission
from evalforge.packs.atomic_files import write_atomically
from evalforge.packs.fingerprint import framed_files
from evalforge.packs.impostors import FOLDER as IMPOSTORS_FOLDER
from evalforge.packs.impostors import read_impostors
from evalforge.packs.path_checks import pack_file
from evalforge.sandbox.execution import NOTHING_RAN, Execution
from tests.conftest import REPOSITORY
from tests.measured.code_hash import code_hash, hash_parts

FILE = Path(__file__).with_name("records.jsonl.xz")
FactValue = int | float | str | bool | None
MeasuredEvent = TrialsPlanned | TrialFinished | ImpostorMet | FactMeasured
_HOST = REPOSITORY / "evalforge/sandbox/host"
_TRIAL_MODULES = (
    "evalforge.evidence.control_files",
    "evalforge.evidence.effects.measure",
    "evalforge.evidence.trials.run_trials",
    "evalforge.sandbox.client",
    "evalforge.submissions.entry",
)
_SUITE_MODULES = (*_TRIAL_MODULES, "evalforge.evidence.suite.examination")
_WORKER = REPOSITORY / "evalforge/evidence/trial_worker.py"


class RecordKeys(Frozen):
    """What decides a record, in parts: hashes of what the trials run, and of what the player's tests run."""

    trials: str = ""
    suite: str = ""


class Record(Frozen):
    """The runs of one program.

    Attributes:
        keys: What they depend on. Those of another program or of other code are not looked at.
        execution: What the trials ran; with it, the code is read anew.
        trials: The events of the trials, without times.
        suite: The events of the player's tests.
        facts: The value of each fact when they were stored, those of reading included.
        levels: The levels that the forge gave then.
    """

    keys: RecordKeys = RecordKeys()
    execution: Execution = NOTHING_RAN
    trials: tuple[MeasuredEvent, ...] = ()
    suite: tuple[MeasuredEvent, ...] = ()
    facts: Mapping[str, FactValue] = Field(default_factory=dict)
    levels: Mapping[str, float] = Field(default_factory=dict)


_RECORD = TypeAdapter(Record)


def record_keys(
    seed: str, trials: Path, entry_files: Iterable[str], submission: Submission, conditions: Iterable[str] = ()
) -> RecordKeys:
    """The keys of a submission's runs under a boss.

    Args:
        seed: The seed of its trials.
        trials: The folder of the boss's trials.
        entry_files: The names of its program.
        submission: What is handed in.
        conditions: What else decides what is measured.
    """
    about = (seed, *sorted(entry_files), submission.content_hash, *conditions)
    effects = asked_effects(pack_file(trials.parent, "evidence"))
    about = (*about, *(f"{name} {number}" for name, number in effects.items()))
    trials_key = hash_parts(*about, _environment(), _trial_code(), *framed_files(trials))
    suite_key = hash_parts(trials_key, _suite_code(), _boss_programs(trials.parent))
    return RecordKeys(trials=trials_key, suite=suite_key)


def _environment() -> str:
    """What runs beside our code."""
    python = ".".join(map(str, sys.version_info[:2]))
    return " ".join((python, platform.system(), *(version(name) for name in ("pytest", "hypothesis"))))


@cache
def _trial_code() -> str:
    host = [path for path in sorted(_HOST.rglob("*.py")) if "player_tests" not in path.parts]
    return code_hash(_TRIAL_MODULES, [*host, _WORKER])


@cache
def _suite_code() -> str:
    return code_hash(_SUITE_MODULES, [*sorted(_HOST.rglob("*.py")), _WORKER])


@cache
def _boss_programs(pack: Path) -> str:
    """The hash of all programs of a boss that the player's tests meet, and of its contract."""
    impostors = read_impostors(pack)
    right = [program.path(pack) for program in impostors.right if program.exemplar] if impostors else []
    folders = [pack / IMPOSTORS_FOLDER, pack / "starter", *right]
    return hash_parts(*(data for folder in folders for data in framed_files(folder)), (pack / "boss.yaml").read_bytes())


@cache
def _stored_lines() -> Mapping[str, bytes]:
    """The lines of the repository's file by the names of their programs, in order."""
    lines = lzma.decompress(FILE.read_bytes()).splitlines() if FILE.exists() else []
    return {line.partition(b"\t")[0].decode(): line for line in lines}


@cache
def _names_by_keys() -> Mapping[str, str]:
    return {"\t".join(line.decode().split("\t", 3)[1:3]): name for name, line in _stored_lines().items()}


def stored_names() -> frozenset[str]:
    """The names of the programs that have a record."""
    return frozenset(_stored_lines())


@cache
def stored_record(name: str) -> Record | None:
    """The record of a program, whether it still holds or not; None if there is none."""
    line = _stored_lines().get(name)
    return None if line is None else _record_of_line(line)


def valid_record(keys: RecordKeys) -> Record | None:
    """The record of a run that depends on just this; None if there is none."""
    name = _names_by_keys().get(f"{keys.trials}\t{keys.suite}")
    return None if name is None else stored_record(name)


def write_records(records: Mapping[str, Record], names: Collection[str]) -> None:
    """Put new records into the repository's file.

    Args:
        records: The new ones, by the names of their programs.
        names: The programs whose records are kept; those of others are dropped.
    """
    lines = {name: line for name, line in _stored_lines().items() if name in names}
    lines |= {name: _line_of_record(name, record) for name, record in records.items()}
    FILE.write_bytes(lzma.compress(b"\n".join(lines[name] for name in sorted(lines)) + b"\n", preset=9))


def _line_of_record(name: str, record: Record) -> bytes:
    """A program's name, the two keys and the record, the same for the same record."""
    return b"\t".join((name.encode(), record.keys.trials.encode(), record.keys.suite.encode(), record_json(record)))


def _record_of_line(line: bytes) -> Record:
    _, trials, suite, data = line.split(b"\t", 3)
    record = _RECORD.validate_json(data)
    return record.model_copy(update={"keys": RecordKeys(trials=trials.decode(), suite=suite.decode())})


def record_json(record: Record) -> bytes:
    """A record but for its keys, as one line of JSON."""
    data = record.model_dump(mode="json", exclude_defaults=True, exclude={"keys"})
    execution = data.get("execution", {})
    for kind in ("lines", "entered", "touched", "streamed"):
        if kind in execution:
            execution[kind] = {path: sorted(lines) for path, lines in sorted(execution[kind].items())}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def read_record(file: Path, keys: RecordKeys) -> Record | None:
    """A record that was just measured; None if there is none."""
    try:
        return _RECORD.validate_json(file.read_bytes()).model_copy(update={"keys": keys})
    except (OSError, ValueError):
        return None


def write_record(file: Path, record: Record) -> None:
    """Keep a record that was just measured."""
    write_atomically(file, record_json(record))


@contextmanager
def measured_by_one(file: Path) -> Generator[None]:
    """Have whoever asks for the same measurement wait until the first has made it; tests run side by side."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
