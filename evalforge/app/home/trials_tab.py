"""The trials of a boss with the player's results: ticks from the last attempt, and since when one fails."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from evalforge.history.store import History
    from evalforge.model.attempt import Attempt
    from evalforge.model.evidence import TrialResult

ATTEMPTS_READ = 20
"""The number of latest attempts searched for when a trial began to fail."""
_STEPS_SHOWN = 3


class TrialHistory:
    """The results of a boss's trials, attempt by attempt.

    Args:
        attempts: Judged attempts with their numbers, the latest first.
    """

    def __init__(self, attempts: "Sequence[tuple[int, Attempt]]") -> None:
        self.number = attempts[0][0] if attempts else 0
        """The number of the latest attempt; 0 without one."""
        self._tries = [(number, _by_title(attempt.evidence.trials)) for number, attempt in attempts]

    def cases(self, group: str, title: str) -> "list[TrialResult]":
        """The results of a trial in the latest attempt: one, or one for each of its cases."""
        return self._tries[0][1].get((group, title), []) if self._tries else []

    def fails_since(self, group: str, title: str) -> int:
        """The number of the attempt since which the trial has failed without interruption."""
        since = 0
        for number, results in self._tries:
            cases = results.get((group, title), [])
            if not cases or all(case.passed for case in cases):
                break
            since = number
        return since

    @property
    def first_command(self) -> str:
        """The shell command of the first failed trial that has one; empty if none has."""
        results = self._tries[0][1].values() if self._tries else ()
        return next((case.command for cases in results for case in cases if case.command and not case.passed), "")


def read_record(history: "History | None", boss_id: str) -> TrialHistory:
    """Read the record of the player's own attempts on a boss."""
    from evalforge.history.listing import AttemptFilter
    from evalforge.model.attempt import AttemptState

    if history is None:
        return TrialHistory(())
    rows = history.page(AttemptFilter(boss_id, state=AttemptState.JUDGED.value), 0, ATTEMPTS_READ)
    own = [row for row in rows if row.is_own]
    return TrialHistory([(row.own_number, history.get(row.id)) for row in own])


def trials_text(groups: Mapping[str, Sequence[str]], record: TrialHistory, glyphs: Glyphs) -> Content:
    """Every trial with its last result; failed ones with their call and what was returned."""
    count = sum(len(titles) for titles in groups.values())
    head = f"{plural(count, 'trial')} in {plural(len(groups), 'group')}."
    parts: list[Run] = [(f"{head}{f' Results of attempt {record.number}.' if record.number else ''}\n", "dim")]
    for group, titles in groups.items():
        parts.append((f"\n{clean_line(group).replace('_', ' ')}", "bold ember"))
        parts.append((f"  {_tally(group, titles, record)}\n", "dim"))
        for title in titles:
            parts += _trial(group, title, record, glyphs)
    return styled(*parts)


def _tally(group: str, titles: Sequence[str], record: TrialHistory) -> str:
    known_cases = [cases for title in titles if (cases := record.cases(group, title))]
    passed = sum(all(case.passed for case in cases) for cases in known_cases)
    return f"{passed} of {len(titles)} passed" if known_cases else str(len(titles))


def _trial(group: str, title: str, record: TrialHistory, glyphs: Glyphs) -> list[Run]:
    cases = record.cases(group, title)
    failed = [case for case in cases if not case.passed]
    if not cases:
        return [(f"  {glyphs.dot} {clean_line(title)}\n", "ash")]
    if not failed:
        return [(f"  {glyphs.passed} ", "verdigris"), (f"{clean_line(title)}\n", "ash")]
    since = record.fails_since(group, title)
    mark, role = glyphs.outcome(failed[0].outcome)
    outcome = failed[0].outcome.value
    state = outcome if outcome == "not reached" else f"fails since attempt {since}"
    which = f"{len(failed)} of {len(cases)} cases, " if len(cases) > 1 else ""
    return [
        (f"  {mark} ", role), (clean_line(title), "bold ash"),
        (f"  {which}{state}\n", role), *_shown_failure(failed[0], glyphs),
    ]  # fmt: skip


def _shown_failure(trial: "TrialResult", glyphs: Glyphs) -> list[Run]:
    """The parts of a failed trial that players may see: its message, its calls, and a shell command."""
    parts: list[Run] = []
    if trial.message:
        parts += [("      ", ""), *spans(clean_line(trial.message), "dim"), ("\n", "")]
    for step in trial.steps[-_STEPS_SHOWN:]:
        parts.append((f"      {clean_line(step.call)} {glyphs.arrow} {clean_line(step.result)}\n", "faint"))
    if trial.command:
        parts.append((f"      $ {clean_line(trial.command)}\n", "steel"))
    return parts


def _by_title(trials: "Sequence[TrialResult]") -> "dict[tuple[str, str], list[TrialResult]]":
    """Results by group and title; the cases of one trial, such as ``Title. (empty)``, are grouped."""
    trials_by_title: dict[tuple[str, str], list[TrialResult]] = {}
    for trial in trials:
        trials_by_title.setdefault((trial.group, _without_case(trial)), []).append(trial)
    return trials_by_title


def _without_case(trial: "TrialResult") -> str:
    _, bracket, case = trial.id.partition("[")
    suffix = f" ({case.removesuffix(']')})"
    return trial.title.removesuffix(suffix) if bracket else trial.title
