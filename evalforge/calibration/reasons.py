"""Whether comments name the causes that readers wrote down, and whether measurements contradict them.

A label states a cause as text with places, such as ``cache.py:76-78, only the oldest entry is looked at``. It may
state the cause's kind as words, one of which a comment has to use.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from evalforge.calibration.calibrate import CalibrationPlan, NotJudged, submissions_with_gold
from evalforge.evidence.conditions import met_check
from evalforge.fight import Forge
from evalforge.judges.base import Case
from evalforge.model.base import Frozen
from evalforge.model.evidence import Evidence, TrialResult, count_passed
from evalforge.model.exact_numbers import Score, to_fraction
from evalforge.model.fight_record import record_fight
from evalforge.model.level_rules import trial_groups
from evalforge.model.result import Judgement
from evalforge.model.submission import Submission
from evalforge.packs.gold import Gold, read_gold
from evalforge.packs.trial_key import PUBLIC_KEY
from evalforge.submissions.boss_submission import collect_for

_NEAR_LINES = 5
"""How many lines a comment may be off a declared place: a trial sees a fault where it surfaces."""
# cache.py:76-78 · limiter.py:77,90-94 and 120 · :84, in the file that was named before
_CODE_RANGE = re.compile(r"([\w./-]*\w\.py)?(?::(\d+(?:-\d+)?(?:(?:,| and |/)\d+(?:-\d+)?)*))?")
# 2 of 5 trials fail · All 3 trials fail · Both trials fail
_COUNT = re.compile(r"\b(?:(\d+) of (\d+)|All (\d+)|(Both)) trials? fails?\b")
_TITLE = re.compile(r"“([^”]+)”")
_UNIVERSAL = re.compile(r"\b(all|always|any|each|every|exactly|never|no|none|nothing|whatever)\b", re.IGNORECASE)
# "At least all but two odd ones are refused" allows for exceptions.
_QUALIFIED = re.compile(r"\b(all|every one|none) but\b|\b(nearly|almost) (all|every)\b", re.IGNORECASE)


class Naming(StrEnum):
    """Whether a comment names what a label states."""

    MATCHED = "named"
    MISSED = "missed"
    UNDECLARED = "undeclared"


class ReasonCheck(Frozen):
    """One comment compared with the readers' reasons.

    Attributes:
        cause: The readers' cause; empty if they took no points or wrote no cause.
        place: Whether a place in the comment or its findings is in or near a declared place.
        kind: Whether the comment uses a word of the declared kind.
        contradictions: Statements of the comment that trials or facts contradict.
    """

    boss_id: str
    submission: str
    criterion_id: str
    gold: Score
    judged: Score
    cause: str
    comment: str
    place: Naming
    kind: Naming
    contradictions: tuple[str, ...] = ()


class Reasons(Frozen):
    """All comments of a judge on submissions with readers' reasons."""

    checks: tuple[ReasonCheck, ...]
    not_judged: tuple[NotJudged, ...] = ()

    @property
    def with_cause(self) -> tuple[ReasonCheck, ...]:
        """The checks for which readers wrote down a cause."""
        return tuple(check for check in self.checks if check.cause)

    @property
    def contradicted(self) -> tuple[ReasonCheck, ...]:
        """The checks whose comment is contradicted by a measurement."""
        return tuple(check for check in self.checks if check.contradictions)


async def check_reasons(plan: CalibrationPlan, show_progress: Callable[[str], None]) -> Reasons:
    """Judge every submission with gold, and compare each comment with its readers' reasons.

    Args:
        plan: What to judge; nothing is saved.
        show_progress: Called with one line before each judging.

    Raises:
        UsageError: There is nothing to judge, or there is no such judge.
        PackError: Gold can't be read.
    """
    checks: list[ReasonCheck] = []
    not_judged: list[NotJudged] = []
    async with Forge(trial_key=PUBLIC_KEY) as forge:
        for pack, path in submissions_with_gold(plan):
            gold = read_gold(path)
            show_progress(f"{pack.boss_id}: {path.name}")
            record = await record_fight(forge.fight(pack, path, plan.options))
            if record.result is None:
                reason = record.ungraded_reason or "the judge gave no comment"
                not_judged.append(NotJudged(boss_id=pack.boss_id, exemplar=path.name, reason=reason))
            else:
                case = Case(pack, collect_for(pack, path), record.evidence)
                checks += [_check(case, path.name, gold, judgement) for judgement in record.judgements]
    return Reasons(checks=tuple(checks), not_judged=tuple(not_judged))


@dataclass(frozen=True)
class _CodeRange:
    """Lines of a file, both ends included; without lines, the whole file."""

    path: str
    first: int | None = None
    last: int | None = None

    def is_near(self, other: "_CodeRange") -> bool:
        """Whether another range of the same file overlaps this one, or is a few lines away."""
        if not _is_same_file(self.path, other.path):
            return False
        if self.first is None or self.last is None or other.first is None or other.last is None:
            return self.first is None
        return other.first <= self.last + _NEAR_LINES and other.last >= self.first - _NEAR_LINES


