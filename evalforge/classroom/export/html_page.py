"""Exports a class as one HTML page without other files. Text that isn't ours goes through ``escaped``."""

import hashlib
import html
from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import TYPE_CHECKING

from evalforge.classroom.class_row import ClassRow, RowOutcome
from evalforge.classroom.export import plots
from evalforge.classroom.failure_clusters import Cluster
from evalforge.classroom.lookalikes import LookalikePair
from evalforge.classroom.report import ClassReport
from evalforge.model.number_format import format_percent
from evalforge.model.result import BossEvalResult, verdict_words
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.classroom.cluster_coherence import Coherence

_MAX_TEXT_CHARS = 1_200
_MAX_MEMBERS = 40
_MAX_TRIALS = 12
# Nothing is loaded or run, whatever gets into the page.
_CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def escaped(text: str, max_chars: int = _MAX_TEXT_CHARS) -> str:
    """Untrusted text, cut and escaped for the page."""
    return html.escape(clean_line(text, max_chars))


def class_page(report: ClassReport, coherence: "Coherence | None" = None) -> str:
    """The whole page.

    Args:
        report: The class.
        coherence: A model's opinions of its clusters; None if none was asked.
    """
    style = files("evalforge.classroom.export").joinpath("style.css").read_text("utf-8")
    head = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_CONTENT_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escaped(report.boss_title)}: {escaped(report.label)}</title><style>{style}</style></head>"
        "<body><main>\n"
    )
    sections = (
        _header_section(report),
        _plots_section(report),
        *_clusters_section(report, coherence),
        *_changed_section(report),
        *_lookalikes_section(report),
        _rows_section(report),
    )
    return head + "\n".join(sections) + "\n</main></body></html>\n"


def _header_section(report: ClassReport) -> str:
    judge = " ".join(part for part in (report.judge.name, report.judge.model, report.judge.version) if part)
    results = [row.result for row in report.rows if row.result]
    passed = sum(result.passed for result in results)
    mean = sum(result.integrity for result in results) / len(results) if results else 0.0
    tiles = [("hand-ins and people", len(report.rows)), ("judged", len(results)), ("passed", passed)]
    tiles += [
        (outcome.value, report.outcomes.get(outcome, 0)) for outcome in RowOutcome if outcome is not RowOutcome.JUDGED
    ]
    tiles_html = "".join(
        f'<div class="tile"><b>{count}</b><span class="small">{name}</span></div>' for name, count in tiles
    )
    tiles_html += (
        f'<div class="tile"><b>{format_percent(mean)}</b><span class="small">mean integrity</span></div>'
        if results
        else ""
    )
    return (
        f'<p class="over">EvalForge · a class against</p><h1>{escaped(report.boss_title)}</h1>'
        f'<p class="dim">{escaped(report.label)}</p>'
        f'<p class="small">{report.made_at:%Y-%m-%d %H:%M} UTC · judge {escaped(judge)} · '
        f"rubric {escaped(report.rubric_id)} <code>{escaped(report.rubric_hash)}</code> · run {report.run}</p>"
        f'<div class="tiles">{tiles_html}</div>'
    )


def _plots_section(report: ClassReport) -> str:
    judged = sum(row.judged is not None for row in report.rows)
    if not judged:
        return '<p class="card">Nothing was judged, so there is nothing to plot.</p>'
    parts = [
        ("How far they got", "Integrity in percent: what of the boss was struck off.", plots.integrity_plot(report)),
        ("Levels for each criterion", "Lowest level at the left.", plots.levels_plot(report.criteria)),
    ]
    if report.groups:
        caption = "How many hand-ins fail at least one trial of each group."
        parts.append(("What fails", caption, plots.groups_plot(report.groups, judged)))
    return "".join(
        f'<h2>{title}</h2><div class="card"><p class="small">{caption}</p>{plot}</div>'
        for title, caption, plot in parts
    )


