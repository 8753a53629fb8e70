"""Judges a class in parallel, as a stream of events. Results are stored at once, so a run can stop at any time."""

import asyncio
import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from evalforge.classroom.archive import Archive, ZipLimits
from evalforge.classroom.class_events import (
    ClassClosed,
    ClassEvent,
    ClassOpened,
    ExpectedRow,
    RowFight,
    RowSettled,
    RowStarted,
    WorkerReady,
)
from evalforge.classroom.class_row import ClassRow, RowOutcome
from evalforge.classroom.engines import EngineProvider, LocalEngines
from evalforge.classroom.grading import Grading
from evalforge.classroom.hand_in import DiskPiece, HandIn, ZipPiece
from evalforge.classroom.intake import ClassIntake, find_hand_ins
from evalforge.classroom.judging_fingerprint import judging_fingerprint
from evalforge.classroom.row_recorder import JudgingTask, RowRecorder, make_row
from evalforge.classroom.time_left import TimeLeft
from evalforge.evidence.engine import Engine
from evalforge.fight import FightOptions, Forge
from evalforge.history.store import History
from evalforge.judges.registry import make_judge
from evalforge.llm.budget import Budget
from evalforge.llm.model_options import ModelOptions
from evalforge.model.cost import Cost
from evalforge.model.errors import EvalForgeError, HistoryError, SubmissionError
from evalforge.model.fight_record import record_fight
from evalforge.model.text import clean_line
from evalforge.own_failure import ungraded_by
from evalforge.packs.lint.lint import first_fault
from evalforge.packs.pack import BossPack
from evalforge.submissions.boss_submission import collect_for
from evalforge.submissions.collect import SKIPPED_FOLDERS

# Unpacks a submission into a directory that can be judged, whatever its packaging.

_MAX_NESTED_ARCHIVES = 3
_MAX_ENTRIES = 20_000
_MAX_WRAPPERS = 8
_UNSUPPORTED_ARCHIVES = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz")


@dataclass(frozen=True)
class UnpackedHandIn:
    """The directory of a submission, and what was left out of it, one sentence each."""

    directory: Path
    left_out: tuple[str, ...] = ()


def unpack_hand_in(hand_in: HandIn, scratch: Path) -> UnpackedHandIn:
    """Unpack the submission of one row into a folder.

    A plain folder is used in place; anything else is unpacked or copied. An archive is opened if there is no Python
    file next to it, and a folder that only wraps another is skipped.

    Args:
        hand_in: The submission.
        scratch: An empty folder of ours, for this submission alone.

    Raises:
        SubmissionError: It can't be unpacked.
    """
    if hand_in.problem:
        raise SubmissionError(hand_in.problem)
    try:
        return _unpack(hand_in, scratch)
    except OSError as error:
        name = clean_line(hand_in.entry_name or hand_in.row_id)
        raise SubmissionError(f"{name} can't be read or unpacked ({error.strerror or error}).") from None


def _unpack(hand_in: HandIn, scratch: Path) -> UnpackedHandIn:
    left_out: list[str] = []
    directory = _gather_pieces(hand_in.pieces, scratch, left_out)
    for depth in range(_MAX_NESTED_ARCHIVES):
        files = _files(directory)
        archives = [path for path in files if path.suffix.lower() == ".zip"]
        if _has_python(files) or not archives:
            _refuse_unsupported_archives(files)
            break
        if len(archives) > 1:
            names = ", ".join(clean_line(path.name, 60) for path in archives[:3])
            raise SubmissionError(
                f"{len(archives)} archives and no Python file, so it isn't clear which one counts ({names})"
            )
        target = scratch / f"unpacked-{depth}"
        left_out += _unpack_archive(archives[0], target)
        directory = target
    return UnpackedHandIn(_inside_wrappers(directory), tuple(left_out))


def _gather_pieces(pieces: tuple[DiskPiece | ZipPiece, ...], scratch: Path, left_out: list[str]) -> Path:
    """Collect all pieces in one folder; if the submission is a single folder on disk, that one is returned."""
    only = pieces[0] if len(pieces) == 1 else None
    if isinstance(only, DiskPiece) and not only.name and not only.path.is_symlink():
        return only.path
    target = scratch / "gathered"
    target.mkdir()
    for piece in pieces:
        if isinstance(piece, ZipPiece):
            left_out += piece.archive.extract(target, piece.members)
        elif piece.path.is_symlink():
            raise SubmissionError(f"{clean_line(piece.path.name)} is a link, which is not followed.")
        elif piece.name:
            _copy_file(piece, target, left_out)
        else:
            shutil.copytree(piece.path, target, symlinks=True, dirs_exist_ok=True, ignore=_names_to_skip)
    return target


