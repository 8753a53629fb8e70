"""The claude judge: one model reads the code, one vote, each criterion told as it is written."""

from evalforge.judges.base import Case
from evalforge.judges.bench import ModelJudge, Tell, opinion_of
from evalforge.judges.vote import Bench, Voter
from evalforge.model.result import JudgeInfo, Opinion


class ClaudeJudge(ModelJudge):
    """Asks the first model that was chosen."""

    @property
    def info(self) -> JudgeInfo:
        """Which judge it is."""
        return JudgeInfo(name="claude", model=self.options.panel[0], version=self._version)

    async def _opinion(self, case: Case, bench: Bench, tell: Tell) -> Opinion:
        vote = await Voter(case, bench, self.options.panel[0], 0, tell).vote()
        return opinion_of(case, (vote,), vote.judgements)
