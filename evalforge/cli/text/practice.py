"""What `evalforge watch` prints: a few lines for each save, or one line of JSON."""

from datetime import datetime
from pathlib import Path

from evalforge.cli import output
from evalforge.cli.text.fight import VERDICT_STYLES
from evalforge.model.events import CriterionJudged, Event, Judged, Ungraded
from evalforge.model.number_format import format_boss_hp, format_signed
from evalforge.model.result import verdict_words
from evalforge.packs.pack import BossPack

_PATHS_SHOWN = 3
_PIPS = 6


class PracticeTextPrinter:
    """For people.

    Args:
        plain: No colour, whatever the terminal.
    """

    def __init__(self, *, plain: bool = False) -> None:
        self._out = output.plain_console() if plain else output.console()
        self._struck: dict[str, CriterionJudged] = {}
        self._before: dict[str, float] = {}

    def open(self, pack: BossPack, directory: Path) -> None:
        """Say what is watched."""
        self._line((pack.definition.title, "bold"), f"  watching {directory}")
        self._line(("Save to be judged. Practice is not kept as an attempt. Ctrl+C ends.", "dim"))

    def begin(self, at: datetime, paths: tuple[str, ...]) -> None:
        """The first line comes at once."""
        self._struck = {}
        self._out.print()
        self._line((f"{at:%H:%M:%S}  ", "dim"), f"{_saved(paths)}judging …")

    def unchanged(self, at: datetime, paths: tuple[str, ...]) -> None:
        """Nothing to judge."""
        self._line((f"{at:%H:%M:%S}  ", "dim"), f"{_saved(paths)}the same as before")

    def print_event(self, event: Event) -> None:
        """Keep what is needed for the few lines at the end."""
        match event:
            case CriterionJudged():
                self._struck[event.judgement.criterion_id] = event
            case Judged():
                self._judged(event)
            case Ungraded():
                self._line(("UNGRADED  ", "bold yellow"), f"{event.reason} {event.advice}".strip(), indent="  ")
            case _:
                return

    def _judged(self, event: Judged) -> None:
        result = event.result
        change = sum(one.score - self._before.get(one.id, one.score) for one in result.criteria)
        self._line(
            (verdict_words(result.verdict).upper(), VERDICT_STYLES[result.verdict]),
            f"  {result.score_total:g} of {result.score_max:g}, boss HP {format_boss_hp(result.integrity)}",
            (f"  {format_signed(change)}" if change else "", "bold"),
            indent="  ",
        )
        for struck in self._struck.values():
            self._criterion(struck)
        if result.improvements:
            self._line(("next  ", "dim"), result.improvements[0], indent="  ")
        self._before = {one.id: float(one.score) for one in result.criteria}

    def _criterion(self, struck: CriterionJudged) -> None:
        score = struck.judgement.score
        change = score - self._before.get(struck.judgement.criterion_id, score)
        words = f"{score:g}/{struck.max_score:g} {_pips(score, struck.max_score)}  {struck.label}"
        style = "green" if change > 0 else "red"
        self._line(
            words,
            (f"  {struck.level_label}", "dim"),
            (f"  {format_signed(change)}" if change else "", style),
            indent="  ",
        )

    def error(self, words: str) -> None:
        """Say what is wrong, and go on watching."""
        self._line((words, "yellow"), indent="  ")

    def close(self, last: Judged | Ungraded | None) -> None:
        """The last verdict once more, where the eye is when it ends."""
        self._out.print()
        if isinstance(last, Judged):
            result = last.result
            words = verdict_words(result.verdict).upper()
            self._line(
                "Stopped at ",
                (words, VERDICT_STYLES[result.verdict]),
                f"  {result.score_total:g} of {result.score_max:g}",
            )
        else:
            self._line("Stopped; " + (f"ungraded: {last.reason}" if last else "nothing was judged"))

    def _line(self, *parts: str | tuple[str, str], indent: str = "") -> None:
        output.print_line(self._out, *parts, indent=indent)


class PracticeJsonPrinter:
    """For programs: one object a line, for each judging that was finished and each that wasn't possible."""

    def __init__(self) -> None:
        self._paths: tuple[str, ...] = ()

    def open(self, pack: BossPack, directory: Path) -> None:
        """On standard error: standard output is for data."""
        output.print_note(f"{pack.definition.title}: watching {directory}; Ctrl+C ends")

    def begin(self, at: datetime, paths: tuple[str, ...]) -> None:
        """Remember what was saved."""
        del at
        self._paths = paths

    def unchanged(self, at: datetime, paths: tuple[str, ...]) -> None:
        """No data: a save that changed nothing is judged by nobody."""

    def print_event(self, event: Event) -> None:
        """Print how it ended."""
        if isinstance(event, Judged):
            output.print_json_line({"saved": self._paths, "result": event.result.model_dump(mode="json")})
        elif isinstance(event, Ungraded):
            output.print_json_line({"saved": self._paths, "ungraded": event.reason, "advice": event.advice})

    def error(self, words: str) -> None:
        """Print why it can't be judged."""
        output.print_json_line({"saved": self._paths, "error": words})

    def close(self, last: Judged | Ungraded | None) -> None:
        """Nothing further: the last line was the last verdict."""


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
