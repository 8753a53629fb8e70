"""Whether a player followed the advice of the directory's previous judging."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evalforge.history.store import History
from evalforge.judges.base import Case
from evalforge.judges.forge import FORGE_NAME
from evalforge.judges.improvements import follow_advice
from evalforge.model.events import AdviceFollowed, Judged
from evalforge.model.evidence import Evidence


@dataclass(frozen=True)
class _Try:
    """The part of a judging that decides whether its advice was followed.

    Attributes:
        where: The boss's id and the directory.
        attempt_id: The attempt's id; empty for practice.
        improvements: What it advised.
        evidence: What it measured.
    """

    where: tuple[str, str]
    attempt_id: str
    improvements: tuple[str, ...]
    evidence: Evidence


class EarlierAdvice:
    """Remembers the last judging, and finds the last attempt.

    Args:
        history: The stored attempts; None if none are kept.
    """

    def __init__(self, history: History | None) -> None:
        self._history = history
        self._last_judging: _Try | None = None

    def follow(self, case: Case, directory: Path, attempt_id: str, judged_event: Judged) -> Iterator[AdviceFollowed]:
        """Compare with the last attempt's advice; in practice, with that of the same directory's last judging."""
        last = self._last_attempt(attempt_id) if attempt_id else self._last_judging
        where = (case.pack.boss_id, str(directory.absolute()))
        self._last_judging = _Try(where, attempt_id, judged_event.result.improvements, case.evidence)
        if last is None or (not attempt_id and last.where != where):
            return
        if advice := follow_advice(case.pack, last.improvements, last.evidence, case.evidence):
            yield AdviceFollowed(advice=advice, since=last.attempt_id)

    def _last_attempt(self, attempt_id: str) -> _Try | None:
        attempt = self._history.previous(attempt_id) if self._history else None
        if attempt is None or attempt.result is None or attempt.judge.name != FORGE_NAME:
            return None
        where = (attempt.boss_id, attempt.directory)
        return _Try(where, attempt.id, attempt.result.improvements, attempt.evidence)