def _copy_file(piece: DiskPiece, target: Path, left_out: list[str]) -> None:
    limits = ZipLimits()
    # Reading a pipe or a device might block forever.
    if not piece.path.is_file():
        left_out.append(f"{clean_line(piece.name)}: not a regular file")
    elif piece.path.stat().st_size > limits.max_archive_bytes:
        raise SubmissionError(
            f"{clean_line(piece.path.name)} is larger than {limits.max_archive_bytes // 1_000_000} MB."
        )
    else:
        # The archive's author chose the name: any path in it is dropped.
        name = piece.name.replace("\\", "/").rpartition("/")[2] or "file"
        shutil.copyfile(piece.path, target / name, follow_symlinks=False)


def _names_to_skip(folder: str, names: list[str]) -> list[str]:
    """Names that are not copied: caches and environments, and anything that is neither file nor folder."""
    return [name for name in names if name in SKIPPED_FOLDERS or not _is_plain(Path(folder) / name)]


def _is_plain(path: Path) -> bool:
    return not path.is_symlink() and (path.is_dir() or path.is_file())


def _unpack_archive(path: Path, target: Path) -> list[str]:
    target.mkdir()
    archive = Archive(path)
    try:
        return archive.extract(target, {name: name for name in archive.members})
    finally:
        archive.close()


def _files(directory: Path) -> list[Path]:
    """Regular files, without hidden ones; only the first of very many."""
    files: list[Path] = []
    entry_count = 0
    for folder, folders, names in os.walk(directory):
        folders[:] = sorted(name for name in folders if name not in SKIPPED_FOLDERS and name[0] != ".")
        entry_count += len(names) + len(folders)
        base = Path(folder)
        files += [base / name for name in sorted(names) if not name.startswith(".") and not (base / name).is_symlink()]
        if entry_count > _MAX_ENTRIES:
            break
    return files


def _has_python(files: list[Path]) -> bool:
    return any(path.suffix.lower() == ".py" for path in files)


def _refuse_unsupported_archives(files: list[Path]) -> None:
    if _has_python(files):
        return
    for path in files:
        if path.suffix.lower() in _UNSUPPORTED_ARCHIVES:
            raise SubmissionError(f"{clean_line(path.name, 60)}: only zip archives are opened.", "Ask for a zip.")


def _inside_wrappers(directory: Path) -> Path:
    """The innermost folder of folders that each contain only one other."""
    for _ in range(_MAX_WRAPPERS):
        visible = [path for path in directory.iterdir() if path.name[0] != "." and path.name != "__MACOSX"]
        if len(visible) != 1 or visible[0].is_symlink() or not visible[0].is_dir() or _is_package(visible[0]):
            return directory
        directory = visible[0]
    return directory


def _is_package(folder: Path) -> bool:
    """Whether Python code depends on the folder's name."""
    return folder.name == "src" or any((folder / name).exists() for name in ("__init__.py", "__main__.py"))


_MAX_QUEUED_EVENTS = 1_000


@dataclass(frozen=True)
class ClassOptions:
    """How a class is judged.

    Attributes:
        models: The models a model judge asks, the server and the budget, which is one for the whole class.
        python: The interpreter for the submissions' code; ours if empty.
        workers: How many submissions are judged at once; 0 for one per core.
        label: The name of the class, by which later runs find it; the path of its folder if empty.
        roster: A CSV file of the people who should have submitted.
        again: Whether to judge everybody, even if an earlier result could be reused.
        engines: Provides the engines that run code.
        grading: The institution's scale; None if scores are the grades.
    """

    judge: str = "forge"
    models: ModelOptions = field(default_factory=ModelOptions)
    python: str = ""
    workers: int = 0
    label: str = ""
    roster: Path | None = None
    again: bool = False
    engines: EngineProvider = field(default_factory=LocalEngines)
    grading: Grading | None = None


