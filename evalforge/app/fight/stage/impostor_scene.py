"""Animates how the impostors' masks fall, beat by beat; identical in fights, replays and practice."""

from collections.abc import Iterable, Sequence

from evalforge.app.fight.stage.impostor_row import ImpostorRow
from evalforge.app.fight.stage.pacing import Pacer
from evalforge.app.fight.stage.trial_log import TrialView
from evalforge.app.ui.theme import motion
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.theme.motion import Motion
from evalforge.model.evidence import Evidence, Fact, Finding, ImpostorResult
from evalforge.model.text import clean_line

_ARRIVAL = 0.25
"""Seconds between the arrival of the row and the first strike."""
_STRIKES = 0.9
"""The tests take this many seconds for the whole row."""
_LAUGH_FRAME = 0.12
"""Seconds for each frame of a laugh."""
_WRONG_TESTS_NAMED = 3


async def show_arrival(row: ImpostorRow, impostors: Sequence[ImpostorResult], pacer: Pacer) -> None:
    """Show all impostors with their masks on, if they haven't arrived yet."""
    if row.count != len(impostors):
        row.show_arrived([impostor.fate for impostor in impostors])
        await pacer.pause(_ARRIVAL)


async def show_unmasking(
    trials: TrialView, evidence: Evidence, pacer: Pacer, changed: frozenset[int] | None = None
) -> None:
    """Run the tests along the row, if that hasn't happened; problems with the tests are shown in the log.

    Args:
        trials: The view with the row.
        evidence: What was measured.
        pacer: Times the beats.
        changed: The positions of the impostors that are struck one by one, the others being as before; None for all.
    """
    await show_arrival(trials.impostors, evidence.impostors, pacer)
    if trials.impostors.is_waiting:
        await unmask_row(trials.impostors, evidence, pacer, changed)
        _explain(trials, evidence)


async def unmask_row(row: ImpostorRow, evidence: Evidence, pacer: Pacer, changed: frozenset[int] | None = None) -> None:
    """Shatter the caught impostors' masks one by one, and let the missed ones laugh once."""
    if unmeasured_reason(evidence):
        row.leave_unmeasured()
    else:
        await _strike_each(row, frozenset(range(row.count)) if changed is None else changed, pacer)
        row.finish(wrong_expectations=len(wrong_expectations(evidence)))
        await _laugh(row, pacer)
    await pacer.pause(motion.SILENCE)


async def _strike_each(row: ImpostorRow, indexes: frozenset[int], pacer: Pacer) -> None:
    flashes = look(row).motion is Motion.FULL
    row.reveal(frozenset(range(row.count)) - indexes)
    for index in sorted(indexes):
        if pacer.skipping:
            return
        row.strike(index, flash=flashes)
        await pacer.pause(min(motion.STRIKE, _STRIKES / row.count))


async def _laugh(row: ImpostorRow, pacer: Pacer) -> None:
    if look(row).motion is Motion.FULL and not pacer.skipping:
        for mouth_open in (False, True, False, True):
            row.laugh(mouth_open=mouth_open)
            await pacer.pause(_LAUGH_FRAME)


def _explain(trials: TrialView, evidence: Evidence) -> None:
    """Name the tests that a right program fails, or say why impostors were not run."""
    for finding in wrong_expectations(evidence)[:_WRONG_TESTS_NAMED]:
        trials.show_message(f"! {finding.place}: {finding.message}".replace("`", ""), "blood")
    if reason := unmeasured_reason(evidence):
        trials.show_message(reason)


def show_end(trials: TrialView, evidence: Evidence) -> None:
    """Show the final state of the masks at once."""
    row = trials.impostors
    row.show_arrived([impostor.fate for impostor in evidence.impostors])
    if unmeasured_reason(evidence):
        row.leave_unmeasured()
    else:
        row.finish(wrong_expectations=len(wrong_expectations(evidence)))
    if evidence.impostors:
        _explain(trials, evidence)


def unmeasured_reason(evidence: Evidence) -> str:
    """Why the tests could not be run on impostors; empty if they were, or if that was not requested."""
    unmasked = evidence.fact("tests.unmasked")
    if unmasked is None or unmasked.value is not None:
        return ""
    return clean_line(next(iter(_messages(unmasked)), "The tests could not be run."), cap=400)


def wrong_expectations(evidence: Evidence) -> tuple[Finding, ...]:
    """The tests that fail on a program that keeps the contract."""
    return test_findings(evidence, "tests.wrong_expectations")


def test_findings(evidence: Evidence, name: str) -> tuple[Finding, ...]:
    """The tests that a fact names."""
    fact = evidence.fact(name)
    return fact.findings if fact is not None and fact.value else ()


def _messages(fact: Fact) -> Iterable[str]:
    return (finding.message for finding in fact.findings)
