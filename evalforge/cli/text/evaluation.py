"""Evaluations, previews and comparisons as text for people."""

from collections.abc import Iterable

from rich.console import Console

from evalforge.cli import output
from evalforge.evaluate.compare import Comparison, ComparisonVerdict
from evalforge.evaluate.evaluation import Evaluation, EvaluationOutcome, ItemResult, ItemState
from evalforge.evaluate.preview import Preview

_MAX_UNSCORED_LISTED = 10
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


def print_evaluation(evaluation: Evaluation) -> None:
    """Print an evaluation: its figures first, then their details."""
    out = output.console()
    output.print_line(
        out, (evaluation.id, "bold"), "  ", (evaluation.outcome.value.upper(), _STYLES[evaluation.outcome])
    )
    for gate in evaluation.gates:
        mark, style = ("✓", "green") if gate.passed else ("✗", "bold red")
        output.print_line(out, (mark, style), f" gate: {gate.summary}", indent="  ")
    for name, value in evaluation.diagnostics.items():
        output.print_line(out, f"{name}: {_number(value)}", indent="  ")
    for name, value in evaluation.metrics.items():
        if name not in _COST:
            output.print_line(
                out, (f"{name:<40}", "bold" if name == evaluation.primary else ""), _number(value), indent="  "
            )
    _strata(out, evaluation)
    _unscored(out, evaluation.items, "items")
    _unscored(out, evaluation.singletons, "singletons")
    for warning in evaluation.warnings:
        output.print_line(out, ("note: ", "yellow"), warning, indent="  ")
    _cost(out, evaluation)


def _strata(out: Console, evaluation: Evaluation) -> None:
    for stratum in evaluation.strata:
        name = stratum.bucket or "all items"
        counts = f"{stratum.scored} scored of {stratum.drawn} drawn of {stratum.population:,}"
        output.print_line(out, f"{name}: {counts}, {evaluation.primary} {_number(stratum.mean)}", indent="  ")
    if evaluation.singletons:
        scored = sum(item.state is ItemState.SCORED for item in evaluation.singletons)
        output.print_line(out, f"singletons: {scored} scored of {len(evaluation.singletons)} drawn", indent="  ")


def _unscored(out: Console, items: Iterable[ItemResult], name: str) -> None:
    unscored = [item for item in items if item.state is not ItemState.SCORED]
    for item in unscored[:_MAX_UNSCORED_LISTED]:
        reason = f" ({item.reason})" if item.reason else ""
        output.print_line(out, f"without a score: {item.item_id}, {item.state.value}{reason}", indent="  ")
    if len(unscored) > _MAX_UNSCORED_LISTED:
        output.print_line(out, f"and {len(unscored) - _MAX_UNSCORED_LISTED} more {name} without a score", indent="  ")


def _cost(out: Console, evaluation: Evaluation) -> None:
    cost = evaluation.cost
    if cost.usd is None:
        price = "price unknown"
    else:
        cap = "no cap" if cost.cap_usd is None else f"cap ${cost.cap_usd:g}"
        total = "" if cost.total_usd is None else f", ${cost.total_usd:.4f} for this spec so far"
        price = f"${cost.usd:.4f}{total} ({cap})"
    counts = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in evaluation.counts.items() if count)
    output.print_line(out, f"cost: {price}", indent="  ")
    if counts:
        output.print_line(out, f"on the way: {counts}", indent="  ")
    output.print_line(
        out,
        f"rubric {evaluation.rubric_hash}, model {evaluation.instrument.model}, seed {evaluation.sample_seed}",
        indent="  ",
    )


def print_preview(preview: Preview) -> None:
    """Print what an evaluation would send and cost."""
    out = output.console()
    output.print_line(
        out, (preview.spec, "bold"), f"  a dry run: no model is called. Rubric {preview.rubric_hash}, {preview.model}"
    )
    scale = f" on a scale from {preview.scale[0]:g} to {preview.scale[1]:g}" if preview.scale else ""
    better = "more" if preview.direction == "maximize" else "less"
    output.print_line(out, f"{preview.primary}{scale}: {better} is better", indent="  ")
    for bucket, ids in preview.sample.items():
        name = bucket or "sample"
        short = f", {preview.shortages[bucket][1]} wanted" if bucket in preview.shortages else ""
        listed = ", ".join(map(str, ids))
        output.print_line(out, f"{name}: {len(ids)} of {preview.populations[bucket]:,}{short}: {listed}", indent="  ")
    for batch in preview.batches:
        listed = ", ".join(map(str, batch.item_ids))
        size = f"{batch.characters:,} characters, about {batch.tokens:,} tokens, {_dollars(batch.usd)}"
        output.print_line(out, f"call {batch.call.rstrip('-')}: {listed} ({size})", indent="  ")
    for warning in preview.warnings:
        output.print_line(out, ("note: ", "yellow"), warning, indent="  ")
    cap = "no cap" if preview.cap_usd is None else f"${preview.spent_usd:.4f} of ${preview.cap_usd:g} spent before"
    cost = f"{len(preview.batches)} calls, about {_dollars(preview.usd)}, at most {_dollars(preview.most_usd)}; {cap}"
    output.print_line(out, cost, indent="  ")


def print_comparison(comparison: Comparison) -> None:
    """Print what changed between two evaluations."""
    out = output.console()
    output.print_line(
        out,
        f"{comparison.before} → {comparison.after}  ",
        (comparison.verdict.value.upper(), _VERDICTS[comparison.verdict]),
    )
    for reason in comparison.reasons:
        output.print_line(out, reason, indent="  ")
    before, after = _number(comparison.before_mean), _number(comparison.after_mean)
    output.print_line(out, f"{comparison.primary} on {comparison.pairs} items in both: {before} → {after}", indent="  ")
    if comparison.difference is not None:
        difference = f"difference {comparison.difference:+.3f}"
        if comparison.low is not None and comparison.high is not None:
            difference += f", with 95 % confidence between {comparison.low:+.3f} and {comparison.high:+.3f}"
        output.print_line(out, f"{difference}; {comparison.better} better, {comparison.worse} worse", indent="  ")
    if comparison.only_before or comparison.only_after:
        output.print_line(
            out, f"without a partner: {comparison.only_before} before, {comparison.only_after} after", indent="  "
        )
    for name, (first, second) in comparison.metrics.items():
        output.print_line(out, f"{name:<40}{_number(first)} → {_number(second)}", indent="  ")


def _number(value: float | None) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.4g}" if abs(value) < 10_000 else f"{value:,.0f}"


def _dollars(amount: float | None) -> str:
    return "price unknown" if amount is None else f"${amount:.4f}"
