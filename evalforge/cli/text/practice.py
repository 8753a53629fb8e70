"""What `evalforge watch` prints: a few lines for each save, or one line of JSON."""

from datetime import datetime
from pathlib import Path
from typing import Any

from evalforge.cli import output
from evalforge.cli.text.fight import VERDICT_STYLES, print_advice_line
from evalforge.model.events import CriterionJudged
from evalforge.model.evidence import Evidence, newly_failing
from evalforge.model.fight_record import FightRecord
from evalforge.model.hp import HpScale
from evalforge.model.number_format import format_percent, format_signed
from evalforge.model.result import NOT_CALIBRATED, BossEvalResult, verdict_words
from evalforge.packs.pack import BossPack

_PATHS_SHOWN, _BROKEN_SHOWN = 3, 5
_PIPS = 6


class PracticeTextPrinter:
    """Prints ``watch`` for people: one line for each judging.

    Args:
        plain: Whether to print without colour, whatever the terminal.
    """

    _invitation = "Save to be judged."
    _work = "judging …"

    def __init__(self, *, plain: bool = False) -> None:
        self._out = output.plain_console() if plain else output.console()
        self._before: dict[str, float] = {}
        self._evidence: Evidence | None = None
        self._scale = HpScale(0.0, 0.0)

    def open(self, pack: BossPack, directory: Path) -> None:
        """Print which folder is watched."""
        self._scale = HpScale.from_rubric(pack.rubric)
        self._line((pack.definition.title, "bold"), f"  watching {directory}")
        self._line((f"{self._invitation} Practice is not kept as an attempt. Ctrl+C ends.", "dim"))

    def begin(self, at: datetime, paths: tuple[str, ...]) -> None:
        """Print the first line at once, before the judging."""
        self._out.print()
        self._line((f"{at:%H:%M:%S}  ", "dim"), f"{_saved(paths)}{self._work}")

    def unchanged(self, at: datetime, paths: tuple[str, ...]) -> None:
        """Say that nothing changed, so nothing is judged."""
        self._line((f"{at:%H:%M:%S}  ", "dim"), f"{_saved(paths)}the same as before")

    def finish(self, record: FightRecord) -> None:
        """Print the verdict, each criterion and what to do next, or why there is no verdict."""
        if record.result is not None:
            self._print_result(record, record.result)
        else:
            self._ungraded(record)

    def _ungraded(self, record: FightRecord) -> None:
        if record.ungraded is not None:
            text = f"{record.ungraded.reason} {record.ungraded.advice}".strip()
            self._line(("UNGRADED  ", "bold yellow"), text, indent="  ")

    def _print_result(self, record: FightRecord, result: BossEvalResult) -> None:
        change = sum(criterion.score - self._before.get(criterion.id, criterion.score) for criterion in result.criteria)
        life = self._scale.life(result.score_total, passed=result.passed)
        self._line(
            ("SET BACK  " if change < 0 else "", "bold yellow"),
            (verdict_words(result.verdict).upper(), VERDICT_STYLES[result.verdict]),
            f"  {result.score_total:g} of {result.score_max:g}, HP {format_percent(life)}",
            (f"  {format_signed(change)}" if change else "", "bold"),
            ("" if record.calibrated else f"  {NOT_CALIBRATED}", "yellow"),
            indent="  ",
        )
        # The last event on a criterion counts: an earlier one may have been provisional.
        last_events = {
            event.judgement.criterion_id: event for event in record.events if isinstance(event, CriterionJudged)
        }
        for event in last_events.values():
            self._print_criterion(event)
        for title in newly_failing(self._evidence, record.evidence)[:_BROKEN_SHOWN]:
            self._line(("broke  ", "bold red"), title, indent="  ")
        for advice in record.advice:
            print_advice_line(self._out, advice)
        if result.improvements:
            self._line(("next  ", "dim"), result.improvements[0], indent="  ")
        self._before = {criterion.id: float(criterion.score) for criterion in result.criteria}
        self._evidence = record.evidence

    def _print_criterion(self, event: CriterionJudged) -> None:
        score = event.judgement.score
        change = score - self._before.get(event.judgement.criterion_id, score)
        text = f"{score:g}/{event.max_score:g} {_pips(score, event.max_score)}  {event.label}"
        style = "green" if change > 0 else "red"
        self._line(
            text,
            (f"  {event.level_label}", "dim"),
            (f"  {format_signed(change)}" if change else "", style),
            indent="  ",
        )

    def error(self, text: str) -> None:
        """Print an error; watching continues."""
        self._line((text, "yellow"), indent="  ")

    def close(self, last: FightRecord | None) -> None:
        """Print the last verdict again, so that it is at the end."""
        self._out.print()
        result = last.result if last else None
        if result is not None:
            text = verdict_words(result.verdict).upper()
            self._line(
                "Stopped at ",
                (text, VERDICT_STYLES[result.verdict]),
                f"  {result.score_total:g} of {result.score_max:g}",
            )
        else:
            self._line("Stopped; " + (f"ungraded: {last.ungraded_reason}" if last else "nothing was judged"))

    def _line(self, *parts: str | tuple[str, str], indent: str = "") -> None:
        output.print_line(self._out, *parts, indent=indent)


class PracticeJsonPrinter:
    """Prints one JSON object per line for programs: for each finished judging, and for each that failed."""

    def __init__(self) -> None:
        self._paths: tuple[str, ...] = ()

    def open(self, pack: BossPack, directory: Path) -> None:
        """Print the folder on standard error, because standard output is for data."""
        output.print_note(f"{pack.definition.title}: watching {directory}; Ctrl+C ends")

    def begin(self, at: datetime, paths: tuple[str, ...]) -> None:
        """Remember which files were saved."""
        del at
        self._paths = paths

    def unchanged(self, at: datetime, paths: tuple[str, ...]) -> None:
        """Print nothing: a save that changed nothing isn't judged."""

    def finish(self, record: FightRecord) -> None:
        """Print the result of a judging as JSON."""
        if record.result is not None:
            advice = [improvement.model_dump(mode="json") for improvement in record.advice]
            self._print({"result": record.result.model_dump(mode="json"), "advice": advice})
        elif record.ungraded is not None:
            self._print({"ungraded": record.ungraded.reason, "advice": record.ungraded.advice})

    def error(self, text: str) -> None:
        """Print why the directory can't be judged."""
        self._print({"error": text})

    def close(self, last: FightRecord | None) -> None:
        """Print nothing: the last line was the last verdict."""

    def _print(self, data: dict[str, Any]) -> None:
        output.print_json_line({"saved": self._paths, **data})


PracticePrinter = PracticeTextPrinter | PracticeJsonPrinter


def _saved(paths: tuple[str, ...]) -> str:
    if not paths:
        return ""
    more = f" and {len(paths) - _PATHS_SHOWN} more" if len(paths) > _PATHS_SHOWN else ""
    return f"saved {', '.join(paths[:_PATHS_SHOWN])}{more}: "


def _pips(score: float, highest: float) -> str:
    if not (float(score).is_integer() and float(highest).is_integer() and 0 <= score <= highest <= _PIPS):
        return ""
    return "●" * int(score) + "○" * int(highest - score)
