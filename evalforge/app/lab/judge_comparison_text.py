"""Two judges' answers about one submission, as rows and texts."""

from collections.abc import Sequence

from textual.content import Content

from evalforge.app.lab.lab_text import level_words
from evalforge.app.ui.text.formatting import VERDICT_ROLES, VERDICT_WORDS
from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import brief, fit
from evalforge.app.ui.widgets.row_list import Row
from evalforge.lab.judge_pair import CriterionPair, JudgeAnswer
from evalforge.model.number_format import format_number
from evalforge.model.result import Judgement
from evalforge.model.rubric import BossRubric, Criterion
from evalforge.model.text import clean, clean_line

_MAX_FINDINGS = 6
_NAME_WIDTH, _LEVEL_WIDTH = 30, 27
"""Widths in which names of criteria, and levels with their names, mostly fit."""


def _columns(width: int) -> tuple[int, int]:
    """The widths of the names and of the left pane; the right pane starts in the middle, like its text below."""
    middle = (width + 2) // 2
    label_width = max(12, min(_NAME_WIDTH, middle - 2 - _LEVEL_WIDTH))
    return label_width, max(8, middle - label_width - 2)


State = tuple[str, str, str]
"""The state of a pane, the part of it that may be cut, and its role."""


def head_row(titles: tuple[str, str], states: tuple[State, State]) -> Row:
    """The judges, and the state of each."""

    def build(width: int) -> list[Line]:
        label_width, pane_width = _columns(width)
        indent = (" " * (label_width + 2), "")
        return [
            (indent, (fit(titles[0], pane_width), "bold ember"), (fit(titles[1], pane_width), "bold steel")),
            (indent, *((_state_text(state, pane_width), state[2]) for state in states)),
            (),
        ]

    return Row("", build, is_static=True)


def _state_text(state: State, width: int) -> str:
    words, more, _ = state
    return fit(words + more if len(words + more) < width else words, width - 1) + " "


def pairing_rows(pairings: Sequence[CriterionPair], glyphs: Glyphs) -> list[Row]:
    """List each criterion with both levels; those that differ are marked."""

    def row(pairing: CriterionPair) -> Row:
        def build(width: int) -> list[Line]:
            label_width, pane_width = _columns(width)
            mark = (f"{glyphs.diamond} ", "ember") if pairing.differs else ("  ", "")
            label_text = brief(clean_line(pairing.criterion.label), label_width - 1)
            name = (fit(label_text, label_width), "bold ash" if pairing.differs else "ash")
            levels = [_level(pairing.criterion, judgement, glyphs, pane_width) for judgement in pairing.judgements]
            return [(mark, name, *levels[0], *levels[1])]

        return Row(pairing.criterion.id, build)

    return [row(pairing) for pairing in pairings]


def _level(criterion: Criterion, judgement: Judgement | None, glyphs: Glyphs, width: int) -> list[Run]:
    if judgement is None:
        return [(fit(glyphs.dot, width), "faint")]
    pips, label, role = level_words(criterion, judgement.score, glyphs)
    bounded = " bounded" if judgement.bounded else ""
    text = fit(f"{label}", max(1, width - len(pips) - 2 - len(bounded)))
    return [(f"{pips} ", role), (text, "ash"), (bounded, "steel"), (" ", "")]


def state_words(answer: JudgeAnswer | None, pending: str, rubric: BossRubric) -> State:
    """Describe the state of a pane in a few words, with a role.

    Args:
        answer: The judge's answer, if there is one.
        pending: What it is waiting for.
        rubric: The rubric it judges by.
    """
    if answer is None:
        return pending, "", "dim"
    if answer.judged is None:
        return "could not judge", "", "blood"
    result = answer.judged.result
    score = f"{format_number(result.score_total)}/{format_number(result.score_max)} {VERDICT_WORDS[result.verdict]}"
    more = f", pass at {format_number(rubric.overall.pass_threshold)}" + (
        f", {answer.cost.price}" if answer.cost.input_tokens else ""
    )
    return score, more, VERDICT_ROLES[result.verdict]


def judge_text(title: Run, answer: JudgeAnswer | None, criterion: Criterion, pending: str, glyphs: Glyphs) -> Content:
    """One judge's answer on one criterion: level, comment, what bounded it, its findings."""
    parts: list[Run] = [(f"{clean_line(title[0])}\n", f"bold {title[1]}")]
    if answer is None:
        return styled(*parts, (pending, "dim"))
    if answer.judged is None:
        return styled(*parts, ("Could not judge.\n", "blood"), (clean(answer.failure), "ash"))
    judgement = answer.judgement(criterion.id)
    if judgement is None:
        return styled(*parts, ("Its rubric has no such criterion.", "dim"))
    level_text, label, role = level_words(criterion, judgement.score, glyphs)
    parts += [
        (f"{level_text}  ", f"{role}"), (label, "bold ash"), (f"  {format_number(judgement.score)}\n\n", "dim"),
        *spans(clean(judgement.comment), "ash"), ("\n", ""),
    ]  # fmt: skip
    if judgement.bounded:
        parts += [*spans(f"Capped by the evidence: {clean(judgement.bounded)}", "steel"), ("\n", "")]
    if judgement.close:
        parts.append(("Close: the facts lie between two levels.\n", "steel"))
    if judgement.votes:
        parts.append((f"Votes: {', '.join(format_number(vote) for vote in judgement.votes)}\n", "steel"))
    if judgement.uncertain:
        parts.append(("The judge was not sure.\n", "steel"))
    if judgement.findings:
        parts.append(("\nPoints at\n", "bold dim"))
    for finding in tuple(dict.fromkeys(judgement.findings))[:_MAX_FINDINGS]:
        parts.append((f"  {clean_line(finding.place)}\n" if finding.place else "", "steel"))
        parts += [("  ", ""), *spans(clean_line(finding.message), "dim"), ("\n", "")]
    return styled(*parts)
