"""The judges: which ones are available here, which is the default, and what a fight with each would cost."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalforge.judges.availability import default_judge, model_unavailable_reason
from evalforge.llm import credentials
from evalforge.llm.model_options import ModelOptions
from evalforge.model.errors import UsageError

if TYPE_CHECKING:
    from evalforge.judges.base import Judge
    from evalforge.llm.budget import Budget
    from evalforge.model.submission import Submission
    from evalforge.packs.pack import BossPack

JUDGES = ("forge", "claude", "panel", "forge+words")
_MAX_VOTES = 5
_CENT = 0.01
_COUNT_STALL_SECONDS = 10.0
_CACHE_STALL_SECONDS = 30.0


@dataclass(frozen=True)
class JudgeOffer:
    """A judge, whether it is available here, and a sentence on what it does or why it isn't available."""

    name: str
    is_available: bool
    description: str


@dataclass(frozen=True)
class CostEstimate:
    """The estimated cost of a fight.

    Attributes:
        low_usd: Cost of one vote; None if the price is unknown.
        high_usd: Cost of the most votes that the judge may ask for; None if the price is unknown.
        input_tokens: Number of tokens of one vote's prompt.
        is_counted: Whether the server counted the tokens; if not, they are estimated.
        reserved_usd: The most that one call can cost, which must be left in the budget; None if the price is unknown.
    """

    low_usd: float | None
    high_usd: float | None
    input_tokens: int
    is_counted: bool
    reserved_usd: float | None = 0.0

    def __add__(self, other: "CostEstimate") -> "CostEstimate":
        low = None if self.low_usd is None or other.low_usd is None else self.low_usd + other.low_usd
        high = None if self.high_usd is None or other.high_usd is None else self.high_usd + other.high_usd
        # Calls don't overlap, so only the most expensive one has to fit into the budget.
        are_both_known = None not in (self.reserved_usd, other.reserved_usd)
        reserved = max(self.reserved_usd or 0.0, other.reserved_usd or 0.0) if are_both_known else None
        is_counted = self.is_counted and other.is_counted
        return CostEstimate(low, high, self.input_tokens + other.input_tokens, is_counted, reserved)

    @property
    def reserve_words(self) -> str:
        """The amount reserved before a call, in words; empty if none is."""
        return f"up to {_format_usd(self.reserved_usd)} is reserved for a call" if self.reserved_usd else ""

    @property
    def price_words(self) -> str:
        """The price in words: ``about $0.03``, ``$0.03 to $0.15``, ``free``."""
        if self.low_usd is None or self.high_usd is None:
            return "price unknown"
        if self.high_usd == 0:
            return "free"
        low, high = _format_usd(self.low_usd), _format_usd(self.high_usd)
        return f"about {low}" if low == high else f"{low} to {high}"


def _format_usd(amount: float) -> str:
    return f"${amount:.2f}" if amount >= _CENT else f"${amount:.3f}"


def judge_offers(options: ModelOptions | None = None) -> tuple[JudgeOffer, ...]:
    """The judges that are available here; without a model, one more that says what it needs. Needs no network."""
    options = options or ModelOptions()
    forge = JudgeOffer("forge", True, "runs the code; offline, free, repeatable")
    if why_not := model_unavailable_reason(options):
        return (forge, JudgeOffer("claude", False, why_not))
    server = options.server or "Anthropic"
    how = f"{', '.join(options.models_to_ask)} at {server}, {_key_source_words(options)}"
    return (
        forge,
        JudgeOffer("claude", True, f"also reads the code: {how}"),
        JudgeOffer("panel", True, f"one to five votes: {how}"),
        JudgeOffer("forge+words", True, f"the forge's levels, with comments in words: {how}"),
    )


def _key_source_words(options: ModelOptions) -> str:
    source = credentials.source_for(options)
    if source:
        return f"credentials from {source}"
    if not options.is_local:
        return ""
    return "no key needed" if options.may_carry_key else "no key is sent: the connection is not encrypted"


def make_judge(name: str, options: ModelOptions | None = None, budget: "Budget | None" = None) -> "Judge":
    """The judge with this name; the default one if the name is empty.

    Raises:
        UsageError: There is no such judge, or it is not available here.
    """
    options = options or ModelOptions()
    name = name or default_judge(options)
    if name == "forge":
        from evalforge.judges.forge import ForgeJudge

        return ForgeJudge()
    if name not in JUDGES:
        raise UsageError(f"There is no judge called {name!r}.", f"Judges: {', '.join(JUDGES)}.")
    why_not = model_unavailable_reason(options)
    if why_not:
        raise UsageError(f"The {name} judge is unavailable: {why_not}.", "The forge needs no model: --judge forge")
    if name == "panel":
        from evalforge.judges.panel import PanelJudge

        return PanelJudge(options, budget)
    if name == "forge+words":
        from evalforge.judges.commenting import CommentingJudge

        return CommentingJudge(options, budget)
    from evalforge.judges.model_judge import ClaudeJudge

    return ClaudeJudge(options, budget)


