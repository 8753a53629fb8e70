"""Markdown for a job summary or a comment: verdict, HP bar, every criterion with its places, what to do next."""

from collections.abc import Iterator, Sequence

from evalforge.model.hp_chunks import cell_of
from evalforge.model.number_format import format_number
from evalforge.reports.markdown import code_span, escape_markdown, escape_prose
from evalforge.reports.pipelines.judged_folder import JudgedFolder
from evalforge.reports.pipelines.verdict_line import verdict_line

_WIDTH = 40
_MAX_FINDINGS = 5


def summary(folders: Sequence[JudgedFolder]) -> str:
    """Render all folders, one section each."""
    return "\n".join(line for folder in folders for line in _section(folder))


def _section(folder: JudgedFolder) -> Iterator[str]:
    yield f"## {escape_markdown(folder.boss_title)}"
    yield ""
    yield f"**{escape_markdown(verdict_line(folder))}**"
    yield ""
    result = folder.result
    if result is None:
        return
    left = cell_of(1 - result.integrity, _WIDTH)
    yield f"`{('░' if result.passed else '█') * left}{'▂' * (_WIDTH - left)}`"
    yield ""
    for criterion in result.criteria:
        points = f"{format_number(criterion.score)} of {format_number(criterion.max_score)}"
        label = folder.rubric.labels.get(criterion.id, criterion.id)
        yield f"- **{escape_markdown(label)}**: {points}. {escape_prose(criterion.comment)}"
        located = [problem for problem in folder.problems_of(criterion) if problem.line is not None]
        for problem in located[:_MAX_FINDINGS] if criterion in folder.missed_criteria else ():
            yield f"  - {code_span(f'{problem.path}:{problem.line}')} {escape_prose(problem.message)}"
    if result.improvements:
        yield ""
        yield "Do next:"
        yield ""
        yield from (f"{number}. {escape_prose(advice)}" for number, advice in enumerate(result.improvements, start=1))
    yield ""
