"""A class as text: its progress while it is judged, and its results afterwards."""

import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from evalforge.classroom.class_events import ClassClosed, ClassEvent, ClassOpened, RowSettled, RowStarted, WorkerReady
from evalforge.classroom.class_row import NOT_ON_ROSTER, ClassRow, RowOutcome
from evalforge.classroom.report import ClassReport
from evalforge.classroom.time_left import format_time_left
from evalforge.cli import output
from evalforge.cli.text.sections import Entry, print_section
from evalforge.model.number_format import format_count, format_percent
from evalforge.model.result import BossEvalResult, verdict_words
from evalforge.model.text import clean_line
from evalforge.sandbox.isolation import CAGED_LAYERS

_NAME_WIDTH = 28
_MAX_NAMES_SHOWN = 10
_STYLES = {"fail": "red", "borderline": "yellow", "pass": "green", "strong_pass": "green"}


class ClassProgress:
    """Shows a class's progress on standard error: a bar on a terminal, else a line for each row."""

    def __init__(self) -> None:
        console = Console(stderr=True, markup=False, highlight=False, emoji=False)
        self._live = console.is_terminal
        columns = (TextColumn("{task.fields[words]}", markup=False), BarColumn(), MofNCompleteColumn())
        self._bar = Progress(*columns, TextColumn("{task.fields[left]}", markup=False), console=console, transient=True)
        self._task = self._bar.add_task("", words="", left="", total=None)
        self.done = 0
        self.total = 0

    def __enter__(self) -> Self:
        if self._live:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def show(self, event: ClassEvent) -> None:
        """Print one event of a class run."""
        match event:
            case ClassOpened():
                self.total = len(event.rows)
                self._bar.update(self._task, total=self.total, words=clean_line(event.title))
                for sentence in event.account.sentences:
                    self._print_note(sentence)
                self._print_note(f"{event.title}: {self.total} rows, {event.judge.name} judge, {event.workers} at once")
            case WorkerReady():
                if event.isolation not in CAGED_LAYERS or event.note:
                    where = f" at {event.place}" if event.place else ""
                    self._print_note(
                        f"worker {event.worker + 1}{where}: isolation {event.isolation or 'none'}. {event.note}"
                    )
            case RowStarted():
                self._bar.update(self._task, words=clean_line(event.row_id, 30))
            case RowSettled():
                self._show_settled_row(event)
            case ClassClosed():
                self._print_note(f"run {event.run}: {event.fresh} judged in {event.at:.1f} s")
            case _:
                return

    def _show_settled_row(self, event: RowSettled) -> None:
        self.done = event.done
        time_left = format_time_left(event.seconds_left)
        self._bar.update(self._task, completed=event.done, left=time_left)
        if not self._live and event.row.outcome is not RowOutcome.ABSENT:
            text = f"{event.done}/{event.total} {event.row.title}: {row_text(event.row)}"
            output.print_note(f"{text}; {time_left}" if time_left and event.done < event.total else text)

    def _print_note(self, text: str) -> None:
        if self._live:
            self._bar.console.print(Text(clean_line(text)))
        else:
            output.print_note(text)


def row_text(row: ClassRow) -> str:
    """Return the state of a row in one line."""
    result = row.result
    if result is None:
        return f"{row.outcome.value}. {row.reason}"
    score = f"{result.score_total:g}/{result.score_max:g} {_verdict(result)}"
    return score if row.fresh else f"{score} (unchanged)"


def _verdict(result: BossEvalResult) -> str:
    return verdict_words(result.verdict).upper()


def print_report(report: ClassReport) -> None:
    """Print the results of a class: rows, who moved, similar failures, pairs to look at."""
    out = output.console() if sys.stdout.isatty() else output.plain_console()
    output.print_line(out, (report.boss_title, "bold"), (f"  {report.label}", "dim"))
    for row in report.rows:
        if row.outcome is not RowOutcome.ABSENT:
            _print_row(out, row)
    _print_account(out, report)
    _print_summary(out, report)
    _print_changes(out, report)
    _print_clusters(out, report)
    _print_impostors(out, report)
    _print_lookalikes(out, report)