async def estimate_cost(
    pack: "BossPack",
    submission: "Submission",
    name: str,
    options: ModelOptions | None = None,
    *,
    count_on_server: bool = False,
) -> CostEstimate:
    """Estimate the cost of a fight with this judge.

    Args:
        pack: The boss.
        submission: The submission to judge.
        name: The judge's name.
        options: Which models to call, on which server.
        count_on_server: Whether to ask the server to count tokens, which is free but slower than estimating.
    """
    from evalforge.judges.base import Case
    from evalforge.judges.commenting import COMMENTING_JUDGE, comments_request
    from evalforge.judges.expected_evidence import expected_case
    from evalforge.judges.forge import forge_opinion
    from evalforge.judges.model_judge import is_too_small
    from evalforge.judges.prompt import build_prompt
    from evalforge.judges.vote import first_request
    from evalforge.llm.budget import Usage, cost_of, expected_output_tokens, max_cost_usd, price_of
    from evalforge.llm.response_format import ResponseFormat
    from evalforge.llm.sdk_client import Client
    from evalforge.llm.submission_rendering import CHARS_PER_TOKEN
    from evalforge.model.evidence import Evidence

    options = options or ModelOptions()
    if name == "forge" or is_too_small(submission):
        return CostEstimate(0.0, 0.0, 0, is_counted=True)
    case = expected_case(Case(pack, submission, Evidence()))
    prompt, form = build_prompt(case, "0" * 16), ResponseFormat.OUTPUT_CONFIG
    request = first_request(case, prompt, options.models_to_ask[0], options, form)
    if name == COMMENTING_JUDGE:
        request = comments_request(case, forge_opinion(case).judgements, "0" * 16, options)
    counted_tokens: int | None = None
    if count_on_server:
        client = Client(options, _COUNT_STALL_SECONDS)
        counted_tokens = await client.count_tokens(request)
        await client.close()
    is_counted = counted_tokens is not None
    input_tokens = int(request.char_count / CHARS_PER_TOKEN) if counted_tokens is None else counted_tokens
    usage = Usage(input=input_tokens, output=expected_output_tokens(len(pack.rubric.criteria)))
    models = options.models_to_ask
    vote_count = _MAX_VOTES if name == "panel" else 1
    prices = [price_of(models[vote % len(models)], options) for vote in range(vote_count)]
    costs = [cost_of(usage, price).usd for price in prices]
    priced = [cost for cost in costs if cost is not None]
    high_usd = sum(priced) if len(priced) == len(costs) else None
    first = prices[0]
    reserved_usd = max_cost_usd(request.max_input_tokens, request.max_tokens, first) if first else None
    return CostEstimate(costs[0], high_usd, input_tokens, is_counted, reserved_usd)


async def prepare_judge(pack: "BossPack", options: ModelOptions | None = None, budget: "Budget | None" = None) -> None:
    """Prepare a model judge while the player reads: import the SDK, and let the server cache the stable prompt.

    Only for players who chose a model judge: filling the cache costs a little, which is charged to the budget. Errors
    are ignored, because the fight will report them.
    """
    import asyncio

    from evalforge.llm import sdk_client

    options = options or ModelOptions()
    await asyncio.to_thread(sdk_client.import_sdk)
    if options.is_local or model_unavailable_reason(options):
        return
    from evalforge.judges.prompt import stable_system_text
    from evalforge.llm.budget import Usage, cost_of, max_cost_usd, price_of

    model = options.models_to_ask[0]
    price = price_of(model, options)
    request = sdk_client.Request(model, (stable_system_text(pack),), (("user", "Get ready."),), 0)
    reservation_id = None
    if price is None:
        return
    if budget is not None:
        amount_usd = max_cost_usd(request.max_input_tokens, 0, price)
        reservation_id = budget.reserve(amount_usd, options.budget_usd)
        if reservation_id is None:
            return
    connection = sdk_client.Client(options, _CACHE_STALL_SECONDS)
    usage: Usage | None = None
    try:
        usage = await connection.fill_cache(request)
    finally:
        await connection.close()
        if budget is not None and reservation_id is not None:
            budget.settle(reservation_id, 0.0 if usage is None else cost_of(usage, price).usd or 0.0)
