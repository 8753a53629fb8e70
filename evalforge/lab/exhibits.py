"""What the lab scores: a boss's exemplars and chosen past attempts, each with the evidence it stands on."""

import json
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol, cast

from evalforge.collect import collect
from evalforge.evidence.hygiene import notices
from evalforge.fight import FightOptions
from evalforge.lab.cache import EvidenceCache
from evalforge.lab.files import read_bytes
from evalforge.lab.instrument import trials_hash
from evalforge.library.gold import GOLD_FILE, Gold, read_gold
from evalforge.library.looking import is_file
from evalforge.library.pack import BossPack
from evalforge.model.attempt import Attempt, AttemptState
from evalforge.model.errors import EvalForgeError, PackError, SandboxError
from evalforge.model.events import Event, FactMeasured, Judged, TrialFinished, Ungraded
from evalforge.model.evidence import Evidence, Fact, TrialResult
from evalforge.model.submission import Submission


class Kind(StrEnum):
    """Where an exhibit comes from."""

    EXEMPLAR = "exemplar"
    ATTEMPT = "attempt"


class Measurer(Protocol):
    """Whatever can run code: a forge."""

    def fight(self, pack: BossPack, directory: Path, options: FightOptions | None = None) -> AsyncIterator[Event]:
        """Collect, measure and judge, as a stream of events."""
        ...


@dataclass(frozen=True)
class Source:
    """Something that may become an exhibit.

    Attributes:
        id: The exemplar's or the attempt's.
        name: What it is called on the screen.
        kind: Where it comes from.
        submission: What was handed in.
        directory: Where that lies, or lay.
        gold: Its settled levels, if it has any.
        evidence: What was measured of it, if that still holds.
    """

    id: str
    name: str
    kind: Kind
    submission: Submission
    directory: str
    gold: Gold | None = None
    evidence: Evidence | None = None


@dataclass(frozen=True)
class Exhibit:
    """A source whose evidence is there."""

    id: str
    name: str
    kind: Kind
    submission: Submission
    directory: str
    gold: Gold | None
    evidence: Evidence


def exemplars(pack: BossPack) -> list[Source]:
    """The exemplars of a pack; one that can't be read is passed over (lint says why)."""
    found: list[Source] = []
    for path in pack.exemplars:
        try:
            submission = collect(path)
        except EvalForgeError:
            continue
        found.append(Source(path.name, path.name, Kind.EXEMPLAR, submission, str(path), _gold(path)))
    return found


def _gold(path: Path) -> Gold | None:
    try:
        return read_gold(path) if is_file(path / GOLD_FILE) else None
    except PackError:
        return None


def of_attempt(attempt: Attempt, number: int, known: dict[str, str], trials: str) -> Source:
    """A past attempt. Its evidence holds if it was measured by the trials in force.

    Args:
        attempt: As it is stored.
        number: Which try on its boss it was.
        known: The trials behind each rubric hash, as ``lineage`` tells them.
        trials: The hash of the trials in force.
    """
    holds = attempt.state is AttemptState.JUDGED and known.get(attempt.rubric_hash) == trials
    return Source(
        attempt.id, f"try {number}", Kind.ATTEMPT, attempt.submission, attempt.directory,
        evidence=attempt.evidence if holds else None,
    )  # fmt: skip


def lineage(pack: BossPack) -> dict[str, str]:
    """The trials behind the pack's rubric hash, and behind those of its earlier versions."""
    known = {pack.rubric_hash: trials_hash(pack)}
    for about in sorted(pack.path.glob("versions/*/about.json")):
        try:
            data: object = json.loads(read_bytes(about) or b"")
        except ValueError:
            continue
        if isinstance(data, dict):
            told = cast("dict[str, Any]", data)
            known.setdefault(str(told.get("rubric_hash")), str(told.get("trials_hash")))
    return known


async def exhibit(
    source: Source,
    pack: BossPack,
    cache: EvidenceCache,
    measurer: Callable[[], Awaitable[Measurer]],
    options: FightOptions,
) -> Exhibit:
    """A source with its evidence: as stored, else from the cache, else measured.

    Args:
        source: What is to be shown.
        pack: Whose trials count.
        cache: What was measured before.
        measurer: Gives what runs the code; asked for only if need be.
        options: How; it is never saved as an attempt, and the forge judges.

    Raises:
        SandboxError: It had to be measured, and could not be.
    """
    content = source.submission.content_hash
    evidence = source.evidence or cache.get(content)
    if evidence is None:
        evidence = await _measure(source, pack, await measurer(), options)
        cache.put(content, evidence)
    return Exhibit(source.id, source.name, source.kind, source.submission, source.directory, source.gold, evidence)


async def _measure(source: Source, pack: BossPack, measurer: Measurer, options: FightOptions) -> Evidence:
    with tempfile.TemporaryDirectory(prefix="evalforge-lab-") as folder:
        directory = Path(folder) / "handed-in"
        _write(source.submission, directory)
        options = replace(options, judge="forge", notes=source.submission.notes, save=False)
        return await measured(measurer.fight(pack, directory, options), source.submission)


async def measured(fight: AsyncIterator[Event], submission: Submission) -> Evidence:
    """What a fight finds out about a submission.

    Raises:
        SandboxError: It could not be measured.
    """
    trials: list[TrialResult] = []
    facts: list[Fact] = []
    end: Judged | Ungraded | None = None
    async with aclosing(cast("Any", fight)) as events:
        async for event in events:
            if isinstance(event, TrialFinished):
                trials.append(event.trial)
            elif isinstance(event, FactMeasured):
                facts.append(event.fact)
            elif isinstance(event, Judged | Ungraded):
                end = event
    if not isinstance(end, Judged):
        raise SandboxError(end.reason if end else "The fight ended without a word.", end.advice if end else "")
    return Evidence(facts=tuple(facts), trials=tuple(trials), notices=notices(submission))


def _write(submission: Submission, directory: Path) -> None:
    """Lay a stored submission out again; a path that would leave the folder is not followed."""
    root = directory.resolve()
    for file in submission.files:
        path = (root / file.path).resolve()
        if path.is_relative_to(root):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file.content, "utf-8", errors="surrogatepass", newline="")
