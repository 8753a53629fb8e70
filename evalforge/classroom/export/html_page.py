"""Exports a class as one HTML page without other files. Whatever the template writes is cleaned, cut and escaped."""

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from evalforge.classroom.class_row import RowOutcome
from evalforge.classroom.export import plots
from evalforge.classroom.report import ClassReport
from evalforge.model.number_format import format_percent
from evalforge.model.result import BossEvalResult, verdict_words
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.classroom.cluster_coherence import Coherence

_MAX_TEXT_CHARS = 1_200
_CLUSTERS_PLOTTED = 20


def class_page(report: ClassReport, coherence: "Coherence | None" = None) -> str:
    """The whole page.

    Args:
        report: The class.
        coherence: A model's opinions of its clusters; None if none was asked.
    """
    judge = (report.judge.name, report.judge.model, report.judge.version)
    sizes = [(one.title, len(one.members)) for one in report.clusters[:_CLUSTERS_PLOTTED]]
    return _environment().get_template("class.html.j2").render(
        report=report,
        judge=" ".join(filter(None, judge)),
        tiles=list(_tiles(report)),
        plots=list(_plots(report)),
        clusters_plot=Markup(plots.clusters_plot(sizes)),  # noqa: S704 - plots escape what they are given
        bar=_bar,
        cluster_opinions={one.cluster_id: one for one in coherence.clusters} if coherence else {},
        misplaced={one.cluster_id: one.best_cluster_id for one in coherence.singletons if one.should_cluster}
        if coherence
        else {},
    )  # fmt: skip


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        finalize=_cleaned,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        cut=clean_line, anchor=_anchor, g="{:g}".format, percent=format_percent, words=verdict_words
    )
    return environment


def _cleaned(value: object) -> object:
    return clean_line(value, _MAX_TEXT_CHARS) if isinstance(value, str) and not isinstance(value, Markup) else value


def _anchor(row_id: str) -> str:
    return f"row-{hashlib.sha256(row_id.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _bar(result: BossEvalResult) -> Markup:
    return Markup(plots.bar(result.integrity, passed=result.passed))  # noqa: S704 - made of numbers


def _tiles(report: ClassReport) -> Iterator[tuple[str, int | str]]:
    results = [row.result for row in report.rows if row.result]
    yield "hand-ins and people", len(report.rows)
    yield "judged", len(results)
    yield "passed", sum(result.passed for result in results)
    for outcome in RowOutcome:
        if outcome is not RowOutcome.JUDGED:
            yield outcome.value, report.outcomes.get(outcome, 0)
    if results:
        yield "mean integrity", format_percent(sum(result.integrity for result in results) / len(results))


def _plots(report: ClassReport) -> Iterator[tuple[str, str, Markup]]:
    """Title, caption and drawing of each plot; none if nothing was judged."""
    judged = sum(row.judged is not None for row in report.rows)
    drawn: list[tuple[str, str, str]] = []
    if judged:
        caption = "Integrity in percent: what of the boss was struck off."
        drawn.append(("How far they got", caption, plots.integrity_plot(report)))
        drawn.append(("Levels for each criterion", "Lowest level at the left.", plots.levels_plot(report.criteria)))
    if judged and report.groups:
        caption = "How many hand-ins fail at least one trial of each group."
        drawn.append(("What fails", caption, plots.groups_plot(report.groups, judged)))
    for title, caption, plot in drawn:
        yield title, caption, Markup(plot)  # noqa: S704 - plots escape what they are given
