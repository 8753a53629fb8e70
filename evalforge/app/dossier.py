"""All that is known of one judging, as the evidence screen needs it: of a fight just fought or of an old attempt."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evalforge.app.foe import Foe
from evalforge.model.evidence import Evidence, Finding, TrialResult
from evalforge.model.result import Judgement
from evalforge.model.submission import Submission

if TYPE_CHECKING:
    from evalforge.model.attempt import Attempt


@dataclass(frozen=True)
class Dossier:
    """One judging.

    Args:
        foe: Who was fought, and by which rubric.
        judgements: By criterion id.
        evidence: Facts and trials.
        submission: The files as they were judged.
        directory: Where they lay.
        hints: Three steps for each criterion, as the boss's pack tells them today.
    """

    foe: Foe
    judgements: Mapping[str, Judgement]
    evidence: Evidence
    submission: Submission
    directory: str
    hints: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def findings(self, criterion_id: str) -> tuple[Finding, ...]:
        """What a judgement points at; the same place and words once."""
        judgement = self.judgements.get(criterion_id)
        found = judgement.findings if judgement else ()
        return tuple({(f.place, f.message): f for f in reversed(found)}.values())[::-1]

    def marks(self, criterion_id: str, path: str) -> dict[int, list[str]]:
        """What was found in a file, by line."""
        marks: dict[int, list[str]] = {}
        for finding in self.findings(criterion_id):
            if finding.path == path and finding.line:
                marks.setdefault(finding.line, []).append(finding.message)
        return marks

    def trial(self, finding: Finding | None) -> TrialResult | None:
        """The trial that saw it; findings name trials by their titles, which are what a player knows."""
        wanted = finding.trial if finding else ""
        return next((t for t in self.evidence.trials if wanted and wanted in (t.title, t.id)), None)

    def trials(self, criterion_id: str, first: Finding | None) -> list[TrialResult]:
        """The failed trials of the groups this criterion stands on, the one of a finding first; if none, the passed."""
        chosen = self.trial(first)
        seen = {t.group for finding in self.findings(criterion_id) if (t := self.trial(finding))}
        groups = seen or self.foe.groups.get(criterion_id, frozenset())
        everywhere = "all" in groups
        mine = [t for t in self.evidence.trials if (everywhere or t.group in groups) and t is not chosen]
        failed = [t for t in mine if not t.passed]
        return [chosen, *failed] if chosen else failed or mine


def dossier_of(attempt: "Attempt", foe: Foe, hints: Mapping[str, tuple[str, ...]]) -> Dossier:
    """The dossier of a stored attempt."""
    return Dossier(
        foe=foe,
        judgements={judgement.criterion_id: judgement for judgement in attempt.judgements},
        evidence=attempt.evidence,
        submission=attempt.submission,
        directory=attempt.directory,
        hints=hints,
    )