def _is_same_file(path: str, other: str) -> bool:
    """Whether two paths mean one file, although readers may omit its folder."""
    return path == other or path.endswith(f"/{other}") or other.endswith(f"/{path}")


def code_ranges(text: str) -> Iterator[_CodeRange]:
    """Yield the places named in a text: ``cache.py:13-19 and 28-34`` names two."""
    path = ""
    for match in _CODE_RANGE.finditer(text):
        path = match[1] or path
        if path and (match[1] or match[2]):
            yield from _ranges(path, match[2])


def _ranges(path: str, lines: str | None) -> Iterator[_CodeRange]:
    if lines is None:
        yield _CodeRange(path)
        return
    for part in re.split(r",| and |/", lines):
        first, _, last = part.partition("-")
        yield _CodeRange(path, int(first), int(last or first))


def _check(case: Case, name: str, gold: Gold, judgement: Judgement) -> ReasonCheck:
    criterion = case.pack.rubric.criterion(judgement.criterion_id)
    level = gold.levels.get(criterion.id, criterion.max_score)
    has_lost = to_fraction(level) < to_fraction(criterion.max_score)
    cause = gold.causes.get(criterion.id, "") if has_lost else ""
    return ReasonCheck(
        boss_id=case.pack.boss_id,
        submission=name,
        criterion_id=criterion.id,
        gold=level,
        judged=judgement.score,
        cause=cause,
        comment=judgement.comment,
        place=_place_naming(cause, judgement),
        kind=_kind_naming(gold.kinds.get(criterion.id, ()) if cause else (), judgement),
        contradictions=tuple(dict.fromkeys(contradictions(case, judgement))),
    )


def _place_naming(cause: str, judgement: Judgement) -> Naming:
    declared = list(code_ranges(cause))
    if not declared:
        return Naming.UNDECLARED
    ranges = [_CodeRange(finding.path, finding.line, finding.line) for finding in judgement.findings if finding.path]
    ranges += code_ranges(judgement.comment)
    return (
        Naming.MATCHED
        if any(declared_range.is_near(code_range) for declared_range in declared for code_range in ranges)
        else Naming.MISSED
    )


def _kind_naming(words: tuple[str, ...], judgement: Judgement) -> Naming:
    if not words:
        return Naming.UNDECLARED
    text = judgement.comment.casefold()
    is_named = any(re.search(rf"(?<!\w){re.escape(word.casefold())}", text) for word in words)
    return Naming.MATCHED if is_named else Naming.MISSED


def contradictions(case: Case, judgement: Judgement) -> Iterator[str]:
    """Yield statements of a comment that the evidence contradicts: counts, trial titles, places, unqualified praise."""
    yield from _wrong_counts(judgement.comment, case.evidence)
    yield from _passed_titles(judgement.comment, case.evidence)
    yield from _missing_places(judgement.comment, case.submission)
    yield from _denied_praise(case, judgement)


def _wrong_counts(comment: str, evidence: Evidence) -> Iterator[str]:
    groups = {"all", *(trial.group for trial in evidence.trials)}
    counts = {count_passed(evidence.trials, group) for group in groups}
    for match in _COUNT.finditer(comment):
        failed = int(match[1] or match[3] or 2)
        total = int(match[2] or failed)
        if (total - failed, total) not in counts:
            yield f"“{match[0]}”: no group of trials has these counts"


def _passed_titles(comment: str, evidence: Evidence) -> Iterator[str]:
    outcomes: dict[str, set[bool]] = {}
    for trial in evidence.trials:
        outcomes.setdefault(trial.title.rstrip("."), set()).add(trial.passed)
    for title in _TITLE.findall(comment):
        if outcomes.get(title.rstrip(".")) == {True}:
            yield f"“{title}” is said to fail, and passes"


def _missing_places(comment: str, submission: Submission) -> Iterator[str]:
    for code_range in code_ranges(comment):
        files = [file for file in submission.files if _is_same_file(file.path, code_range.path)]
        if code_range.last and files and all(len(file.content.splitlines()) < code_range.last for file in files):
            yield f"{code_range.path}:{code_range.last} is beyond the end of the file"


def _denied_praise(case: Case, judgement: Judgement) -> Iterator[str]:
    """Yield unqualified praise for a reached level one of whose trials fails."""
    rule = next((rule for rule in case.pack.rules.of(judgement.criterion_id) if rule.level == judgement.score), None)
    praise = rule.earned.strip().rstrip(".") if rule else ""
    if (
        rule is None
        or not _UNIVERSAL.search(_QUALIFIED.sub("", praise))
        or praise.casefold() not in judgement.comment.casefold()
    ):
        return
    # Only the alternative that is met counts: a trial may fail where another fact shows the same.
    checks = (met_check(condition, case.charged_evidence) for condition in rule.requires)
    groups = trial_groups(check for check in checks if check)
    trials = [trial for trial in case.evidence.trials if trial.group in groups and not trial.passed]
    failed: list[TrialResult] = [trial for trial in trials if not trial.blamed_on]
    if failed:
        yield f"“{praise}”, though “{failed[0].title}” fails"
