"""Scoring again from evidence that is there already: the forge judge itself, and nothing run."""

from evalforge.judges.base import Case, conclude
from evalforge.judges.forge import opine
from evalforge.library.pack import BossPack
from evalforge.model.events import Judged
from evalforge.model.evidence import Evidence
from evalforge.model.submission import Submission


def rescore(pack: BossPack, submission: Submission, evidence: Evidence) -> Judged:
    """What the forge says of a submission with this evidence by the rubric and rules of a pack."""
    case = Case(pack, submission, evidence)
    return conclude(case, opine(case))
