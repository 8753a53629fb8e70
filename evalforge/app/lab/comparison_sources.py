"""Submissions that two judges can be compared on: the last attempts on a boss, and its exemplars."""

from typing import TYPE_CHECKING

from evalforge.lab.submissions import SubmissionSource, attempt_source, exemplar_sources, trials_hash_by_rubric_hash
from evalforge.model.errors import EvalForgeError

if TYPE_CHECKING:
    from evalforge.app.session import Session
    from evalforge.packs.pack import BossPack

_MAX_ATTEMPTS = 12


def comparison_sources(session: "Session", pack: "BossPack") -> list[SubmissionSource]:
    """Attempts that still have their files, newest first, then the boss's exemplars."""
    return [*_attempts(session, pack), *exemplar_sources(pack)]


def _attempts(session: "Session", pack: "BossPack") -> list[SubmissionSource]:
    history = session.history()
    if history is None:
        return []
    versions, trials = trials_hash_by_rubric_hash(pack), pack.trials_hash
    sources: list[SubmissionSource] = []
    for row in history.page(session.services.filter(boss_id=pack.boss_id), limit=_MAX_ATTEMPTS):
        try:
            attempt = history.get(row.id)
        except EvalForgeError:
            continue
        if attempt.submission.files:
            sources.append(attempt_source(attempt, row.number, versions, trials))
    return sources
