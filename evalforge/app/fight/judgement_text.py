"""Texts about a judging, with styles. Foreign text goes through ``clean``."""

from collections.abc import Iterable, Sequence

from textual.content import Content

from evalforge.app.fight.difference import Difference
from evalforge.app.fight.evidence_text import next_level_runs, reason_runs
from evalforge.app.fight.rewards import Reward
from evalforge.app.ui.text.formatting import VERDICT_WORDS, gap_to_pass
from evalforge.app.ui.text.markup import render_markup, spans
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.painting import short_name
from evalforge.model.evidence import Evidence, Finding, merge_findings
from evalforge.model.followed_advice import AdviceState, FollowedAdvice
from evalforge.model.number_format import format_number, format_signed
from evalforge.model.result import BossEvalResult, Judgement
from evalforge.model.rubric import BossRubric, Criterion
from evalforge.model.text import clean, clean_line
from evalforge.packs.summary import TIERS, BossSummary

_FINDINGS = 12
_BROKEN_SHOWN = 2
_ADVICE_HEADS = {"strong_pass": "Polish", "pass": "For a flawless win"}
"""Headings of the advice once the boss fell; before that, it is what to do next."""
GAIN_LINES, _GAIN_WIDTH = 3, 3
"""Lines of rewards above what to do next, which must stay visible; and the gap between two rewards on a line."""


def _join(parts: Iterable[Run]) -> Content:
    return styled(*parts)


def verdict_line(result: BossEvalResult, threshold: float) -> Content:
    """The verdict, and its distance from the pass line."""
    return _join([
        (VERDICT_WORDS[result.verdict], "bold ash"),
        (f" · {format_number(result.score_total)} of {format_number(result.score_max)}", "dim"),
        (f" · {gap_to_pass(result.score_total, threshold, result.score_max)}", "dim"),
    ])  # fmt: skip


def score_moves(difference: Difference, result: BossEvalResult, rubric: BossRubric) -> Content:
    """By how much each criterion moved since the attempt before, on one line."""
    if not difference.is_played:
        return styled(("Your first strike at this boss.", "dim"))
    moves: list[Run] = []
    for scored in result.criteria:
        if change := difference.level_change(scored.id, scored.score):
            label = short_name(clean_line(rubric.criterion(scored.id).label))
            role = "verdigris" if change > 0 else "blood"
            moves += [(", " if moves else "", "dim"), (f"{label} ", "ash"), (format_signed(change), f"bold {role}")]
    return _join(moves or [("Nothing moved.", "dim")])


def reward_line(gains: Sequence[Reward], star: str, width: int, max_lines: int) -> Content:
    """The most important rewards by title, as many as fit a few lines; ``reward_list`` has all of them."""
    lines: list[Content] = []
    for count, gain in enumerate(gains):
        title = _join([(f"{star} ", "molten"), (clean_line(gain.title), "bold molten")])
        if lines and lines[-1].cell_length + _GAIN_WIDTH + title.cell_length <= width:
            lines[-1] += Content(" " * _GAIN_WIDTH) + title
        elif len(lines) < max_lines:
            lines.append(title)
        else:
            lines[-1] += _join([(f"{' ' * _GAIN_WIDTH}and {len(gains) - count} more", "dim")])
            break
    return Content("\n").join(lines)


def reward_list(gains: Sequence[Reward], star: str) -> Content:
    """Every reward with its reason; nothing if their titles say it all."""
    if len(gains) <= GAIN_LINES and not any(gain.detail for gain in gains):
        return Content("")
    parts: list[Run] = [("Earned\n", "bold molten")]
    for gain in gains:
        parts += [(f" {star} ", "molten"), (f"{clean_line(gain.title)}", "bold molten")]
        parts.append((f": {clean_line(gain.detail)}\n" if gain.detail else "\n", "ash"))
    return _join(parts)


def do_next(result: BossEvalResult) -> Content:
    """The improvements, numbered, by impact."""
    if not result.improvements:
        return Content("")
    parts: list[Run] = [(f"{_ADVICE_HEADS.get(result.verdict, 'Do next')}\n", "bold ember")]
    for index, improvement in enumerate(result.improvements, start=1):
        parts += [(f" {index}. ", "ember"), *spans(clean_line(improvement, cap=600), "ash"), ("\n", "")]
    return _join(parts)


def broken_trials(titles: Sequence[str], since: str, glyphs: Glyphs) -> Content:
    """The trials that passed before and fail now; nothing if there are none."""
    if not titles:
        return Content("")
    parts: list[Run] = [(f"Broken {since}\n", "bold blood")]
    for title in titles[:_BROKEN_SHOWN]:
        parts += [(f" {glyphs.failed} ", "blood"), (f"{clean_line(title)}\n", "ash")]
    if len(titles) > _BROKEN_SHOWN:
        parts.append((f"   and {len(titles) - _BROKEN_SHOWN} more\n", "dim"))
    return _join(parts)