def _clusters_section(report: ClassReport, coherence: "Coherence | None") -> Iterator[str]:
    opinions = _opinions(coherence)
    if report.clusters:
        sizes = [(one.title, len(one.members)) for one in report.clusters[:20]]
        yield (
            '<h2>Who is stuck on the same</h2><p class="dim">Hand-ins that fail the same trials and conditions.</p>'
            f'<div class="card">{plots.clusters_plot(sizes)}</div>'
        )
        yield "".join(_cluster_details(one, report, opinions.get(one.cluster_id, "")) for one in report.clusters)
    if report.singletons:
        rows = "".join(
            f"<li>{_member_links(one, report)}: {escaped(one.title)}{opinions.get(one.cluster_id, '')}</li>"
            for one in report.singletons
        )
        summary = f"{len(report.singletons)} that fail in a way of their own"
        yield f'<details class="card"><summary>{summary}</summary><ul>{rows}</ul></details>'


def _opinions(coherence: "Coherence | None") -> dict[str, str]:
    """A model's opinions as HTML, by the id of the cluster or singleton."""
    if coherence is None:
        return {}
    opinions = {
        one.cluster_id: f'<p class="small">A model rates its coherence {one.score:g} of 5: {escaped(one.theme)}</p>'
        for one in coherence.clusters
    }
    for one in coherence.singletons:
        if one.should_cluster:
            where = f" {escaped(one.best_cluster_id)}" if one.best_cluster_id else ""
            opinions[one.cluster_id] = f' <span class="small">(a model would put it into a cluster{where})</span>'
    return opinions


def _cluster_details(one: Cluster, report: ClassReport, opinion: str) -> str:
    trials = "".join(f"<li>{escaped(trial.group)}: {escaped(trial.title)}</li>" for trial in one.trials[:_MAX_TRIALS])
    more = len(one.trials) - _MAX_TRIALS
    trials += f"<li>and {more} more</li>" if more > 0 else ""
    unmet = "".join(f"<li>{escaped(condition.words)}</li>" for condition in one.conditions)
    failing = f"<h3>Trials that fail</h3><ul>{trials}</ul>" if trials else ""
    return (
        f'<details class="card"><summary>{one.cluster_id} <b>{escaped(one.title)}</b> · {len(one.members)} hand-ins'
        "</summary>"
        f"{opinion}<p>{_member_links(one, report)}</p>{failing}"
        f"<h3>What keeps them from more</h3><ul>{unmet}</ul></details>"
    )


def _member_links(one: Cluster, report: ClassReport) -> str:
    shown = [_link(report.row(member)) for member in one.members[:_MAX_MEMBERS]]
    more = len(one.members) - _MAX_MEMBERS
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _link(row: ClassRow) -> str:
    return f'<a href="#{_anchor(row.row_id)}">{escaped(row.title, 80)}</a>'


def _anchor(row_id: str) -> str:
    return f"row-{hashlib.sha256(row_id.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _changed_section(report: ClassReport) -> Iterator[str]:
    if not report.changed_rows:
        return
    rows = "".join(_change_row(row) for row in report.changed_rows)
    yield (
        '<h2>Who moved</h2><p class="dim">The judge\'s word now and in the attempt before, and what changed.</p>'
        '<div class="card scroll"><table><tr><th>Who</th><th>Before</th><th>Now</th><th>Because of</th></tr>'
        f"{rows}</table></div>"
    )


def _change_row(row: ClassRow) -> str:
    before, now = row.earlier, row.judged
    assert before is not None
    assert now is not None
    causes = ", ".join(before.causes) or "judged again"
    return (
        f"<tr><td>{_link(row)}</td><td>{before.score_total:g} of {before.score_max:g} {_tag(before.verdict)}</td>"
        f"<td>{now.score_total:g} of {now.score_max:g} {_tag(now.verdict.value)}</td><td>{escaped(causes)}</td></tr>"
    )


