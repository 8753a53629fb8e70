"""A fight as lines of text: for pipes, logs, screen readers, and past attempts."""

from evalforge.cli import output
from evalforge.cli.text.followed_advice import print_followed_advice
from evalforge.cli.text.impostor_suite import print_impostor_section
from evalforge.model.events import (
    Collected,
    CriterionJudged,
    Event,
    Judged,
    Saved,
    Started,
    TrialFinished,
    TrialsPlanned,
    Ungraded,
)
from evalforge.model.evidence import TrialResult
from evalforge.model.fight_record import FightRecord
from evalforge.model.number_format import format_boss_hp, format_percent
from evalforge.model.result import BossEvalResult, Verdict, verdict_words
from evalforge.model.rubric import BossRubric

VERDICT_STYLES = {
    Verdict.FAIL: "bold red",
    Verdict.BORDERLINE: "bold yellow",
    Verdict.PASS: "bold green",
    Verdict.STRONG_PASS: "bold green",
}
_LEFT_OUT_SHOWN = 8
_FINDINGS_SHOWN = 5


class FightText:
    """Prints events as they come.

    Args:
        rubric: Of the boss that is fought, or None where it is not at hand.
        plain: No colour, whatever the terminal.
    """

    def __init__(self, rubric: BossRubric | None, *, plain: bool = False) -> None:
        self._out = output.plain_console() if plain else output.console()
        self._rubric = rubric
        self._record = FightRecord()
        self._has_printed_impostors = False

    def show(self, event: Event) -> None:
        """Print one event."""
        self._record.add(event)
        self._print_impostors_before(event)
        match event:
            case Started():
                self._started(event)
            case Collected():
                self._collected(event)
            case TrialsPlanned():
                self._planned(event)
            case TrialFinished():
                self._trial(event.trial)
            case CriterionJudged():
                self._criterion(event)
            case Judged():
                print_followed_advice(self._out, self._record.advice)
                self.result(event.result)
            case Ungraded():
                self._line(("UNGRADED  ", "bold yellow"), f"{event.reason} {event.advice}".strip())
            case Saved():
                self._line((f"Saved as attempt {event.attempt_id}", "dim"))
            case _:
                return

    def _line(self, *parts: str | tuple[str, str], indent: str = "") -> None:
        output.print_line(self._out, *parts, indent=indent)

    def _started(self, event: Started) -> None:
        self._line((event.title, "bold"), (f"  {event.judge.name} judge · isolation {event.isolation}", "dim"))
        if event.isolation not in ("full", "standard") and event.isolation_note:
            self._line((f"Isolation: {event.isolation_note}", "yellow"))

    def _planned(self, event: TrialsPlanned) -> None:
        groups = ", ".join(f"{name} {count}" for name, count in event.groups.items())
        self._line(f"{sum(event.groups.values())} trials: {groups}")

    def _print_impostors_before(self, event: Event) -> None:
        """Print what the impostors say about the tests, once: all of it is known when the judging begins."""
        if isinstance(event, CriterionJudged | Judged | Ungraded) and not self._has_printed_impostors:
            self._has_printed_impostors = True
            print_impostor_section(self._out, self._record.evidence)

    def _collected(self, event: Collected) -> None:
        count = len(event.files)
        size = f"{event.total_bytes / 1024:.1f} kB"
        self._line(f"{event.directory}: {count} file{'s' if count != 1 else ''}, {size}, {event.content_hash[:12]}")
        for item in event.left_out[:_LEFT_OUT_SHOWN]:
            self._line((f"left out {item.path}: {item.reason}", "dim"), indent="  ")
        if len(event.left_out) > _LEFT_OUT_SHOWN:
            self._line((f"and {len(event.left_out) - _LEFT_OUT_SHOWN} more left out", "dim"), indent="  ")

    def _trial(self, trial: TrialResult) -> None:
        mark, style = ("✓", "green") if trial.passed else ("✗", "red")
        words = [(f"{mark} ", style), f"{trial.group}: {trial.title}"]
        if not trial.passed:
            words.append((f"  [{trial.outcome.value}] {trial.message}", "dim"))
        self._line(*words, indent="  ")

    def _criterion(self, event: CriterionJudged) -> None:
        judgement = event.judgement
        self._out.print()
        self._line(
            (f"{event.label}", "bold"),
            f"  {judgement.score:g} of {event.max_score:g}, {event.level_label}",
        )
        self._line(judgement.comment, indent="  ")
        for finding in judgement.findings[:_FINDINGS_SHOWN]:
            if finding.place:
                self._line((f"{finding.place}  {finding.message}", "dim"), indent="  ")
        if judgement.bounded:
            self._line((f"bounded: {judgement.bounded}", "yellow"), indent="  ")
        if judgement.ambiguous:
            votes = ", ".join(f"{vote:g}" for vote in judgement.votes)
            self._line(("the votes disagreed" + (f": {votes}" if votes else ""), "yellow"), indent="  ")
        if judgement.next_level:
            self._line(("next level  ", "dim"), judgement.next_level, indent="  ")

    def result(self, result: BossEvalResult) -> None:
        """Print a result: verdict, integrity, summary, what to do next."""
        threshold = f", pass at {self._rubric.overall.pass_threshold:g}" if self._rubric else ""
        self._out.print()
        self._line(
            (verdict_words(result.verdict).upper(), VERDICT_STYLES[result.verdict]),
            f"  {result.score_total:g} of {result.score_max:g}{threshold}"
            f" · integrity {format_percent(result.integrity)} · boss HP {format_boss_hp(result.integrity)}",
        )
        self._line(result.summary)
        for number, words in enumerate(result.improvements, start=1):
            self._line(f"{number}. {words}", indent="  ")
        if result.raw_notes:
            self._line((f"notes: {result.raw_notes}", "dim"))
