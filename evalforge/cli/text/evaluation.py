"""Evaluations, looks ahead and comparisons as text for people."""

from collections.abc import Iterable

from rich.console import Console

from evalforge.cli import output
from evalforge.evaluate.compare import Comparison, ComparisonVerdict
from evalforge.evaluate.evaluation import Evaluation, EvaluationOutcome, ItemResult, ItemState
from evalforge.evaluate.preview import Preview

_LISTED = 10
_STYLES = {
    EvaluationOutcome.JUDGED: "bold green",
    EvaluationOutcome.DEGENERATE: "bold red",
    EvaluationOutcome.ERROR: "bold yellow",
}
_VERDICTS = {
    ComparisonVerdict.IMPROVED: "bold green",
    ComparisonVerdict.REGRESSED: "bold red",
    ComparisonVerdict.INCONCLUSIVE: "bold yellow",
}
_COST = frozenset({"judge_cost_usd", "total_judge_cost_usd"})


def print_evaluation(found: Evaluation) -> None:
    """An evaluation: its figures first, then what stands behind them."""
    out = output.console()
    output.print_line(out, (found.id, "bold"), "  ", (found.outcome.value.upper(), _STYLES[found.outcome]))
    for gate in found.gates:
        mark, style = ("✓", "green") if gate.passed else ("✗", "bold red")
        output.print_line(out, (mark, style), f" gate: {gate.summary}", indent="  ")
    for name, value in found.diagnostics.items():
        output.print_line(out, f"{name}: {_number(value)}", indent="  ")
    for name, value in found.metrics.items():
        if name not in _COST:
            output.print_line(
                out, (f"{name:<40}", "bold" if name == found.primary else ""), _number(value), indent="  "
            )
    _strata(out, found)
    _unscored(out, found.items, "items")
    _unscored(out, found.singletons, "singletons")
    for warning in found.warnings:
        output.print_line(out, ("note: ", "yellow"), warning, indent="  ")
    _cost(out, found)


def _strata(out: Console, found: Evaluation) -> None:
    for stratum in found.strata:
        name = stratum.bucket or "all items"
        told = f"{stratum.scored} scored of {stratum.drawn} drawn of {stratum.population:,}"
        output.print_line(out, f"{name}: {told}, {found.primary} {_number(stratum.mean)}", indent="  ")
    if found.singletons:
        scored = sum(item.state is ItemState.SCORED for item in found.singletons)
        output.print_line(out, f"singletons: {scored} scored of {len(found.singletons)} drawn", indent="  ")


def _unscored(out: Console, items: Iterable[ItemResult], name: str) -> None:
    left = [item for item in items if item.state is not ItemState.SCORED]
    for item in left[:_LISTED]:
        reason = f" ({item.reason})" if item.reason else ""
        output.print_line(out, f"without a score: {item.item_id}, {item.state.value}{reason}", indent="  ")
    if len(left) > _LISTED:
        output.print_line(out, f"and {len(left) - _LISTED} more {name} without a score", indent="  ")


def _cost(out: Console, found: Evaluation) -> None:
    cost = found.cost
    if cost.usd is None:
        told = "price unknown"
    else:
        cap = "no cap" if cost.cap_usd is None else f"cap ${cost.cap_usd:g}"
        total = "" if cost.total_usd is None else f", ${cost.total_usd:.4f} for this spec so far"
        told = f"${cost.usd:.4f}{total} ({cap})"
    counts = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in found.counts.items() if count)
    output.print_line(out, f"cost: {told}", indent="  ")
    if counts:
        output.print_line(out, f"on the way: {counts}", indent="  ")
    output.print_line(
        out, f"rubric {found.rubric_hash}, model {found.instrument.model}, seed {found.sample_seed}", indent="  "
    )


def print_preview(found: Preview) -> None:
    """What would be done."""
    out = output.console()
    output.print_line(
        out, (found.spec, "bold"), f"  a look ahead: nobody is asked. Rubric {found.rubric_hash}, {found.model}"
    )
    for bucket, ids in found.sample.items():
        name = bucket or "sample"
        short = f", {found.shortages[bucket][1]} wanted" if bucket in found.shortages else ""
        listed = ", ".join(map(str, ids))
        output.print_line(out, f"{name}: {len(ids)} of {found.populations[bucket]:,}{short}: {listed}", indent="  ")
    for batch in found.batches:
        listed = ", ".join(map(str, batch.item_ids))
        size = f"{batch.characters:,} characters, about {batch.tokens:,} tokens, {_dollars(batch.usd)}"
        output.print_line(out, f"call {batch.call.rstrip('-')}: {listed} ({size})", indent="  ")
    for warning in found.warnings:
        output.print_line(out, ("note: ", "yellow"), warning, indent="  ")
    cap = "no cap" if found.cap_usd is None else f"${found.spent_usd:.4f} of ${found.cap_usd:g} spent before"
    told = f"{len(found.batches)} calls, about {_dollars(found.usd)}, at most {_dollars(found.most_usd)}; {cap}"
    output.print_line(out, told, indent="  ")


def print_comparison(found: Comparison) -> None:
    """What changed."""
    out = output.console()
    output.print_line(out, f"{found.before} → {found.after}  ", (found.verdict.value.upper(), _VERDICTS[found.verdict]))
    for reason in found.reasons:
        output.print_line(out, reason, indent="  ")
    before, after = _number(found.before_mean), _number(found.after_mean)
    output.print_line(out, f"{found.primary} on {found.pairs} items both have: {before} → {after}", indent="  ")
    if found.difference is not None:
        told = f"difference {found.difference:+.3f}"
        if found.low is not None and found.high is not None:
            told += f", with 95 % confidence between {found.low:+.3f} and {found.high:+.3f}"
        output.print_line(out, f"{told}; {found.better} better, {found.worse} worse", indent="  ")
    if found.only_before or found.only_after:
        output.print_line(out, f"without a partner: {found.only_before} before, {found.only_after} after", indent="  ")
    for name, (one, two) in found.metrics.items():
        output.print_line(out, f"{name:<40}{_number(one)} → {_number(two)}", indent="  ")


def _number(value: float | None) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.4g}" if abs(value) < 10_000 else f"{value:,.0f}"


def _dollars(amount: float | None) -> str:
    return "price unknown" if amount is None else f"${amount:.4f}"
