"""The rubric's numbers: weights, threshold, and what the notes say about them."""

from collections.abc import Iterator
from fractions import Fraction

from evalforge.library.lint.draft import Draft, Part
from evalforge.library.lint.notes import Subject, claims
from evalforge.library.lint.remark import Remark
from evalforge.model.numbers import exact, plain
from evalforge.model.result import Verdict
from evalforge.model.rubric import BossRubric
from evalforge.model.scoring import verdict_of


def check_rubric(draft: Draft) -> Iterator[Remark]:
    """Weights add up to 1, every verdict can be given, and the notes tell the same numbers."""
    rubric = draft.rubric
    if rubric is None:
        return
    yield from _weights(rubric)
    yield from _threshold(rubric)
    yield from _notes(rubric)
    for index, criterion in enumerate(rubric.value.criteria):
        if len(criterion.levels) < 2:
            yield rubric.remark(
                ("criteria", index, "levels"), f"{criterion.id} has one level: there is nothing to choose"
            )


def _weights(rubric: Part[BossRubric]) -> Iterator[Remark]:
    criteria = rubric.value.criteria
    weights = [criterion.weight for criterion in criteria if criterion.weight is not None]
    if not weights:
        return
    for index, criterion in enumerate(criteria):
        if criterion.weight is None:
            yield rubric.remark(("criteria", index), f"{criterion.id} has no weight, while others have")
        elif criterion.weight == 0:
            yield rubric.remark(("criteria", index, "weight"), f"{criterion.id} weighs nothing")
    total = sum((exact(weight) for weight in weights), Fraction(0))
    if total != 1:
        yield rubric.remark(("criteria", 0, "weight"), f"the weights add up to {plain(total):g}, not to 1")


def _threshold(rubric: Part[BossRubric]) -> Iterator[Remark]:
    value = rubric.value
    threshold, top = exact(value.overall.pass_threshold), exact(value.max_score)
    place = ("overall", "pass_threshold")
    stated = value.overall.max_score
    if stated is not None and exact(stated) != top:
        yield rubric.remark(("overall", "max_score"), f"max_score is {stated}; the levels add up to {value.max_score}")
    lowest = sum((exact(criterion.min_score) for criterion in value.criteria), Fraction(0))
    if threshold <= lowest:
        yield rubric.remark(place, f"everyone passes: the lowest levels already add up to {plain(lowest)}")
        return
    given = {verdict_of(total, top, threshold) for total in totals(value)}
    for verdict in Verdict:
        if verdict not in given:
            yield rubric.remark(place, f"no sum of levels gives the verdict {verdict.value}", is_problem=False)


def totals(rubric: BossRubric) -> set[Fraction]:
    """Every sum that some choice of levels gives."""
    sums = {Fraction(0)}
    for criterion in rubric.criteria:
        sums = {total + exact(level.score) for total in sums for level in criterion.levels}
    return sums


def _notes(rubric: Part[BossRubric]) -> Iterator[Remark]:
    value = rubric.value
    threshold = exact(value.overall.pass_threshold)
    truth = {
        Subject.THRESHOLD: threshold,
        Subject.MAXIMUM: exact(value.max_score),
        Subject.HIGHEST_FAIL: max((total for total in totals(value) if total <= threshold / 2), default=Fraction(0)),
        Subject.CRITERIA: Fraction(len(value.criteria)),
    }
    for claim in claims(value.overall.notes):
        if claim.number != truth[claim.subject]:
            # Where in a folded text a claim stands is not known: the key's own line is near enough.
            told = f"the notes say {claim.words!r}, but {claim.subject.value} is {plain(truth[claim.subject]):g}"
            yield rubric.remark(("overall", "notes"), told)
