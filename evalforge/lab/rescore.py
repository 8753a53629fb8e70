"""Scoring again from stored evidence: the forge judges, and no code is run."""

from evalforge.judges.base import Case, judged_event
from evalforge.judges.forge import forge_opinion
from evalforge.model.events import Judged
from evalforge.model.evidence import Evidence
from evalforge.model.submission import Submission
from evalforge.packs.pack import BossPack


def rescore(pack: BossPack, submission: Submission, evidence: Evidence) -> Judged:
    """The forge's judgement of a submission with this evidence, by the rubric and rules of a pack."""
    case = Case(pack, submission, evidence)
    return judged_event(case, forge_opinion(case))
