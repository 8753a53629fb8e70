"""The forge's levels with comments by a model: a task that small local models can do.

No level, total or verdict depends on the model. If it fails, the forge's own words remain.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from evalforge.judges.base import Case
from evalforge.judges.comments import as_sentence
from evalforge.judges.forge import forge_opinion
from evalforge.judges.model_judge import EventSink, ModelJudge
from evalforge.judges.plain_prose import plain_prose
from evalforge.judges.prompt import commenting_instructions
from evalforge.judges.reply import ReplyError, parse_json_object
from evalforge.judges.reply_schema import comments_schema
from evalforge.judges.vote import VoteContext
from evalforge.llm.failure import CallFailedError, CallFailure
from evalforge.llm.model_options import ModelOptions
from evalforge.llm.request import Request
from evalforge.llm.response_format import ResponseFormat
from evalforge.llm.retry import StreamObserver, ask_model
from evalforge.llm.submission_rendering import render_submission
from evalforge.model.events import Progress, Ungraded
from evalforge.model.result import JudgeInfo, Judgement, Opinion
from evalforge.model.text import clean

COMMENTING_JUDGE = "forge+words"
_TOKENS_PER_CRITERION = 150
_MAX_REMOTE_REPLY_TOKENS = 6_000
"""The longest reply of a remote model in tokens, thinking included."""
_MAX_COMMENT_CHARS = 600
_FORMATS = (ResponseFormat.CHAT_COMPLETIONS, ResponseFormat.OUTPUT_CONFIG, ResponseFormat.PROMPT)
"""The reply formats to try; the first is only for servers on this machine or network."""


class CommentingJudge(ModelJudge):
    """Gives the forge's levels, with comments by the first of the chosen models."""

    @property
    def info(self) -> JudgeInfo:
        """The judge's name, its model and its prompt."""
        return JudgeInfo(name=COMMENTING_JUDGE, model=self.options.models_to_ask[0], version=self._version)

    def refusal(self, case: Case) -> Ungraded | None:
        """Always None, because without a model it still gives the forge's levels."""
        return None

    async def _collect_opinion(self, case: Case, context: VoteContext, emit: EventSink) -> Opinion:
        # Notices from measuring are added to the notes of every judge later.
        opinion = forge_opinion(case).model_copy(update={"raw_notes": ""})
        try:
            comments = await self._comments(case, opinion.judgements, context, emit)
        except CallFailedError as error:
            note = f"There are no comments from the model: {error.failure.reason}"
            emit(Progress(message=note))
            return opinion.model_copy(update={"raw_notes": note})
        judgements = tuple(
            _with_comment(judgement, comments.get(judgement.criterion_id, "")) for judgement in opinion.judgements
        )
        return opinion.model_copy(update={"judgements": judgements})

    async def _comments(
        self, case: Case, judgements: Sequence[Judgement], context: VoteContext, emit: EventSink
    ) -> dict[str, str]:
        """Get the model's comments by criterion.

        Raises:
            CallFailedError: There is no reply, or it can't be used.
        """
        observer = StreamObserver(on_status=lambda message: emit(Progress(message=message)))
        policy, deadline = context.retry_policy, context.deadline
        text = ""
        for form in _FORMATS[not self.options.is_local :]:
            request = comments_request(case, judgements, context.nonce, self.options, form)
            try:
                text = await ask_model(context.client, request, policy, deadline, context.usage_recorder, observer)
                break
            except CallFailedError as error:
                if not error.failure.format_refused or form is _FORMATS[-1]:
                    raise
        try:
            return _read_comments(text)
        except ReplyError as error:
            raise CallFailedError(CallFailure(f"Its reply can't be used: {error}.")) from None


def comments_request(
    case: Case,
    judgements: Sequence[Judgement],
    nonce: str,
    options: ModelOptions,
    form: ResponseFormat = ResponseFormat.OUTPUT_CONFIG,
) -> Request:
    """The request for comments: the forge's judgement in the system prompt, only the submission in the user's turn."""
    rubric, model = case.pack.rubric, options.models_to_ask[0]
    settled = {
        criterion.id: {"criterion": criterion.label, "level": criterion.level(judgement.score).label}
        for criterion, judgement in zip(rubric.criteria, judgements, strict=True)
    }
    findings = [(f"the finding on {judgement.criterion_id}", judgement.comment) for judgement in judgements]
    rendering = render_submission(case.submission, nonce, case.pack.definition.metadata.entry_files, findings)
    borders = f"The borders are ===BEGIN SUBMISSION {nonce}=== and ===END SUBMISSION {nonce}===."
    tokens = _TOKENS_PER_CRITERION * (len(rubric.criteria) + 1)
    return Request(
        model=model,
        system=(commenting_instructions(), f"{borders}\n\nsettled: {json.dumps(settled, ensure_ascii=False)}"),
        messages=(
            ("user", f"{rendering.text}\n\nWrite the comments for {', '.join(settled)} now, as one JSON object."),
        ),
        max_tokens=tokens if options.is_local else _MAX_REMOTE_REPLY_TOKENS,
        extra_arguments=form.request_arguments(comments_schema(rubric), model),
    )


def _read_comments(text: str) -> dict[str, str]:
    """Read the comments of a reply in plain words; anything but text is left out.

    Raises:
        ReplyError: It has no criteria.
    """
    criteria = parse_json_object(text).get("criteria")
    if not isinstance(criteria, Mapping):
        raise ReplyError("criteria must be an object keyed by criterion id")
    entries = cast("Mapping[str, Any]", criteria)
    return {
        name: plain_prose(clean(comment, total_cap=_MAX_COMMENT_CHARS).strip())
        for name, entry in entries.items()
        if isinstance(entry, Mapping) and isinstance(comment := cast("Mapping[str, Any]", entry).get("comment"), str)
    }


def _with_comment(judgement: Judgement, text: str) -> Judgement:
    """Add a model's words to a judgement, after the forge's comment."""
    if not text:
        return judgement
    return judgement.with_remark(as_sentence(text)).model_copy(update={"written": text})