class ClassRun:
    """One run over a class.

    Args:
        place: A folder, or a course platform's export.
        history: Where attempts are stored, and where earlier runs are found.
        options: How the class is judged.

    Raises:
        UsageError: There are no submissions, or there is no such judge.
        PackError: The boss is broken.
    """

    def __init__(self, pack: BossPack, place: Path, history: History, options: ClassOptions | None = None) -> None:
        if (fault := first_fault(pack.path)) is not None:
            raise fault
        self.pack = pack
        self.options = options or ClassOptions()
        self.label = self.options.label or str(place.absolute())
        self.rows: dict[str, ClassRow] = {}
        """The rows that are settled so far, by row id."""
        self.run = 0
        """The number of this run in history, once it is open."""
        self._history = history
        self._budget = Budget()
        self.judge = make_judge(self.options.judge, self.options.models, self._budget).info
        """The judge of this run."""
        fingerprint = judging_fingerprint(pack, self.options.python)
        self.intake: ClassIntake = find_hand_ins(place, self.options.roster, pack.entry_file)
        sources = [hand_in.source for hand_in in self.intake.hand_ins]
        self._recorder = RowRecorder(
            pack, history, self.label, self.judge, fingerprint, sources, again=self.options.again
        )
        self._events: asyncio.Queue[ClassEvent | None] = asyncio.Queue(_MAX_QUEUED_EVENTS)
        self._tasks: asyncio.Queue[JudgingTask | None] = asyncio.Queue()
        self._unjudged_count = 0
        self._unread_count = len(self.intake.hand_ins)
        self._time_left = TimeLeft(1)
        self._started_at = time.monotonic()

    async def events(self) -> AsyncGenerator[ClassEvent]:
        """Judge the class. Closing the stream early kills running code; settled rows stay stored.

        Raises:
            EvalForgeError: No result can be stored, or the requested engines are unavailable.
        """
        self._started_at = time.monotonic()
        judging = asyncio.create_task(self._judge_class())
        try:
            while (event := await self._events.get()) is not None:
                yield event.model_copy(update={"at": round(time.monotonic() - self._started_at, 4)})
            await judging
        except ExceptionGroup as errors:
            raise _most_informative(errors) from None
        finally:
            judging.cancel()
            await asyncio.gather(judging, return_exceptions=True)
            self.intake.opened.close()

    async def _judge_class(self) -> None:
        """Judge everybody, and then end the stream of events, whatever the outcome, unless cancelled."""
        try:
            await self._judge_rows()
        except asyncio.CancelledError:
            raise
        except BaseException:
            await self._events.put(None)
            raise
        await self._events.put(None)

    async def _judge_rows(self) -> None:
        engines = await self.options.engines.open(self.options.workers)
        self._time_left = TimeLeft(len(engines))
        try:
            self.run = self._recorder.open_run(self.intake.source)
            await self._emit(self._class_opened(len(engines)))
            async with asyncio.TaskGroup() as group:
                group.create_task(self._plan_rows(len(engines)))
                for number, (engine, location) in enumerate(engines):
                    group.create_task(self._work(number, engine, location))
            self.run = self._recorder.close_run()
            await self._emit(self._class_closed())
        finally:
            await self.options.engines.close()

    def _class_opened(self, workers: int) -> ClassOpened:
        return ClassOpened(
            run=self.run,
            label=self.label,
            boss_id=self.pack.boss_id,
            title=self.pack.definition.title,
            judge=self.judge,
            workers=workers,
            found_as=self.intake.layout,
            rows=tuple(
                ExpectedRow(row_id=row.row_id, title=row.person.name or row.row_id) for row in self.intake.hand_ins
            ),
            account=self.intake.account,
        )

    def _class_closed(self) -> ClassClosed:
        fresh_rows = [row for row in self.rows.values() if row.fresh]
        return ClassClosed(
            run=self.run,
            outcomes=dict(Counter(row.outcome for row in self.rows.values())),
            fresh=len(fresh_rows),
            usd=sum((row.cost for row in fresh_rows), Cost()).usd,
        )

    async def _emit(self, event: ClassEvent) -> None:
        await self._events.put(event)

    async def _plan_rows(self, worker_count: int) -> None:
        """Collect every submission: settle the rows that need no judging, queue the others for the workers."""
        for hand_in in self.intake.hand_ins:
            self._unread_count -= 1
            try:
                content_hash = await asyncio.to_thread(_content_hash, self.pack, hand_in)
            except SubmissionError as error:
                outcome = RowOutcome.UNUSABLE if hand_in.source else RowOutcome.ABSENT
                await self._settle_row(make_row(hand_in, outcome, reason=str(error)))
                continue
            except Exception as error:  # noqa: BLE001 - one submission must never stop the class
                await self._settle_row(make_row(hand_in, RowOutcome.UNGRADED, reason=_ungraded_words(error)))
                continue
            row_or_task = self._recorder.reuse_or_plan(hand_in, content_hash)
            if isinstance(row_or_task, ClassRow):
                await self._settle_row(row_or_task)
            else:
                self._unjudged_count += 1
                self._tasks.put_nowait(row_or_task)
        for _ in range(worker_count):
            self._tasks.put_nowait(None)

    async def _settle_row(self, row: ClassRow) -> None:
        self._recorder.record_row(row)
        self.rows[row.row_id] = row
        if row.fresh:
            self._unjudged_count -= 1
        is_all_read = self._unread_count == 0
        seconds_left = self._time_left.seconds_for(self._unjudged_count) if is_all_read else None
        total = len(self.intake.hand_ins)
        await self._emit(RowSettled(row=row, done=len(self.rows), total=total, seconds_left=seconds_left))

    async def _work(self, number: int, engine: Engine, location: str) -> None:
        """Judge rows of the queue with one engine, until there are no more."""
        async with Forge(self._history, self._budget, engine) as forge:
            is_ready = False
            while (task := await self._tasks.get()) is not None:
                if not is_ready:
                    # Without anything to judge, no engine starts.
                    await forge.warm()
                    note = engine.isolation_note
                    await self._emit(WorkerReady(worker=number, isolation=engine.layer, place=location, note=note))
                    is_ready = True
                await self._emit(RowStarted(row_id=task.hand_in.row_id, worker=number))
                started_at = time.monotonic()
                row = await self._judge_row(forge, task)
                seconds = round(time.monotonic() - started_at, 3)
                self._time_left.add_row(seconds)
                await self._settle_row(row.model_copy(update={"seconds": seconds}))

    async def _judge_row(self, forge: Forge, task: JudgingTask) -> ClassRow:
        try:
            with _temporary_folder() as folder:
                return await self._fight(forge, task, Path(folder))
        except SubmissionError as error:
            return make_row(task.hand_in, RowOutcome.UNUSABLE, reason=str(error), fresh=True)
        except HistoryError:
            raise  # no result at all could be stored
        except Exception as error:  # noqa: BLE001 - one submission must never stop the class
            return make_row(task.hand_in, RowOutcome.UNGRADED, reason=_ungraded_words(error), fresh=True)

    async def _fight(self, forge: Forge, task: JudgingTask, scratch: Path) -> ClassRow:
        hand_in, options = task.hand_in, self.options
        unpacked = await asyncio.to_thread(unpack_hand_in, hand_in, scratch)
        self._recorder.assign_next_attempt(hand_in, unpacked.directory)
        fight_options = FightOptions(
            judge=options.judge, models=options.models, python=options.python, again=options.again
        )
        record = await record_fight(
            forge.fight(self.pack, unpacked.directory, fight_options),
            on_event=lambda event: self._emit(RowFight(row_id=hand_in.row_id, event=event)),
        )
        return self._recorder.row_after_fight(task, record, unpacked.left_out)


def _temporary_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="evalforge-class-", ignore_cleanup_errors=True)


def _content_hash(pack: BossPack, hand_in: HandIn) -> str:
    with _temporary_folder() as folder:
        directory = unpack_hand_in(hand_in, Path(folder)).directory
        try:
            return collect_for(pack, directory).content_hash
        except SubmissionError as error:
            # Its hint is written for players, and its path is on this machine.
            name = hand_in.entry_name or hand_in.row_id
            raise SubmissionError(error.message.replace(str(directory), clean_line(name))) from None


def _ungraded_words(error: Exception) -> str:
    ungraded = ungraded_by(error)
    return f"{ungraded.reason} {ungraded.advice}"


def _most_informative(errors: ExceptionGroup[Exception]) -> Exception:
    """Return the one of several errors to show: the first that is written for users."""
    flat: list[Exception] = []
    for error in errors.exceptions:
        flat += (
            [_most_informative(cast("ExceptionGroup[Exception]", error))]
            if isinstance(error, ExceptionGroup)
            else [error]
        )
    return next((error for error in flat if isinstance(error, EvalForgeError)), flat[0])
