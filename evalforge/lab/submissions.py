"""What the lab scores: a boss's exemplars and chosen past attempts, each with its evidence."""

from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from evalforge.fight import FightOptions, Forge
from evalforge.history.listing import AttemptFilter
from evalforge.history.store import History
from evalforge.model.attempt import Attempt
from evalforge.model.errors import EvalForgeError, PackError, SandboxError
from evalforge.model.evidence import Evidence
from evalforge.model.fight_record import record_fight
from evalforge.model.submission import Submission
from evalforge.packs.gold import GOLD_FILE, Gold, read_gold
from evalforge.packs.pack import BossPack
from evalforge.packs.path_checks import is_file
from evalforge.submissions.collect import collect

_MAX_ATTEMPTS_COMPARED = 12


class SubmissionKind(StrEnum):
    """Where a submission comes from."""

    EXEMPLAR = "exemplar"
    ATTEMPT = "attempt"


@dataclass(frozen=True)
class LabSubmission:
    """A submission, and its evidence once it is measured.

    Attributes:
        id: The exemplar's or the attempt's.
        name: Its name on screen.
        kind: Where it comes from.
        submission: The files, as collected.
        directory: Where they were collected; it may be gone.
        gold: Its settled levels, if it has any.
        evidence: Its evidence; empty until it is measured.
    """

    id: str
    name: str
    kind: SubmissionKind
    submission: Submission
    directory: str
    gold: Gold | None = None
    evidence: Evidence = field(default_factory=Evidence)


def exemplar_sources(pack: BossPack) -> list[LabSubmission]:
    """Collect the exemplars of a pack; one that can't be read is skipped (lint says why)."""
    sources: list[LabSubmission] = []
    for path in pack.exemplars:
        try:
            submission = collect(path)
        except EvalForgeError:
            continue
        sources.append(LabSubmission(path.name, path.name, SubmissionKind.EXEMPLAR, submission, str(path), _gold(path)))
    return sources


def _gold(path: Path) -> Gold | None:
    try:
        return read_gold(path) if is_file(path / GOLD_FILE) else None
    except PackError:
        return None


def attempt_source(attempt: Attempt, name: str) -> LabSubmission:
    """A past attempt under a name, such as ``attempt 3``."""
    return LabSubmission(attempt.id, name, SubmissionKind.ATTEMPT, attempt.submission, attempt.directory)


def comparison_sources(history: History | None, pack: BossPack) -> list[LabSubmission]:
    """Collect what judges can be compared on: attempts that still have their files, newest first, then exemplars."""
    if history is None:
        return exemplar_sources(pack)
    sources: list[LabSubmission] = []
    for row in history.page(AttemptFilter(pack.boss_id, with_classes=True), limit=_MAX_ATTEMPTS_COMPARED):
        with suppress(EvalForgeError):
            attempt = history.get(row.id)
            if attempt.submission.files:
                sources.append(attempt_source(attempt, row.words))
    return [*sources, *exemplar_sources(pack)]


async def measure_source(source: LabSubmission, pack: BossPack, forge: Forge, options: FightOptions) -> LabSubmission:
    """Return a source with its evidence: a fight measures it, which runs nothing again that is kept and still valid.

    Args:
        source: The submission.
        pack: The pack whose trials run.
        forge: Runs the code.
        options: Fight options; ``judge`` and ``save`` are replaced.

    Raises:
        SandboxError: It could not be measured.
    """
    if source.evidence.facts:
        return source
    options = replace(options, judge="forge", save=False)
    record = await record_fight(forge.fight(pack, Path(source.directory), options, source.submission))
    if record.judged is None:
        end = record.ungraded
        raise SandboxError(end.reason if end else "The fight ended without a result.", end.advice if end else "")
    return replace(source, evidence=record.evidence)
