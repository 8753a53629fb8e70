"""The texts that a lesson shows at each step, with styles. They never use what isn't revealed yet."""

from collections.abc import Mapping, Sequence

from textual.content import Content

from evalforge.app.teaching.background_judging import BackgroundFight
from evalforge.app.teaching.lesson_plan import Step, describe_guesses, letter, most_guessed
from evalforge.app.ui.text.formatting import gap_to_pass, level_role, plural
from evalforge.app.ui.text.markup import render_markup as prose
from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.model.evidence import Finding
from evalforge.model.number_format import format_number
from evalforge.model.result import Judgement
from evalforge.model.rubric import BossRubric, Criterion
from evalforge.model.text import clean, clean_line
from evalforge.packs.pack import BossPack


def step_position(step: Step, criteria: int) -> str:
    """The position within a submission: ``submission A, criterion 3 of 4``."""
    return f"submission {letter(step.hand_in)}, criterion {step.criterion + 1} of {criteria}"


def mission(pack: BossPack) -> Content:
    """What has to be built, and why that is harder than it looks."""
    about = pack.definition
    files = ", ".join(clean_line(name) for name in about.metadata.entry_files) or "a folder"
    return styled(
        prose(about.long_description or about.short_description), ("\nYou submit  ", "dim"), (files, "bold steel")
    )


def criterion_words(criterion: Criterion, *, large: bool) -> Content:
    """The criterion's question, and its name unless that is already shown large."""
    name: list[Run] = [] if large else [(f"{clean_line(criterion.label)}\n", "bold ember")]
    return styled(*name, *spans(clean_line(criterion.description, cap=2000), "ash"))


def files(fight: BackgroundFight, criteria: Sequence[Criterion]) -> Content:
    """How many files were submitted; if criteria are given, also the names of both."""
    submission = fight.submission
    lines = sum(len(file.content.splitlines()) for file in submission.files)
    parts: list[Run] = [(f"{plural(len(submission.files), 'file')}, {plural(lines, 'line')}. ", "ash")]
    if not criteria:
        return styled(*parts, ("Read it first.", "ash"))
    parts.append(("\n\n", ""))
    parts += [(f"  {clean_line(file.path)}\n", "steel") for file in submission.files[:8]]
    parts.append(("\nRead it. Then the room judges\n\n", "ash"))
    parts += [(f"  {clean_line(criterion.label)}\n", "dim") for criterion in criteria]
    return styled(*parts)


def question(criterion: Criterion, *, roomy: bool) -> Content:
    """The question to the audience."""
    return styled(
        (clean_line(criterion.label), "bold ember"),
        (_separator(roomy=roomy), ""),
        ("Which level has it reached?", "ash"),
    )


def _separator(*, roomy: bool) -> str:
    """The separator of two remarks, which share a line if there are few lines."""
    return "\n" if roomy else "   "


def no_verdict(fight: BackgroundFight) -> Content:
    """Why there is nothing to reveal."""
    if fight.reason:
        text = clean(fight.reason)
        return styled(("It could not be judged. No score.\n", "bold ash"), (text, "dim"))
    return styled(("The forge is still at work on it.", "dim"))


def level_reached(criterion: Criterion, judgement: Judgement) -> Content:
    """The name of the criterion, and the points it got."""
    score = f"{format_number(judgement.score)} of {format_number(criterion.max_score)}"
    return styled((f"{clean_line(criterion.label)}  ", "bold ember"), (score, "bold molten"))


def revealed_level(criterion: Criterion, judgement: Judgement, tally: Mapping[float, int], *, roomy: bool) -> Content:
    """The level, and how close the audience came."""
    guesses_text = describe_guesses(tally, judgement.score)
    room_words = [(_separator(roomy=roomy), ""), (guesses_text, "bold steel")] if guesses_text else []
    return styled(level_reached(criterion, judgement), *room_words)


def level_with_reason(criterion: Criterion, judgement: Judgement) -> Content:
    """The name of the level, and its reason."""
    label = criterion.level_label(judgement.score)
    heading = styled(level_reached(criterion, judgement), (f"  {clean_line(label)}", "bold ash"))
    return Content("\n").join([heading, reason(judgement)])


def reason(judgement: Judgement) -> Content:
    """The reason for the level."""
    return styled(*spans(clean(judgement.headline), "ash"))


def unique_findings(judgement: Judgement) -> list[Finding]:
    """The distinct findings, even if several trials made one; places first, grouped by file."""
    by_place = {(finding.path, finding.line, finding.message): finding for finding in judgement.findings}
    return sorted(by_place.values(), key=lambda finding: (not finding.line, not finding.path, finding.path))


def next_level(criterion: Criterion, judgement: Judgement) -> Content:
    """What the next level needs."""
    level = criterion.next_level(judgement.score)
    if level is None:
        return styled(("Nothing above this level.", "verdigris"))
    head = f"The next level, {format_number(level.score)} of {format_number(criterion.max_score)}\n"
    return styled((head, "bold ember"), *spans(clean(judgement.next_level or level.description), "ash"))


def verdict(
    fight: BackgroundFight,
    index: int,
    rubric: BossRubric,
    tallies: Sequence[Mapping[float, int]],
    glyphs: Glyphs,
) -> Content:
    """The end of a submission: its name, its result, where the audience disagreed, what comes next."""
    result = fight.result
    name = clean_line(fight.hand_in.name)
    if result is None:
        return no_verdict(fight)
    parts: list[Run] = [
        (f"{format_number(result.score_total)} of {format_number(result.score_max)}", "bold molten"),
        (f" · {gap_to_pass(result.score_total, rubric.overall.pass_threshold, result.score_max)}", "ash"),
        (f"\nSubmission {letter(index)} was called ", "dim"),
        (name, "steel"),
        ("\n\n", ""),
    ]
    for criterion, tally in zip(rubric.criteria, tallies, strict=True):
        parts += _criterion_lines(criterion, fight.judgements[criterion.id], tally, glyphs)
    return styled(*parts)


def _criterion_lines(
    criterion: Criterion, judgement: Judgement, tally: Mapping[float, int], glyphs: Glyphs
) -> list[Run]:
    """One criterion at the end: its level, the audience's guess, and what the next level needs."""
    score, maximum = judgement.score, criterion.max_score
    parts: list[Run] = [
        (f"{glyphs.pips(score, maximum):<5}", f"{level_role(score, maximum)}"),
        (f"{clean_line(criterion.label)}  ", "bold ash"),
        (clean_line(criterion.level_label(score)), "dim"),
    ]
    guessed_scores = most_guessed(tally)
    if guessed_scores:
        text = " or ".join(format_number(score) for score in guessed_scores)
        is_right = guessed_scores == (judgement.score,)
        parts.append((f"  the room said {text}", "verdigris" if is_right else "steel"))
    parts.append(("\n", ""))
    next_level = criterion.next_level(judgement.score)
    if next_level is not None:
        needed = judgement.next_level or next_level.description
        parts += [("     → ", "ember"), *spans(clean_line(needed, cap=400), "dim"), ("\n", "")]
    return parts
