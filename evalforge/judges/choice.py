"""Which judges can be had, which one is taken unless told otherwise, and what it would cost."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalforge.judges import credentials
from evalforge.judges.options import ModelOptions
from evalforge.model.errors import UsageError

if TYPE_CHECKING:
    from evalforge.judges.base import Judge
    from evalforge.judges.money import Purse
    from evalforge.library.pack import BossPack
    from evalforge.model.submission import Submission

JUDGES = ("forge", "claude", "panel")
_MOST_VOTES = 5
_CENT = 0.01


@dataclass(frozen=True)
class Offer:
    """One judge: whether it can be had here, and why or why not, in a sentence."""

    name: str
    works: bool
    words: str


@dataclass(frozen=True)
class Estimate:
    """What a fight would cost.

    Attributes:
        low: Dollars one vote takes; None where the price isn't known.
        high: Dollars the most votes take.
        input_tokens: What would be sent.
        counted: Whether the server counted them, or they are estimated.
    """

    low: float | None
    high: float | None
    input_tokens: int
    counted: bool

    def __add__(self, other: "Estimate") -> "Estimate":
        low = None if self.low is None or other.low is None else self.low + other.low
        high = None if self.high is None or other.high is None else self.high + other.high
        return Estimate(low, high, self.input_tokens + other.input_tokens, self.counted and other.counted)

    @property
    def words(self) -> str:
        """The price as one says it."""
        if self.low is None or self.high is None:
            return "price unknown"
        if self.high == 0:
            return "free"
        low, high = _dollars(self.low), _dollars(self.high)
        return f"about {low}" if low == high else f"{low} to {high}"


def _dollars(amount: float) -> str:
    return f"${amount:.2f}" if amount >= _CENT else f"${amount:.3f}"


def default_judge(options: ModelOptions | None = None) -> str:
    """The judge of whoever has chosen none: claude where it can be had, else the forge."""
    return "claude" if why_no_model(options or ModelOptions()) == "" else "forge"


def offers(options: ModelOptions | None = None) -> tuple[Offer, ...]:
    """All judges. Nobody is asked over the network."""
    options = options or ModelOptions()
    why_not = why_no_model(options)
    place = options.server or "Anthropic"
    how = f"{', '.join(options.panel)} at {place}, {_key_words(options)}"
    return (
        Offer("forge", True, "runs the code; offline, free, the same every time"),
        Offer("claude", not why_not, why_not or f"also reads the code: {how}"),
        Offer("panel", not why_not, why_not or f"one to five votes: {how}"),
    )


def _key_words(options: ModelOptions) -> str:
    source = credentials.source()
    if source:
        return f"credentials from {source}"
    return "no key needed" if options.is_local else ""


def why_no_model(options: ModelOptions) -> str:
    """Why no model can be asked; empty if one can. Nobody is asked over the network."""
    server = options.server
    if server:
        scheme, host = options.host
        if scheme not in ("http", "https") or not host:
            return f"the base URL {server} is not an http address"
        if scheme == "http" and not options.is_local:
            return f"{server} is not encrypted: the key and the code would be readable on the way"
        if options.is_local and not options.models:
            return f"no model is named for {server}: --model NAME"
    if not options.is_local and not credentials.source():
        return "no key: set ANTHROPIC_API_KEY, or name a local server with --base-url and --model"
    return ""


def make_judge(name: str, options: ModelOptions | None = None, purse: "Purse | None" = None) -> "Judge":
    """The judge with this name; the default one if the name is empty.

    Raises:
        UsageError: There is none, or it can't be had here.
    """
    options = options or ModelOptions()
    name = name or default_judge(options)
    if name == "forge":
        from evalforge.judges.forge import ForgeJudge

        return ForgeJudge()
    if name not in JUDGES:
        raise UsageError(f"There is no judge called {name!r}.", f"Judges: {', '.join(JUDGES)}.")
    why_not = why_no_model(options)
    if why_not:
        raise UsageError(f"The {name} judge can't be had: {why_not}.", "The forge needs none of it: --judge forge")
    if name == "panel":
        from evalforge.judges.panel import PanelJudge

        return PanelJudge(options, purse)
    from evalforge.judges.claude import ClaudeJudge

    return ClaudeJudge(options, purse)


async def estimate(
    pack: "BossPack", submission: "Submission", name: str, options: ModelOptions | None = None, *, ask: bool = False
) -> Estimate:
    """What a fight with this judge would cost, before it begins.

    Args:
        pack: The boss.
        submission: What would be handed in.
        name: The judge.
        options: Which models, where.
        ask: Whether the server may be asked to count; it is free, and slower than estimating.
    """
    from evalforge.judges.base import Case
    from evalforge.judges.bench import is_tiny
    from evalforge.judges.money import Usage, cost_of, expected_output, price_of
    from evalforge.judges.prompt import build
    from evalforge.judges.rendering import CHARACTERS_PER_TOKEN
    from evalforge.judges.sdk import Client, Request
    from evalforge.model.evidence import Evidence

    options = options or ModelOptions()
    if name == "forge" or is_tiny(submission):
        return Estimate(0.0, 0.0, 0, counted=True)
    prompt = build(Case(pack, submission, Evidence()), "0" * 16)
    request = Request(options.panel[0], (prompt.stable, prompt.case), (("user", prompt.user),), 1)
    tokens: int | None = None
    if ask:
        client = Client(options, 10.0)
        tokens = await client.count(request)
        await client.close()
    counted = tokens is not None
    tokens = tokens if tokens is not None else int(request.characters / CHARACTERS_PER_TOKEN)
    votes = _MOST_VOTES if name == "panel" else 1
    usage = Usage(input=tokens, output=expected_output(len(pack.rubric.criteria)))
    costs = [cost_of(usage, price_of(options.panel[n % len(options.panel)], options)).usd for n in range(votes)]
    known = [cost for cost in costs if cost is not None]
    whole = sum(known) if len(known) == len(costs) else None
    return Estimate(costs[0], whole, tokens, counted)


async def warm(pack: "BossPack", options: ModelOptions | None = None, purse: "Purse | None" = None) -> None:
    """Get ready while the player reads: the SDK loaded, and the stable prefix in the server's cache.

    Only for a player who has chosen a model judge: filling the cache costs a little, and is paid from the purse.
    Whatever fails will be told by the fight.
    """
    import asyncio

    from evalforge.judges import sdk

    options = options or ModelOptions()
    await asyncio.to_thread(sdk.load)
    if options.is_local or why_no_model(options):
        return
    from evalforge.judges.money import at_most, cost_of, price_of
    from evalforge.judges.prompt import stable_part

    model = options.panel[0]
    price = price_of(model, options)
    request = sdk.Request(model, (stable_part(pack),), (("user", "Get ready."),), 0)
    amount = at_most(request.most_tokens, 0, price) if price else 0.0
    ticket = purse.reserve(amount, options.limit) if purse else None
    if purse is not None and ticket is None:
        return
    client = sdk.Client(options, 30.0)
    try:
        used = await client.warm(request)
    finally:
        await client.close()
        if purse is not None and ticket is not None:
            purse.settle(ticket, 0.0)
    if purse is not None and used is not None:
        purse.spent += cost_of(used, price).usd or 0.0
