"""What the lab's screens share about judges: asking one through the game's engine, and opening what it judged."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import aclosing

from evalforge.app.core.judged_submission import JudgedSubmission, judged_now
from evalforge.fight import Forge
from evalforge.judges.base import Case
from evalforge.judges.forge import ForgeJudge
from evalforge.lab.judge_pair import AskJudge
from evalforge.lab.submissions import LabSubmission
from evalforge.llm.model_options import ModelOptions
from evalforge.model.events import Event
from evalforge.model.result import Judgement
from evalforge.packs.pack import BossPack


def ask_through_engine(get_engine: Callable[[], Awaitable[Forge]]) -> AskJudge:
    """A way to ask judges: models spend the budget of the game's engine, the forge needs no engine."""

    async def stream_answer(name: str, models: ModelOptions, case: Case) -> AsyncGenerator[Event]:
        judging = ForgeJudge().judge(case) if name == "forge" else (await get_engine()).judge(name, models, case)
        async with aclosing(judging) as events:
            async for event in events:
                yield event

    return stream_answer


def judged_by(pack: BossPack, judgements: Iterable[Judgement], submission: LabSubmission) -> JudgedSubmission:
    """Everything known about a measured submission, as judged by a pack's rubric."""
    return judged_now(pack, judgements, submission.evidence, submission.submission, submission.directory)
