"""The claude judge: one model reads the code and gives one vote; each criterion is shown as it is written."""

from evalforge.judges.base import Case
from evalforge.judges.model_judge import EventSink, ModelJudge, combined_opinion
from evalforge.judges.vote import VoteContext, Voter
from evalforge.model.result import JudgeInfo, Opinion


class ClaudeJudge(ModelJudge):
    """Asks the first of the chosen models."""

    @property
    def info(self) -> JudgeInfo:
        """Which judge it is."""
        return JudgeInfo(name="claude", model=self.options.models_to_ask[0], version=self._version)

    async def _collect_opinion(self, case: Case, context: VoteContext, emit: EventSink) -> Opinion:
        vote = await Voter(case, context, self.options.models_to_ask[0], 0, emit).vote()
        return combined_opinion(case, (vote,), vote.judgements)
