"""Exports a class as one self-contained HTML page. All template output is cleaned, cut and escaped."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment
from markupsafe import Markup

from evalforge.classroom.account import ClassAccount
from evalforge.classroom.class_row import ClassRow, RowOutcome
from evalforge.classroom.export import plots
from evalforge.classroom.export.student_text import instructor_sentences, machine_names_removed
from evalforge.classroom.report import ClassReport
from evalforge.model.number_format import format_percent
from evalforge.model.result import BossEvalResult, verdict_words
from evalforge.reports.html_environment import html_environment

_CLUSTERS_PLOTTED = 20


def class_page(report: ClassReport) -> str:
    """Build the HTML page of a class."""
    judge = (report.judge.name, report.judge.model, report.judge.version)
    sizes = [(cluster.title, len(cluster.members)) for cluster in report.clusters[:_CLUSTERS_PLOTTED]]
    return _environment().get_template("class.html.j2").render(
        report=report,
        judge=" ".join(filter(None, judge)),
        tiles=list(_tiles(report)),
        account_lists=list(_account_lists(report.account)),
        plots=list(_plots(report)),
        clusters_plot=Markup(plots.clusters_plot(sizes)),  # noqa: S704 - plots escape their input
        bar=_bar,
        sentences_of=instructor_sentences,
    )  # fmt: skip


def student_page(row: ClassRow, report: ClassReport) -> str:
    """Build the page of one student, to print or to pass on: it contains nothing about anybody else."""
    template = _environment().get_template("student.html.j2")
    without_folders = machine_names_removed(report)
    return template.render(
        report=report, row=row, bar=_bar, sentences=instructor_sentences(row), reason=without_folders(row.reason)
    )


def _environment() -> Environment:
    environment = html_environment(Path(__file__).parent)
    environment.filters.update(anchor=_anchor, words=verdict_words)
    return environment


def _anchor(row_id: str) -> str:
    return f"row-{hashlib.sha256(row_id.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _bar(result: BossEvalResult) -> Markup:
    return Markup(plots.bar(result.integrity, passed=result.passed))  # noqa: S704 - consists of numbers


def _tiles(report: ClassReport) -> Iterator[tuple[str, int | str]]:
    results = [row.result for row in report.rows if row.result]
    yield "submissions and people", len(report.rows)
    yield "judged", len(results)
    yield "passed", sum(result.passed for result in results)
    for outcome in RowOutcome:
        if outcome is not RowOutcome.JUDGED:
            yield outcome.value, report.outcomes.get(outcome, 0)
    if results:
        yield "mean integrity", format_percent(sum(result.integrity for result in results) / len(results))


def _account_lists(account: ClassAccount) -> Iterator[tuple[str, list[str]]]:
    """Yield all names in lists of which the account's sentences show only the first few."""
    if account.unused:
        yield "Not used", [f"{entry.name}: {entry.reason}" for entry in account.unused]
    if account.off_roster:
        yield "Not on the roster", list(account.off_roster)
    if account.absent:
        yield "On the roster, nothing submitted", list(account.absent)


def _plots(report: ClassReport) -> Iterator[tuple[str, str, Markup]]:
    """Title, caption and drawing of each plot; none if nothing was judged."""
    judged_count = sum(row.judged is not None for row in report.rows)
    drawn: list[tuple[str, str, str]] = []
    if judged_count:
        caption = "Number of submissions at each score."
        drawn.append(("Scores", caption, plots.score_plot(report)))
        drawn.append(("Levels for each criterion", "Lowest level at the left.", plots.levels_plot(report.criteria)))
    if judged_count and report.groups:
        caption = "Number of submissions that fail at least one trial of each group."
        drawn.append(("What fails", caption, plots.groups_plot(report.groups, judged_count)))
    for title, caption, plot in drawn:
        yield title, caption, Markup(plot)  # noqa: S704 - plots escape their input
