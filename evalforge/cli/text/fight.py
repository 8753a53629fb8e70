"""A fight as lines of text: for pipes, logs, screen readers, and past attempts."""

import os
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from evalforge.cli import output
from evalforge.cli.text.impostor_suite import print_impostor_section
from evalforge.cli.text.trial_list import TrialList
from evalforge.model.events import (
    ClaimChecked,
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
from evalforge.model.evidence import ClaimResult, Finding
from evalforge.model.fight_record import FightRecord
from evalforge.model.followed_advice import AdviceState, FollowedAdvice
from evalforge.model.hp import HpScale, life_cells
from evalforge.model.number_format import format_number, format_percent
from evalforge.model.result import NOT_CALIBRATED, BossEvalResult, Judgement, Verdict, verdict_words
from evalforge.model.rubric import BossRubric
from evalforge.model.voice import Voice
from evalforge.sandbox.isolation import ATTACKED_LAYERS

if TYPE_CHECKING:
    from rich.console import Console


def link_place(folder: Path | None, finding: Finding) -> tuple[str, str]:
    """Return a finding's place in the submission, and a style with an OSC 8 link for terminals that have links.

    Args:
        folder: The submission's folder; if it is None or gone, there is no link.
        finding: A finding with a path. If that lies outside the submission, the place is empty.
    """
    if Path(finding.path).is_absolute():
        return "", ""
    path = Path(os.path.abspath(folder / finding.path)) if folder else None  # noqa: PTH100 - links stay as named
    if path is None or not path.is_file():
        return f"{finding.place}  ", "dim"
    # kitty and others pass the number after the hash to an editor; the host lets a shell over SSH refuse it.
    fragment = f"#{finding.line}" if finding.line else ""
    return f"{finding.place}  ", f"dim link file://{socket.gethostname()}{quote(str(path))}{fragment}"


VERDICT_STYLES = {
    Verdict.FAIL: "bold red",
    Verdict.BORDERLINE: "bold yellow",
    Verdict.PASS: "bold green",
    Verdict.STRONG_PASS: "bold green",
}
_ADVICE_MARKS = {
    AdviceState.DONE: ("✓", "green"),
    AdviceState.NOT_ENOUGH: ("±", "yellow"),
    AdviceState.BEGUN: ("±", "yellow"),
    AdviceState.NOT_DONE: ("✗", "red"),
}
_HP_BAR_WIDTH = 40
_HP_BLOCKS = ("█", "─")
"""Characters of the HP bar: life, and the empty track; each with an ASCII twin."""
_LEFT_OUT_SHOWN = 8
_FINDINGS_SHOWN = 5


class FightText:
    """Prints events as they come.

    Args:
        rubric: The rubric of the boss, or None if it is unavailable.
        plain: Whether to print without colour, whatever the terminal.
        full: Whether to list every trial that passed; otherwise each group has one line for them.
        voice: The boss's voice, which comments on the end; None if it says nothing.
        out: Where to print; standard output if None.
    """

    def __init__(
        self,
        rubric: BossRubric | None,
        *,
        plain: bool = False,
        full: bool = False,
        voice: Voice | None = None,
        out: "Console | None" = None,
    ) -> None:
        self._out = out or (output.plain_console() if plain else output.console())
        self._draws_bar = not plain and self._out.is_terminal
        self._rubric = rubric
        self._voice = voice
        self._record = FightRecord()
        self._folder: Path | None = None
        self._scores: dict[str, float] = {}
        self._trials = TrialList(self._out, full=full)
        self._advice: dict[str, str] = {}
        self._printed_findings: set[Finding] = set()
        self._has_printed_impostors = False

    def show(self, event: Event) -> None:
        """Print the text of one event of a fight."""
        self._record.add(event)
        self._print_impostors_before(event)
        match event:
            case Started():
                self._started(event)
            case Collected():
                self._collected(event)
            case TrialsPlanned():
                self._trials.plan(event)
            case TrialFinished():
                self._trials.add(event.trial)
            case ClaimChecked():
                self._claim(event.claim)
            case CriterionJudged():
                self._criterion(event)
            case Judged():
                print_followed_advice(self._out, self._record.advice)
                self.result(event.result)
            case Ungraded():
                self._line(("UNGRADED  ", "bold yellow"), f"{event.reason} {event.advice}".strip())
                self._speak(None)
            case Saved():
                self._line((f"Saved as attempt {event.attempt_id}", "dim"))
            case _:
                return

    def _line(self, *parts: str | tuple[str, str], indent: str = "") -> None:
        output.print_line(self._out, *parts, indent=indent)

    def _started(self, event: Started) -> None:
        self._line((event.title, "bold"), (f"  {event.judge.name} judge · isolation {event.isolation}", "dim"))
        if event.isolation not in ATTACKED_LAYERS and event.isolation_note:
            self._line((f"Isolation: {event.isolation_note}", "yellow"))

    def _print_impostors_before(self, event: Event) -> None:
        """Print, once, what the impostors show about the tests; all of it is known when judging begins."""
        if isinstance(event, CriterionJudged | Judged | Ungraded) and not self._has_printed_impostors:
            self._has_printed_impostors = True
            self._printed_findings.update(print_impostor_section(self._out, self._record.evidence))

    def _collected(self, event: Collected) -> None:
        self._folder = Path(event.directory)
        count = len(event.files)
        size = f"{event.total_bytes / 1024:.1f} kB"
        self._line(f"{event.directory}: {count} file{'s' if count != 1 else ''}, {size}, {event.content_hash[:12]}")
        for item in event.left_out[:_LEFT_OUT_SHOWN]:
            self._line((f"left out {item.path}: {item.reason}", "dim"), indent="  ")
        if event.total_left_out > _LEFT_OUT_SHOWN:
            self._line((f"and {event.total_left_out - _LEFT_OUT_SHOWN} more left out", "dim"), indent="  ")
        if event.measured_at:
            when = f"{event.measured_at.astimezone():%Y-%m-%d %H:%M}"
            self._line((f"The same files were run on {when}: that evidence is used (--again runs them again).", "dim"))

    def _claim(self, claim: ClaimResult) -> None:
        if claim.is_confirmed:
            self._trials.add(claim.as_trial)
        else:
            self._line((f"A claim proves nothing: {claim.claim.fault} {claim.message}", "dim"), indent="  ")

    def _criterion(self, event: CriterionJudged) -> None:
        judgement = event.judgement
        self._out.print()
        self._line(
            (f"{event.label}", "bold"),
            f"  {judgement.score:g} of {event.max_score:g}, {event.level_label}",
            (self._blow(event), "dim"),
        )
        self._reason(event.label, judgement)
        for caveat in judgement.caveats:
            self._line((caveat, "yellow"), indent="  ")
        if judgement.next_level:
            self._line(("next level  ", "dim"), judgement.next_level, indent="  ")

    def _reason(self, label: str, judgement: Judgement) -> None:
        """Print why a criterion has its level; as prose if a model judged.

        Its failed trials are printed above, and its advice is printed with the result.
        """
        reason = judgement.reason
        for text in (reason.headline, reason.why, *reason.remarks) if reason else (judgement.comment,):
            if text:
                self._line(text, indent="  ")
        groups = self._trials.failed_groups([example.trial for example in reason.examples] if reason else ())
        if groups:
            self._line(("failed trials above: ", "dim"), ", ".join(groups), indent="  ")
        places = (each for each in judgement.further_findings if each.place and each not in self._printed_findings)
        for finding in tuple(dict.fromkeys(places))[:_FINDINGS_SHOWN]:
            self._printed_findings.add(finding)
            self._line(link_place(self._folder, finding), (finding.message, "dim"), indent="  ")
        if reason and reason.holds:
            self._line(("good  ", "green"), reason.holds, indent="  ")
        self._advice[label] = reason.advice if reason else ""

    def _blow(self, event: CriterionJudged) -> str:
        """Return what a criterion strikes off, and the life left; empty if the rubric is unavailable."""
        scale = self._scale
        if scale is None or event.provisional:
            return ""
        before = sum(self._scores.values())
        self._scores[event.judgement.criterion_id] = event.judgement.score
        total = sum(self._scores.values())
        life, life_before = scale.life(total), scale.life(before)
        if scale.has_fallen(total):
            gold = scale.gold(total) - scale.gold(before)
            if not scale.has_fallen(before):
                return "  the boss falls" + (f", {format_number(round(gold, 9))} gold" if gold else "")
            return f"  {format_number(round(gold, 9))} gold" if gold else ""
        return f"  HP {format_percent(life_before)} to {format_percent(life)}" if life != life_before else ""

    @property
    def _scale(self) -> HpScale | None:
        """What points do to the boss; None if the rubric is unavailable."""
        return HpScale.from_rubric(self._rubric) if self._rubric else None

    def result(self, result: BossEvalResult) -> None:
        """Print a result: verdict, integrity, summary, what to do next."""
        threshold = f", pass at {self._rubric.overall.pass_threshold:g}" if self._rubric else ""
        self._out.print()
        self._line(
            (verdict_words(result.verdict).upper(), VERDICT_STYLES[result.verdict]),
            f"  {result.score_total:g} of {result.score_max:g}{threshold}"
            f" · integrity {format_percent(result.integrity)}",
            ("" if self._record.calibrated else f" · {NOT_CALIBRATED}", "yellow"),
        )
        if self._scale is not None:
            self._print_life(result, self._scale)
        self._speak(result)
        self._line(result.summary)
        improvements = result.improvements
        further = (
            f"{label}: {advice}"
            for label, advice in self._advice.items()
            if advice and not any(text.startswith(advice.rstrip(".")) for text in improvements)
        )
        for number, advice in enumerate((*improvements, *further), start=1):
            self._line(f"{number}. {advice}", indent="  ")
        if result.raw_notes:
            self._line((f"notes: {result.raw_notes}", "dim"))

    def _print_life(self, result: BossEvalResult, scale: HpScale) -> None:
        """Print the life left, as a bar where there is one; of a boss that fell, what was won beyond the mark."""
        life = scale.life(result.score_total, passed=result.passed)
        if self._draws_bar:
            alive, track = _HP_BLOCKS
            cells = life_cells(life, _HP_BAR_WIDTH)
            self._line((alive * cells, "bold"), (track * (_HP_BAR_WIDTH - cells), "dim"))
        words = f"HP {format_percent(life)}"
        if result.passed:
            gold, points = format_number(scale.gold(result.score_total)), format_number(scale.gold_points)
            words = f"The boss is down, {gold} of {points} gold." if scale.gold_points else "The boss is down."
        self._line((words, "dim"))

    def _speak(self, result: BossEvalResult | None) -> None:
        if self._voice is not None:
            self._line((self._voice.comment_on(result, self._record.evidence), "italic dim"))


def print_followed_advice(out: "Console", advice: Sequence[FollowedAdvice]) -> None:
    """Print whether each improvement of the last attempt was made; nothing if there is none."""
    if advice:
        out.print()
        output.print_line(out, ("The last advice", "bold"))
    for improvement in advice:
        mark, style = _ADVICE_MARKS[improvement.state]
        output.print_line(out, (f"{mark} ", style), improvement.outcome, indent="  ")
        output.print_line(out, (improvement.words, "dim"), indent="    ")


def print_advice_line(out: "Console", advice: FollowedAdvice) -> None:
    """Print one improvement of the last attempt and whether it was followed."""
    mark, style = _ADVICE_MARKS[advice.state]
    output.print_line(out, (f"{mark} ", style), f"{advice.words.rstrip('.')}: {advice.outcome}", indent="  ")
