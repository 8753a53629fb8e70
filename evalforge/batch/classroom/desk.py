"""The desk of a class: what is known of a hand-in from earlier runs, and what is written down of it in this one."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evalforge.batch.classroom.carry import carried
from evalforge.batch.classroom.handin import HandIn
from evalforge.batch.classroom.instrument import causes
from evalforge.batch.classroom.rows import ClassRow, Earlier, Outcome
from evalforge.history.classes import Instrument, Seat, Sitting
from evalforge.history.store import History
from evalforge.library.pack import BossPack
from evalforge.model.cost import Cost
from evalforge.model.errors import HistoryError
from evalforge.model.events import Event, Judged, Saved, Spent, Started, Ungraded
from evalforge.model.result import JudgeInfo


@dataclass(frozen=True)
class Task:
    """A hand-in that is to be judged, the attempt before, and what has changed since."""

    hand_in: HandIn
    content_hash: str
    earlier: Sitting | None
    causes: tuple[str, ...]


class Desk:
    """Rows of one class, looked up and written down.

    Args:
        pack: The boss.
        history: Where attempts and runs are kept.
        label: The class's name.
        judge: Who judges now.
        instrument: What measures now.
        again: Whether everybody is to be judged, whatever is known.
    """

    def __init__(
        self, pack: BossPack, history: History, label: str, judge: JudgeInfo, instrument: Instrument, *, again: bool
    ) -> None:
        self._pack = pack
        self._history = history
        self._label = label
        self._judge = judge
        self._instrument = instrument
        self._again = again
        self._run = 0

    def open_run(self, source: str) -> int:
        """Begin a run; answers its number."""
        book = self._history.classes
        self._run = book.open_run(self._label, self._pack.boss_id, source, self._judge, self._instrument)
        return self._run

    def close_run(self) -> int:
        """Every row is settled; answers the number of the run that stands for it."""
        self._run = self._history.classes.close_run(self._run)
        return self._run

    def seat(self, hand_in: HandIn, directory: Path) -> None:
        """The next attempt on a directory is this hand-in's."""
        self._history.seat(directory, Seat(self._run, hand_in.row_id, hand_in.source))

    def settle(self, row: ClassRow) -> None:
        """Write down how it stands with a row; a fight has written its own down as it began."""
        if not (row.fresh and row.attempt_id):
            outcome = "" if row.attempt_id else row.outcome.value
            self._history.classes.settle(self._run, row.row_id, row.attempt_id, outcome, row.reason)

    def look_up(self, hand_in: HandIn, content_hash: str) -> ClassRow | Task:
        """The row as an earlier run judged it, if nothing has changed since; else what is to be done."""
        sittings = self._history.classes.sittings(self._label, self._pack.boss_id, hand_in.row_id)
        changes = [causes(sitting, content_hash, self._judge, self._instrument) for sitting in sittings]
        same = next((index for index, changed in enumerate(changes) if not changed), None)
        if same is None or self._again:
            newest = (sittings[0], changes[0]) if sittings else (None, ())
            return Task(hand_in, content_hash, *newest)
        before = next((index for index in range(len(sittings)) if index != same), None)
        earlier = None if before is None else _earlier(sittings[before], changes[before])
        row = row_of(hand_in, Outcome.JUDGED, attempt_id=sittings[same].attempt_id, earlier=earlier)
        try:
            return self._judged(row)
        except HistoryError:
            # Somebody's hand or a disk's fault: what can't be read is judged anew.
            return Task(hand_in, content_hash, sittings[same], ())

    def fought(self, task: Task, seen: Mapping[type[Event], Event], left_out: tuple[str, ...]) -> ClassRow:
        """The row of a fight that ended.

        Args:
            task: What was to be judged.
            seen: The last event of each kind.
            left_out: What of an archive was not unpacked.
        """
        saved, ended, started, spent = (seen.get(kind) for kind in (Saved, Ungraded, Started, Spent))
        more = {
            "fresh": True,
            "left_out": left_out,
            "attempt_id": saved.attempt_id if isinstance(saved, Saved) else "",
            "isolation": started.isolation if isinstance(started, Started) else "",
            "cost": spent.cost if isinstance(spent, Spent) else Cost(),
            "earlier": _earlier(task.earlier, task.causes) if task.earlier else None,
        }
        if Judged in seen:
            return self._judged(row_of(task.hand_in, Outcome.JUDGED, **more))
        reason = f"{ended.reason} {ended.advice}".strip() if isinstance(ended, Ungraded) else "No word came back."
        return row_of(task.hand_in, Outcome.UNGRADED, reason=reason, content_hash=task.content_hash, **more)

    def _judged(self, row: ClassRow) -> ClassRow:
        """A judged row with what its attempt holds, and what people said of it or of the one before."""
        attempt = self._history.get(row.attempt_id)
        earlier = row.earlier.attempt_id if row.earlier else ""
        revised, lost = carried(self._history, row.attempt_id, earlier, self._pack.rubric)
        found = {"judged": attempt.result, "content_hash": attempt.submission.content_hash}
        more = {"isolation": attempt.isolation, "revised": revised, "lost": lost}
        return row.model_copy(update={**found, **more})


def row_of(hand_in: HandIn, outcome: Outcome, **more: object) -> ClassRow:
    """A row about somebody's hand-in."""
    person = hand_in.person
    about = {
        "row_id": hand_in.row_id,
        "name": person.name,
        "student_id": person.student_id,
        "email": person.email,
        "number": person.number,
        "source": hand_in.source,
        "on_roster": hand_in.on_roster,
    }
    return ClassRow.model_validate({**about, "outcome": outcome, **more})


def _earlier(sitting: Sitting, changed: tuple[str, ...]) -> Earlier:
    return Earlier(
        attempt_id=sitting.attempt_id,
        score_total=sitting.score_total,
        score_max=sitting.score_max,
        verdict=sitting.verdict,
        causes=changed,
    )