def next_boss_line(boss: BossSummary | None, key: str, beaten: int, total: int) -> Content:
    """The boss to continue with, and the key that opens its briefing; None if all are beaten."""
    if boss is None:
        return styled(("Every boss here is defeated.", "bold molten"))
    tier = f", tier {TIERS[boss.tier]}" if 0 < boss.tier < len(TIERS) else ""
    return _join([
        (f"{key} ", "bold ember"), ("Next: ", "ash"), (clean_line(boss.title), "bold molten"),
        (tier, "ash"), (f"\n  {beaten} of {total} defeated", "dim"),
    ])  # fmt: skip


def followed_advice(advice: Sequence[FollowedAdvice], glyphs: Glyphs, *, beside_levels: bool = False) -> Content:
    """Whether each improvement of the last attempt was made; without levels that are shown beside it."""
    if not advice:
        return Content("")
    marks = {
        AdviceState.DONE: (glyphs.passed, "verdigris"),
        AdviceState.NOT_ENOUGH: (glyphs.half_pip, "molten"),
        AdviceState.BEGUN: (glyphs.half_pip, "molten"),
        AdviceState.NOT_DONE: (glyphs.failed, "blood"),
    }
    parts: list[Run] = [("The last advice\n", "bold steel")]
    for advised in advice:
        mark, role = marks[advised.state]
        outcome = "done." if beside_levels and advised.state is AdviceState.DONE else advised.outcome
        parts += [(f" {mark} ", role), *spans(clean_line(outcome, cap=400), "ash"), ("\n", "")]
        parts += [("   ", ""), *spans(clean_line(advised.words, cap=300), "dim"), ("\n", "")]
    return _join(parts)


def criterion_text(criterion: Criterion, judgement: Judgement, evidence: Evidence | None, glyphs: Glyphs) -> Content:
    """One criterion in full: level, reason, evidence, what the next level needs."""
    level = criterion.level_label(judgement.score)
    top = judgement.score >= criterion.max_score
    parts: list[Run] = [
        (f"{clean_line(criterion.label)}\n", "bold ash"),
        (
            f"{format_number(judgement.score)} of {format_number(criterion.max_score)}",
            "bold molten" if top else "bold ember",
        ),
        (f"  {clean_line(level)}\n\n" if level else "\n\n", "ash"),
        *reason_runs(judgement, glyphs.failed),
    ]
    for caveat in judgement.caveats:
        parts += [*spans(clean(caveat), "steel"), ("\n", "")]
    findings = merge_findings(judgement.further_findings)
    if findings:
        parts.append(("\nEvidence\n", "bold steel"))
    for finding in findings[:_FINDINGS]:
        parts += _finding(finding, evidence)
    if len(findings) > _FINDINGS:
        parts.append((f"  and {len(findings) - _FINDINGS} more\n", "dim"))
    return _join([*parts, ("\n", ""), *next_level_runs(criterion, judgement)])


def _finding(finding: Finding, evidence: Evidence | None) -> list[Run]:
    """What was found and where; if by a trial, also the trial, its call and the result."""
    trial = (
        next((t for t in evidence.trials if finding.trial in (t.id, t.title)), None)
        if evidence and finding.trial
        else None
    )
    parts: list[Run] = []
    if trial:
        parts.append((f"  > {clean_line(trial.title or trial.id)}\n", "ash"))
    if finding.place:
        parts.append((f"    {clean_line(finding.place)}\n", "steel"))
    parts += [("    ", ""), *spans(clean_line(finding.message), "dim"), ("\n", "")]
    if trial:
        parts += [(f"      {clean_line(step.call)} → {clean_line(step.result)}\n", "faint") for step in trial.steps[:6]]
    return parts


def rubric_text(rubric: BossRubric) -> Content:
    """The whole rubric: every criterion, every level, its good signs and warning signs."""
    parts: list[Run | Content] = [
        ("Pass at ", "dim"),
        (f"{format_number(rubric.overall.pass_threshold)} of {format_number(rubric.max_score)}", "bold ash"),
        (". The levels are added up, without weights.\n", "dim"),
    ]
    if rubric.overall.notes:
        parts.append(render_markup(rubric.overall.notes, "dim"))
    return styled(*parts, *map(_criterion_in_full, rubric.criteria))


def _criterion_in_full(criterion: Criterion) -> Content:
    parts: list[Run] = [
        (f"\n{clean_line(criterion.label)}", "bold ember"),
        (f"   up to {format_number(criterion.max_score)}\n", "dim"),
    ]
    if criterion.description:
        parts += [*spans(clean_line(criterion.description, cap=2000), "ash"), ("\n", "")]
    for level in reversed(criterion.levels):
        parts.append((f"  {format_number(level.score):>3}  ", "bold molten"))
        parts.append((f"{clean_line(level.label)}  ", "bold ash"))
        parts += [*spans(clean_line(level.full_description, cap=2000), "dim"), ("\n", "")]
    signals = criterion.signals
    for head, mark, role, told_of in (
        ("Good signs", "+", "verdigris", signals.strong_positive),
        ("Warning signs", "-", "blood", signals.strong_negative),
    ):
        parts += [(f"  {head}\n", role)] if told_of else []
        parts += [
            part
            for signal in told_of
            for part in ((f"    {mark} ", role), *spans(clean_line(signal), "dim"), ("\n", ""))
        ]
    return _join(parts)
