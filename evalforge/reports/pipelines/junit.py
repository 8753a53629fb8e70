"""JUnit XML: a suite for each folder, a case for each criterion; one below its highest level is a failure.

The format has no field for a failure's location, so files and lines are in its text.
"""

from collections.abc import Iterator, Sequence

from evalforge.model.number_format import format_number
from evalforge.model.text import clean
from evalforge.reports.junit_document import JUnitCase, JUnitSuite, junit_document
from evalforge.reports.pipelines.judged_folder import JudgedFolder, Problem


def junit(folders: Sequence[JudgedFolder]) -> str:
    """Render all folders as one document."""
    suites = (JUnitSuite(clean(folder.name), clean(folder.name), list(_cases(folder))) for folder in folders)
    return junit_document("evalforge", suites)


def _cases(folder: JudgedFolder) -> Iterator[JUnitCase]:
    if folder.result is None:
        yield JUnitCase(clean(folder.boss_title), "error", "ungraded", "ungraded", clean(folder.reason))
        return
    for criterion in folder.result.criteria:
        label = clean(folder.rubric.labels.get(criterion.id, criterion.id))
        if criterion in folder.missed_criteria:
            points = f"{format_number(criterion.score)} of {format_number(criterion.max_score)}"
            text = "\n".join(_line(problem) for problem in folder.problems_of(criterion))
            yield JUnitCase(label, "failure", points, "level", clean(text))
        else:
            yield JUnitCase(label)


def _line(problem: Problem) -> str:
    return problem.message if problem.line is None else f"{problem.path}:{problem.line}: {problem.message}"