def _lookalikes_section(report: ClassReport) -> Iterator[str]:
    if not report.lookalikes:
        return
    rows = "".join(_pair_row(pair, report) for pair in report.lookalikes)
    more = report.lookalikes_in_all - len(report.lookalikes)
    rows += f'<tr><td colspan="3">and {more:,} pairs less alike</td></tr>' if more > 0 else ""
    yield (
        '<h2>Pairs to look at</h2><p class="dim">Their code looks alike once names, comments and layout are set '
        "aside; what everybody was given is not counted. Alike is not copied: look before you ask.</p>"
        '<div class="card scroll"><table><tr><th>Who</th><th>Alike</th><th>Where</th></tr>'
        f"{rows}</table></div>"
    )


def _pair_row(pair: LookalikePair, report: ClassReport) -> str:
    where = "".join(
        f"<li><code>{escaped(one.path, 80)}:{one.first}-{one.last}</code> and "
        f"<code>{escaped(one.other_path, 80)}:{one.other_first}-{one.other_last}</code> ({one.tokens} tokens)</li>"
        for one in pair.stretches
    )
    who = f"{_link(report.row(pair.row_id))} and {_link(report.row(pair.other_id))}"
    return f'<tr><td>{who}</td><td class="number">{format_percent(pair.similarity)}</td><td><ul>{where}</ul></td></tr>'


def _rows_section(report: ClassReport) -> str:
    labels = report.labels
    rows = "".join(_result_rows(row, labels) for row in report.rows)
    return (
        '<h2>Everybody</h2><div class="card scroll"><table>'
        "<tr><th>Who</th><th>Integrity</th><th>Score</th><th>Outcome</th><th>Attempt</th></tr>"
        f"{rows}</table></div>"
    )


def _result_rows(row: ClassRow, labels: dict[str, str]) -> str:
    result = row.result
    who = f"{escaped(row.title, 120)}"
    if row.name and row.name != row.row_id:
        who += f'<br><span class="small">{escaped(row.row_id, 120)}</span>'
    flags = "".join(f'<br><span class="small">⚑ {escaped(flag)}</span>' for flag in row.flags)
    anchor = _anchor(row.row_id)
    if result is None:
        return (
            f'<tr id="{anchor}"><td>{who}{flags}</td><td></td><td></td><td colspan="2">'
            f'<span class="tag">{row.outcome.value}</span> {escaped(row.reason)}</td></tr>'
        )
    score = f"{result.score_total:g} of {result.score_max:g}"
    if row.revised and row.judged:
        score += f'<br><span class="small">judged {row.judged.score_total:g}</span>'
    return (
        f'<tr id="{anchor}"><td>{who}{flags}</td><td>{plots.bar(result.integrity, passed=result.passed)}</td>'
        f'<td class="number">{score}</td><td>{_tag(result.verdict.value)}</td>'
        f"<td><code>{escaped(row.attempt_id)}</code></td></tr>"
        f'<tr><td colspan="5" class="wide"><details><summary>{escaped(result.summary)}</summary>'
        f"{_details(row, result, labels)}</details></td></tr>"
    )


def _details(row: ClassRow, result: BossEvalResult, labels: dict[str, str]) -> str:
    criteria = "".join(
        f"<h3>{escaped(labels.get(one.id, one.id))}: {one.score:g} of {one.max_score:g}</h3>"
        f"<p>{escaped(one.comment)}</p>"
        for one in result.criteria
    )
    improvements = "".join(f"<li>{escaped(words)}</li>" for words in result.improvements)
    left_out = _listed("Left out", row.left_out)
    return f"{criteria}<h3>Do next</h3><ol>{improvements}</ol>{left_out}"


def _listed(title: str, words: Iterable[str]) -> str:
    rows = "".join(f"<li>{escaped(one)}</li>" for one in words)
    return f"<h3>{title}</h3><ul>{rows}</ul>" if rows else ""


def _tag(verdict: str) -> str:
    style = "good" if verdict in ("pass", "strong_pass") else "bad"
    return f'<span class="tag {style}">{escaped(verdict_words(verdict))}</span>'
