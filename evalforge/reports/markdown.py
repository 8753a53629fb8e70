"""An attempt as a Markdown report. Foreign text is quoted so that none of it becomes markup."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC

from evalforge.model.attempt import Attempt
from evalforge.model.evidence import LOAD_GROUP, Finding, count_passed
from evalforge.model.impostor_tally import tally_impostors
from evalforge.model.number_format import format_number, format_percent
from evalforge.model.reason import Reason
from evalforge.model.result import BossEvalResult, Judgement, verdict_words
from evalforge.model.text import clean, clean_whole
from evalforge.reports.labels import labels_by_criterion
from evalforge.reports.reason_lines import reason_lines
from evalforge.reports.receipt import Receipt

_MARKUP_CHARACTER = re.compile(r"([\\`*_\[\]<>|~$&])")
_BLOCK_MARKER = re.compile(r"^(\d*)([-+#=.)])")
_BARE_ADDRESS = re.compile(r"(?i)(https?:)(//)|(www)(\.)|(\S)(@)(?=\S)")
_CODE_SPAN = re.compile(r"(`[^`]+`)")
_MAX_FINDINGS = 5


@dataclass(frozen=True)
class InstructorView:
    """An instructor's changes to an attempt.

    Attributes:
        result: The result that counts.
        set_levels: The labels of the levels that were set, by criterion.
        lines: The instructor's remarks, one Markdown paragraph each; they come first.
    """

    result: BossEvalResult
    set_levels: dict[str, str] = field(default_factory=dict[str, str])
    lines: tuple[str, ...] = ()


def report(
    attempt: Attempt, number_of_try: int = 0, receipt: Receipt | None = None, view: InstructorView | None = None
) -> str:
    """Write the report of a whole attempt as Markdown.

    Args:
        attempt: Any attempt; the report says if it was not judged.
        number_of_try: The number of the attempt on the boss; 0 leaves it out.
        receipt: The stored receipt.
        view: An instructor's changes, which replace what was judged; None if there are none.
    """
    return "\n".join(_lines(attempt, number_of_try, receipt, view)) + "\n"


def _lines(attempt: Attempt, number_of_try: int, receipt: Receipt | None, view: InstructorView | None) -> Iterator[str]:
    result = view.result if view else attempt.result
    yield f"# {escape_markdown(attempt.boss_title)}"
    yield ""
    if result is None:
        yield f"**{attempt.state.value.upper()}**  {escape_markdown(attempt.ungraded_reason) or 'Nothing was scored.'}"
    else:
        verdict = verdict_words(result.verdict).upper()
        yield (
            f"**{verdict}**  {format_number(result.score_total)} of {format_number(result.score_max)}, "
            f"integrity {format_percent(result.integrity)}"
        )
    yield ""
    yield from _about(attempt, number_of_try, receipt)
    for line in view.lines if view else ():
        yield ""
        yield line
    if result is not None:
        yield from _result(attempt, result, view.set_levels if view else {})
    yield from _trials(attempt)
    yield from _claims(attempt)
    yield from _impostors(attempt)
    yield from _submission(attempt)


def _about(attempt: Attempt, number_of_try: int, receipt: Receipt | None) -> Iterator[str]:
    judge = " ".join(part for part in (attempt.judge.name, attempt.judge.model, attempt.judge.version) if part)
    rows = {
        "Attempt": f"`{attempt.id}`" + (f", number {number_of_try}" if number_of_try else ""),
        "When": f"{attempt.started_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC",
        "Judge": escape_markdown(judge),
        "Isolation": escape_markdown(attempt.isolation),
        "Rubric": f"`{attempt.rubric_hash}`",
        "Submission": f"`{attempt.submission.content_hash[:16]}`",
        "Receipt": f"`{receipt.code}`" if receipt else "",
    }
    yield "| | |"
    yield "|---|---|"
    yield from (f"| {name} | {value} |" for name, value in rows.items() if value)


def _result(attempt: Attempt, result: BossEvalResult, set_levels: dict[str, str]) -> Iterator[str]:
    yield ""
    yield escape_prose(result.summary)
    yield ""
    yield "## Criteria"
    labels = labels_by_criterion(attempt)
    judgements = {judgement.criterion_id: judgement for judgement in attempt.judgements}
    for criterion in result.criteria:
        own_labels = labels[criterion.id]
        level_label = set_levels.get(criterion.id, own_labels.level)
        level = f", {escape_markdown(level_label)}" if level_label else ""
        level += " (close)" if criterion.id in judgements and judgements[criterion.id].close else ""
        yield ""
        points = f"{format_number(criterion.score)} of {format_number(criterion.max_score)}"
        yield f"### {escape_markdown(own_labels.label)}: {points}{level}"
        yield ""
        judgement = judgements.get(criterion.id)
        # Findings for the judged level don't apply to a level that a person set.
        if judgement is None or criterion.id in set_levels:
            yield escape_prose(criterion.comment)
        else:
            yield from _reasons(judgement, criterion.comment)
    if result.improvements:
        yield ""
        yield "## Do next"
        yield ""
        yield from (f"{index}. {escape_prose(advice)}" for index, advice in enumerate(result.improvements, start=1))


def _reasons(judgement: Judgement, comment: str) -> Iterator[str]:
    yield from reason_markdown(judgement.reason) if judgement.reason else (escape_prose(comment),)
    findings = [finding for finding in judgement.further_findings if finding.place]
    if findings:
        yield ""
        yield from (_finding(finding) for finding in findings[:_MAX_FINDINGS])
    if judgement.next_level:
        yield ""
        yield f"Next level: {escape_prose(judgement.next_level)}"


def reason_markdown(reason: Reason) -> Iterator[str]:
    """Yield a reason as lines of Markdown: paragraphs, and a list with a table of code for each example."""
    for line in reason_lines(reason):
        match line.role:
            case "trial":
                yield from ("", f"- {escape_prose(line.text)}")
            case "row":
                yield f"  - {line.name}: {code_span(line.text)}"
            case "more":
                yield f"- {line.text}"
            case "holds":
                yield from ("", f"**Good:** {escape_prose(line.text)}")
            case "advice":
                yield from ("", f"**Next:** {escape_prose(line.text)}")
            case "cause":
                yield escape_prose(line.text)
            case _:
                yield from ("", escape_prose(line.text))


def _finding(finding: Finding) -> str:
    return f"- {code_span(finding.place)} {escape_prose(finding.message)}"


def _trials(attempt: Attempt) -> Iterator[str]:
    trials = attempt.evidence.trials
    if not trials:
        return
    yield ""
    passed, total = count_passed(trials)
    yield f"## Trials: {passed} of {total}"
    yield ""
    for trial in (trial for trial in trials if trial.group != LOAD_GROUP or not trial.passed):
        mark = "x" if trial.passed else " "
        outcome = "" if trial.passed else f" *{trial.outcome.value}*. {escape_markdown(trial.message)}"
        outcome += f" Blamed on {escape_markdown(trial.blame_words)}." if trial.blamed_on else ""
        yield f"- [{mark}] {escape_markdown(trial.group)}: {escape_markdown(trial.title)}{outcome}".rstrip()


def _claims(attempt: Attempt) -> Iterator[str]:
    claims = attempt.evidence.claims
    if not claims:
        return
    yield ""
    yield f"## Claims of the judge: {sum(claim.is_confirmed for claim in claims)} of {len(claims)} proven"
    yield ""
    for claim in claims:
        mark, fault = "x" if claim.is_confirmed else " ", escape_markdown(claim.claim.fault)
        yield f"- [{mark}] {fault} {escape_markdown(claim.message)}"
        if claim.is_confirmed:
            yield ""
            yield from (f"      {line}" for line in claim.claim.test.splitlines())  # indented, it can't end the block
            yield ""


def _impostors(attempt: Attempt) -> Iterator[str]:
    tally = tally_impostors(attempt.evidence)
    if tally is None:
        return
    yield ""
    yield "## Impostors"
    yield ""
    yield escape_markdown(tally.unmeasured_reason) or f"{tally.words}."
    if tally.own_faults:
        yield escape_markdown(tally.own_faults)
    lines = [_finding(finding) for finding in tally.wrong_expectations[:_MAX_FINDINGS]]
    if not tally.unmeasured_reason:
        riddles = tally.let_through[:_MAX_FINDINGS]
        lines += [f"- Missed: {escape_markdown(riddle.clause)}. {escape_markdown(riddle.riddle)}" for riddle in riddles]
    if lines:
        yield ""
        yield from lines


def _submission(attempt: Attempt) -> Iterator[str]:
    yield ""
    yield "## Submission"
    yield ""
    yield from (f"- {code_span(file.path)} {_size(len(file.content))}" for file in attempt.submission.files)
    if attempt.left_out:
        yield ""
        yield "Left out:"
        yield ""
        yield from (f"- {code_span(item.path)} {escape_markdown(item.reason)}" for item in attempt.left_out)
    if attempt.submission.notes:
        yield ""
        yield "Notes:"
        yield ""
        yield from (f"    {line}" for line in clean(attempt.submission.notes).split("\n"))


def _size(characters: int) -> str:
    return "1 character" if characters == 1 else f"{characters:,} characters"


def escape_markdown(text: str) -> str:
    """Put any text on one line, with Markdown's special characters escaped."""
    return _escape(" ".join(text.split("\n")).strip())


def escape_prose(text: str) -> str:
    """Escape a judge's sentences like ``escape_markdown``; text between backticks becomes code."""
    line = " ".join(text.split("\n")).strip()
    parts = _CODE_SPAN.split(line)
    # Every second part is a code span.
    return "".join(code_span(part[1:-1]) if index % 2 else _escape(part) for index, part in enumerate(parts) if part)


def _escape(line: str) -> str:
    line = _MARKUP_CHARACTER.sub(r"\\\1", clean_whole(line))
    line = _BLOCK_MARKER.sub(r"\1\\\2", line)
    # Renderers turn bare addresses into links; a word joiner prevents that.
    return _BARE_ADDRESS.sub(lambda match: "\u2060".join(part for part in match.groups() if part), line)


def code_span(text: str) -> str:
    """Format any text as code: fenced by more backticks than it contains in a row."""
    line = clean_whole(" ".join(text.split("\n")))
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {line} {fence}" if longest else f"`{line}`"
