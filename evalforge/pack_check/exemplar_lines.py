"""Lines on exemplars before they are run: exemplars with the same problem share one."""

from collections.abc import Iterator
from pathlib import Path

from evalforge.model.number_format import format_count
from evalforge.pack_check.report import CheckIssue, ExemplarLine
from evalforge.packs.lint.unchecked_pack import UncheckedPack


def exemplar_lines(draft: UncheckedPack, problems: tuple[CheckIssue, ...]) -> Iterator[ExemplarLine]:
    """One line per exemplar with problems in its text; all exemplars made for another rubric share a line.

    Args:
        draft: The pack.
        problems: The problems in its text.
    """
    strangers = _strangers(draft)
    if strangers:
        yield ExemplarLine(names=strangers, summary=strangers_message(draft), is_fine=False)
    for exemplar in draft.exemplars:
        own = [problem for problem in problems if _is_in(problem, exemplar)]
        if own and exemplar.name not in strangers:
            more = f", and {format_count(len(own) - 1, 'more problem')}" if len(own) > 1 else ""
            summary = f"{Path(own[0].place).name}: {own[0].message}{more}"
            yield ExemplarLine(names=(exemplar.name,), summary=summary, is_fine=False)


def gather_strangers(draft: UncheckedPack, problems: tuple[CheckIssue, ...]) -> tuple[CheckIssue, ...]:
    """Replace the problems of all exemplars made for another rubric with a single one."""
    strangers = _strangers(draft)
    folders = [exemplar for exemplar in draft.exemplars if exemplar.name in strangers]
    if not folders:
        return problems
    kept_problems = [problem for problem in problems if not any(_is_in(problem, folder) for folder in folders)]
    first = next((i for i, issue in enumerate(kept_problems) if issue.file.startswith("exemplars")), len(kept_problems))
    names = ", ".join(strangers)
    issue = CheckIssue(file="exemplars", message=f"{strangers_message(draft)} ({names})")
    return (*kept_problems[:first], issue, *kept_problems[first:])


def strangers_message(draft: UncheckedPack) -> str:
    """The message on exemplars whose gold names no criterion of the rubric."""
    strangers = _strangers(draft)
    verb = "speaks" if len(strangers) == 1 else "speak"
    them = "it" if len(strangers) == 1 else "them"
    return f"{format_count(len(strangers), 'exemplar')} still {verb} of other criteria than the rubric's: delete {them}"


def _strangers(draft: UncheckedPack) -> tuple[str, ...]:
    """The names of exemplars whose gold has no criterion of the rubric."""
    if draft.rubric is None:
        return ()
    ids = {criterion.id for criterion in draft.rubric.value.criteria}
    return tuple(name for name, gold in draft.golds.items() if gold.value.levels and ids.isdisjoint(gold.value.levels))


def _is_in(issue: CheckIssue, exemplar: Path) -> bool:
    return f"{issue.file}/".startswith(f"exemplars/{exemplar.name}/")