def _print_row(out: Console, row: ClassRow) -> None:
    name = clean_line(row.title, _NAME_WIDTH)[:_NAME_WIDTH]
    result = row.result
    if result is None:
        output.print_line(out, f"{name:<{_NAME_WIDTH}}  ", (f"{row.outcome.value:<12}", "yellow"), f"  {row.reason}")
    else:
        score = f"{result.score_total:g}/{result.score_max:g}"
        style = _STYLES[result.verdict.value]
        output.print_line(
            out,
            f"{name:<{_NAME_WIDTH}}  ",
            (f"{_verdict(result):<12}", style),
            f"  {score:<7} {format_percent(result.integrity):>5}  ",
            (row.attempt_id, "dim"),
        )
    for flag in row.flags:
        if flag != NOT_ON_ROSTER:
            output.print_line(out, (f"! {flag}", "yellow"), indent="    ")


def _print_account(out: Console, report: ClassReport) -> None:
    """Print what the folder contains and what the roster says, one line each, however many entries there are."""
    out.print()
    for sentence in report.account.sentences:
        output.print_line(out, sentence)
    if report.account.has_more:
        output.print_line(out, ("Every name: --csv, --html or --json.", "dim"))


def _print_summary(out: Console, report: ClassReport) -> None:
    results = [row.result for row in report.rows if row.result]
    outcome_counts = [
        f"{report.outcomes[outcome]} {outcome.value}" for outcome in RowOutcome if outcome in report.outcomes
    ]
    output.print_line(out, (f"{format_count(len(report.rows), 'row')}: ", "bold"), ", ".join(outcome_counts))
    if results:
        mean = sum(result.integrity for result in results) / len(results)
        output.print_line(
            out, f"{sum(result.passed for result in results)} passed, mean integrity {format_percent(mean)}"
        )


def _print_changes(out: Console, report: ClassReport) -> None:
    entries: list[Entry] = []
    for row in report.changed_rows:
        if row.fresh:
            before, now = row.earlier, row.judged
            assert before is not None
            assert now is not None
            change = f"{before.score_total:g}/{before.score_max:g} → {now.score_total:g}/{now.score_max:g}"
            causes = ", ".join(before.causes) or "judged again"
            entries.append((f"{row.title}: {change} {_verdict(now)} (changed: {causes})",))
    print_section(out, "Changes", entries)


def _print_clusters(out: Console, report: ClassReport) -> None:
    if not report.clusters:
        return
    out.print()
    output.print_line(out, ("Stuck on the same problem", "bold"))
    for cluster in report.clusters[:_MAX_NAMES_SHOWN]:
        names = ", ".join(clean_line(report.row(member).title, 40) for member in cluster.members[:_MAX_NAMES_SHOWN])
        more = f" and {len(cluster.members) - _MAX_NAMES_SHOWN} more" if len(cluster.members) > _MAX_NAMES_SHOWN else ""
        output.print_line(
            out, f"{cluster.cluster_id:<4}{len(cluster.members)} submissions: {cluster.title}", indent="  "
        )
        output.print_line(out, (f"{names}{more}", "dim"), indent="     ")
    if report.singletons:
        output.print_line(out, (f"{len(report.singletons)} fail in a way nobody else does", "dim"), indent="  ")


def _print_impostors(out: Console, report: ClassReport) -> None:
    """Print what the tests of the class miss, and what they wrongly expect."""
    misses = [
        (f"{fault.missed} of {fault.suites} suites miss: {fault.fault}", (f"  {fault.clause}", "dim"))
        for fault in report.impostors.missed
    ]
    print_section(out, "What the tests miss", misses, shown=_MAX_NAMES_SHOWN)
    wrong_expectations = [
        (f"{report.row(test.row_id).title}: {test.message}", (f"  {test.place}", "dim"))
        for test in report.impostors.wrong
    ]
    print_section(out, "What tests expect wrongly", wrong_expectations, shown=_MAX_NAMES_SHOWN)


def _print_lookalikes(out: Console, report: ClassReport) -> None:
    entries: list[Entry] = []
    for pair in report.lookalikes:
        titles = f"{report.row(pair.row_id).title} and {report.row(pair.other_id).title}"
        span = pair.stretches[0] if pair.stretches else None
        location = f"  {span.path}:{span.first} and {span.other_path}:{span.other_first}" if span else ""
        entries.append((f"{format_percent(pair.similarity)}  {titles}", (location, "dim")))
    remark = (("  similarity alone proves nothing", "dim"),)
    total = report.lookalikes_in_all
    print_section(out, "Pairs to look at", entries, remark=remark, shown=_MAX_NAMES_SHOWN, total=total)
