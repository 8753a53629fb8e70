"""Every format for pipelines, by its name on the command line."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import quote

from evalforge import __version__
from evalforge.model.hp import HpScale, life_cells
from evalforge.model.number_format import format_number, format_percent
from evalforge.model.result import Verdict, verdict_words
from evalforge.model.rubric import Criterion
from evalforge.model.text import clean
from evalforge.reports import svg
from evalforge.reports.junit_document import JUnitCase, JUnitSuite, junit_document
from evalforge.reports.markdown import code_span, escape_markdown, escape_prose
from evalforge.reports.pipelines.classroom import classroom
from evalforge.reports.pipelines.judged_folder import JudgedFolder, Problem

# The verdict on a judged folder in one line.


def verdict_line(folder: JudgedFolder) -> str:
    """Return a line such as ``lab: borderline, 4 of 8, pass at 6, integrity 50 %``."""
    result = folder.result
    if result is None:
        return f"{folder.name}: ungraded. {folder.reason}"
    return (
        f"{folder.name}: {verdict_words(result.verdict)}, "
        f"{format_number(result.score_total)} of {format_number(result.score_max)}, "
        f"pass at {format_number(folder.rubric.overall.pass_threshold)}, "
        f"integrity {format_percent(result.integrity)}"
    )


# Markdown for a job summary or a comment: verdict, HP bar, every criterion with its places, what to do next.

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
    life = HpScale.from_rubric(folder.rubric).life(result.score_total, passed=result.passed)
    cells = life_cells(life, _WIDTH)
    yield f"`{'█' * cells}{'─' * (_WIDTH - cells)}` HP {format_percent(life)}"
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


# SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/): each criterion is a rule, each reason a result.

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
"""The name that SARIF readers give the root of a checkout; paths are relative to it."""


def sarif(folders: Sequence[JudgedFolder]) -> str:
    """Convert all folders to one run."""
    criteria = {criterion.id: criterion for folder in folders for criterion in folder.rubric.criteria}
    indexes = {criterion_id: index for index, criterion_id in enumerate(criteria)}
    reasons = [f"{folder.name} could not be judged: {folder.reason}" for folder in folders if folder.result is None]
    run = {
        "tool": {
            "driver": {
                "name": "EvalForge",
                "semanticVersion": __version__,
                "rules": [_rule(criterion) for criterion in criteria.values()],
            }
        },
        "invocations": [
            {
                "executionSuccessful": not reasons,
                "toolExecutionNotifications": [{"level": "error", "message": _text(reason)} for reason in reasons],
            }
        ],
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(problem, indexes[problem.criterion_id]) for folder in folders for problem in folder.problems
        ],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(criterion: Criterion) -> dict[str, Any]:
    levels = "\n".join(f"{level.score:g}, {level.label}: {level.full_description}" for level in criterion.levels)
    return {
        "id": criterion.id,
        "name": "".join(part.capitalize() for part in criterion.id.split("_")),
        "shortDescription": _text(criterion.label),
        "fullDescription": _text(criterion.description or criterion.label),
        "help": _text(levels),
        "defaultConfiguration": {"level": "warning"},
    }


def _result(problem: Problem, rule_index: int) -> dict[str, Any]:
    region = {} if problem.line is None else {"region": {"startLine": problem.line}}
    return {
        "ruleId": problem.criterion_id,
        "ruleIndex": rule_index,
        "level": "error" if problem.is_severe else "warning",
        "message": _text(problem.message),
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(problem.path), **region}}],
    }


def _artifact(path: str) -> dict[str, str]:
    if path.startswith("/"):
        return {"uri": f"file://{quote(path)}"}
    return {"uri": quote(path), "uriBaseId": _ROOT}


def _text(text: str) -> dict[str, str]:
    return {"text": clean(text)}


# JUnit XML: a suite for each folder, a case for each criterion; one below its highest level is a failure.


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


# The HP bar as a small SVG for a README or a page: boss, bar, score and verdict.

_HEIGHT, _GAP, _BAR_WIDTH = 28, 10, 160
_FONT_SIZE = 13.0
_LETTER = svg.LETTER_WIDTH * _FONT_SIZE
_MAX_TITLE = 40
_GROUND, _INK, _LIFE, _DAMAGE, _ASH, _MARK = "#16110e", "#e0d6ca", "#ff8d42", "#ffc84d", "#65584e", "#fff6e0"
_VERDICTS = {
    Verdict.FAIL: "#f0625a",
    Verdict.BORDERLINE: "#ffc84d",
    Verdict.PASS: "#6cc2a1",
    Verdict.STRONG_PASS: "#6cc2a1",
}


def badge(folders: Sequence[JudgedFolder]) -> str:
    """Draw all folders, one bar below the other."""
    rows = [_Row(folder) for folder in folders]
    width = max((row.width for row in rows), default=_BAR_WIDTH)
    parts = [part for index, row in enumerate(rows) for part in row.parts(index * _HEIGHT)]
    height = _HEIGHT * max(1, len(rows))
    label = svg.xml_text("; ".join(row.words for row in rows), 400)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height}" viewBox="0 0 {width:g} {height}" '
        f'role="img" aria-label="{label}" font-family="{svg.FONT_FAMILY}">'
    )
    return "\n".join((head, svg.rect(0, 0, width, height, _GROUND, round_by=5), *parts, "</svg>\n"))


class _Row:
    """One bar with the text around it."""

    def __init__(self, folder: JudgedFolder) -> None:
        self._folder = folder
        result = folder.result
        self._title = svg.one_line(folder.boss_title, _MAX_TITLE)
        self._verdict = "ungraded"
        if result is not None:
            points = f"{format_number(result.score_total)}/{format_number(result.score_max)}"
            self._verdict = f"{points} {verdict_words(result.verdict)}"
        self._bar_left = 2 * _GAP + _LETTER * len(self._title)
        self._verdict_left = self._bar_left + _BAR_WIDTH + _GAP
        self.width = self._verdict_left + _LETTER * len(self._verdict) + _GAP
        damage = f", {format_percent(result.integrity)} struck off" if result else ""
        self.words = f"{self._title}: {self._verdict}{damage}"

    def parts(self, top: float) -> list[str]:
        """Draw the title, life or ash, damage, the pass mark, and the verdict."""
        result = self._folder.result
        baseline, bar_top, bar_height = top + _HEIGHT / 2 + _FONT_SIZE * 0.35, top + 8, _HEIGHT - 16
        share = result.integrity if result else 0.0
        left = _BAR_WIDTH * (1 - share)
        falls_at = 1 - self._folder.rubric.overall.pass_threshold / self._folder.rubric.max_score
        color = _VERDICTS[result.verdict] if result else _INK
        return [
            svg.text(_GAP, baseline, self._title, _FONT_SIZE, _INK),
            svg.rect(self._bar_left, bar_top, left, bar_height, _ASH if result and result.passed else _LIFE),
            svg.rect(self._bar_left + left, bar_top + 3, _BAR_WIDTH - left, bar_height - 6, _DAMAGE),
            svg.rect(self._bar_left + _BAR_WIDTH * falls_at - 0.75, bar_top - 2, 1.5, bar_height + 4, _MARK),
            svg.text(self._verdict_left, baseline, self._verdict, _FONT_SIZE, color, bold=True),
        ]


# GitHub workflow commands: an annotation at the line of each finding, and one for the verdict.


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


PIPELINE_FORMATS: dict[str, Callable[[Sequence[JudgedFolder]], str]] = {
    "junit": junit,
    "sarif": sarif,
    "github": annotations,
    "markdown": summary,
}
"""The functions that write each printable format."""

FILE_FORMATS = {**PIPELINE_FORMATS, "classroom": classroom, "badge": badge}
"""The functions that write each format to a file, including those that are never printed."""
