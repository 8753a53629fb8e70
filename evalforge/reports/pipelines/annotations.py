"""GitHub workflow commands: an annotation at the line of each finding, and one for the verdict.

See https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands.
"""

from collections.abc import Iterator, Sequence

from evalforge.model.text import clean
from evalforge.reports.pipelines.judged_folder import JudgedFolder, Problem
from evalforge.reports.pipelines.verdict_line import verdict_line


def annotations(folders: Sequence[JudgedFolder]) -> str:
    """Format all folders as lines of commands."""
    return "".join(f"{line}\n" for folder in folders for line in _commands(folder))


def _commands(folder: JudgedFolder) -> Iterator[str]:
    labels = folder.rubric.labels
    for problem in folder.problems:
        yield _command("error" if problem.is_severe else "warning", problem, labels[problem.criterion_id])
    kind = "notice" if folder.result and folder.result.passed else "error"
    yield f"::{kind} title={_property(folder.boss_title)}::{_data(verdict_line(folder))}"


def _command(kind: str, problem: Problem, title: str) -> str:
    place = f"file={_property(problem.path)}" + (f",line={problem.line}" if problem.line else "")
    return f"::{kind} {place},title={_property(title)}::{_data(problem.message)}"


def _data(text: str) -> str:
    """Encode a message for the runner: percent signs and line ends."""
    return clean(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Encode a property, which a colon or a comma would otherwise end."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
