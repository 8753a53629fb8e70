"""Formats numbers, verdicts, states and times."""

from datetime import UTC, datetime
from typing import Literal

from evalforge.model.number_format import format_number

State = Literal["new", "wounded", "defeated", "flawless", "broken"]
VERDICT_STATES: dict[str, State] = {"strong_pass": "flawless", "pass": "defeated"}
VERDICT_BANNERS = {
    "strong_pass": "FLAWLESS",
    "pass": "VICTORY",
    "borderline": "ALMOST",
    "fail": "NOT YET",
}
VERDICT_ROLES = {"strong_pass": "molten", "pass": "verdigris", "borderline": "ember", "fail": "steel"}
VERDICT_WORDS = {"strong_pass": "flawless", "pass": "pass", "borderline": "borderline", "fail": "fail"}


def plural(count: int, singular: str, many: str = "") -> str:
    """``1 file``, ``2 files``, ``no files``."""
    noun = singular if count == 1 else many or f"{singular}s"
    return f"{count or 'no'} {noun}"


def format_seconds(value: float) -> str:
    """A duration in seconds, or in minutes and seconds."""
    return f"{value:.1f} s" if value < 60 else f"{int(value // 60)} min {int(value % 60)} s"


def format_age(moment: datetime, now: datetime | None = None) -> str:
    """The age of a moment, or its date if that is more informative."""
    now = now or datetime.now(UTC)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    passed = (now - moment).total_seconds()
    if passed < 60:
        return "just now"
    for unit, length in (("min", 60), ("h", 3600), ("d", 86400)):
        if passed < length * {"min": 60, "h": 24, "d": 14}[unit]:
            return f"{int(passed // length)} {unit} ago"
    return moment.astimezone().strftime("%Y-%m-%d")


def boss_state(tries: int, verdict: str | None, total: float | None) -> State:
    """The state of a boss for the player, from the best attempt on it."""
    if verdict in VERDICT_STATES:
        return VERDICT_STATES[verdict]
    return "wounded" if tries and total is not None else "new"


def gap_to_pass(total: float, threshold: float, maximum: float) -> str:
    """The distance of a total from the pass line, in words."""
    if total >= maximum:
        return "defeated"
    if total >= threshold:
        over = total - threshold
        return f"{format_number(round(over, 6))} above the pass mark" if over else "exactly at the pass mark"
    return f"{format_number(round(threshold - total, 6))} short of passing"


def level_role(score: float, maximum: float) -> str:
    """The role a level is drawn in, for a full, partial or zero score."""
    return "molten" if score >= maximum else "ember" if score > 0 else "blood"
