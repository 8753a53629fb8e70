"""A judged submission with everything behind its levels: from a recent fight, an old attempt, or a lab's draft."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evalforge.app.core.boss_view import BossView, boss_view
from evalforge.model.evidence import CLAIM_GROUP, Evidence, Finding, TrialResult, merge_findings
from evalforge.model.result import Judgement
from evalforge.model.submission import Submission

if TYPE_CHECKING:
    from evalforge.model.attempt import Attempt
    from evalforge.packs.pack import BossPack


@dataclass(frozen=True)
class JudgedSubmission:
    """Everything the evidence screen shows.

    Args:
        boss: The boss and the rubric it was judged by.
        judgements: The judgements, by criterion id.
        evidence: Facts and trials.
        submission: The files as they were judged.
        directory: The folder they were in.
        hints: Three steps for each criterion, from the current pack.
        has_riddles: Whether known mistakes are riddles until the player asks for more, as after a fight.
    """

    boss: BossView
    judgements: Mapping[str, Judgement]
    evidence: Evidence
    submission: Submission
    directory: str
    hints: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    has_riddles: bool = False

    def findings(self, criterion_id: str) -> tuple[Finding, ...]:
        """The findings of a judgement, each line of code once, then each trial that failed at none."""
        judgement = self.judgements.get(criterion_id)
        findings = judgement.findings if judgement else ()
        of_trials = {finding.trial: finding for finding in findings if finding.trial and not finding.path}
        others = (finding for finding in findings if finding.path or not finding.trial)
        return (*merge_findings(others), *of_trials.values())

    def marks(self, criterion_id: str, path: str) -> dict[int, list[str]]:
        """The findings of a criterion in a file, by line."""
        return marks_in(self.findings(criterion_id), path)

    def trial(self, finding: Finding | None) -> TrialResult | None:
        """The trial behind a finding; findings name trials by the titles that players know."""
        trial_name = finding.trial if finding else ""
        trials = (*self.evidence.trials, *(claim.as_trial for claim in self.evidence.claims if claim.is_confirmed))
        return next((t for t in trials if trial_name and trial_name in (t.title, t.id)), None)

    def trials(self, criterion_id: str, first: Finding | None) -> list[TrialResult]:
        """The failed trials of this criterion's groups, a finding's trial first; if none failed, the passed ones.

        Proven claims count as failed trials.
        """
        trial = self.trial(first)
        named_groups = {t.group for finding in self.findings(criterion_id) if (t := self.trial(finding))}
        groups = named_groups - {CLAIM_GROUP} or self.boss.groups.get(criterion_id, frozenset())
        everywhere = "all" in groups
        mine = [t for t in self.evidence.trials if (everywhere or t.group in groups) and t is not trial]
        proven = [claim.as_trial for claim in self.evidence.proven_claims(criterion_id)]
        failed = [*(t for t in proven if t != trial), *(t for t in mine if not t.passed)]
        return [trial, *failed] if trial else failed or mine


def marks_in(findings: Iterable[Finding], path: str) -> dict[int, list[str]]:
    """The messages of findings in a file, by line."""
    marks: dict[int, list[str]] = {}
    for finding in findings:
        if finding.path == path and finding.line:
            marks.setdefault(finding.line, []).append(finding.message)
    return marks


def judged_now(
    pack: "BossPack",
    judgements: Iterable[Judgement],
    evidence: Evidence,
    submission: Submission,
    directory: str,
) -> JudgedSubmission:
    """Return a submission judged by the current pack, which is stored nowhere."""
    return JudgedSubmission(
        boss=boss_view(pack),
        judgements={judgement.criterion_id: judgement for judgement in judgements},
        evidence=evidence,
        submission=submission,
        directory=directory,
        hints=pack.codex.hints,
    )


def judged_attempt(attempt: "Attempt", boss: BossView, hints: Mapping[str, tuple[str, ...]]) -> JudgedSubmission:
    """Return a stored attempt, with the boss as it was when judged."""
    return JudgedSubmission(
        boss=boss,
        judgements={judgement.criterion_id: judgement for judgement in attempt.judgements},
        evidence=attempt.evidence,
        submission=attempt.submission,
        directory=attempt.directory,
        hints=hints,
    )
