"""Checks of the exemplars: their gold is sound, and together they reach every level of the rubric."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from evalforge.model.exact_numbers import to_fraction, to_number
from evalforge.model.number_format import format_count
from evalforge.model.result import Verdict
from evalforge.model.rubric import BossRubric, Criterion
from evalforge.model.scoring import verdict_of
from evalforge.packs.gold import GOLD_FILE, Gold
from evalforge.packs.issue import Issue
from evalforge.packs.lint.trial_files import syntax_error
from evalforge.packs.lint.unchecked_pack import PackFile, UncheckedPack
from evalforge.packs.path_checks import folder_fault, is_file, is_folder

FLAWLESS = "flawless"


def check_exemplars(pack: UncheckedPack) -> Iterator[Issue]:
    """Check that each exemplar has complete gold with the right verdict, and that together they reach every level."""
    folder = pack.path / "exemplars"
    if is_folder(folder) and (fault := folder_fault(folder)):
        yield Issue(folder, None, f"the folder of exemplars {fault}")
        return
    if not pack.exemplars:
        yield Issue(folder, None, "there are no exemplars: submissions with known levels, which prove the judge")
        return
    for exemplar in pack.exemplars:
        yield from _files(exemplar, pack.golds.get(exemplar.name))
    if pack.rubric is None:
        return
    strangers = _strangers(pack.rubric.value, pack.golds)
    if strangers:
        speak, them = ("speaks", "it") if len(strangers) == 1 else ("speak", "them")
        exemplars = format_count(len(strangers), "exemplar")
        message = f"{exemplars} still {speak} of other criteria than the rubric's: delete {them}"
        yield Issue(folder, None, f"{message} ({', '.join(strangers)})")
    for name, gold in pack.golds.items():
        if name not in strangers:
            yield from _gold(pack.rubric.value, gold)
    yield from _flawless(pack)
    yield from _reached(pack, pack.rubric)


def _files(exemplar: Path, gold: PackFile[Gold] | None) -> Iterator[Issue]:
    if fault := folder_fault(exemplar):
        yield Issue(exemplar, None, f"this exemplar {fault}")
        return
    if not is_file(exemplar / GOLD_FILE):
        yield Issue(exemplar / GOLD_FILE, None, "this exemplar has no gold levels")
    files = sorted(path for path in exemplar.rglob("*.py") if "__pycache__" not in path.parts)
    if not files:
        yield Issue(exemplar, None, "this exemplar has no Python file")
    if gold is None or gold.value.verdict is Verdict.FAIL:
        # Code that Python can't read is allowed: it is a fine exemplar of failing.
        return
    for path in files:
        why, line = syntax_error(path)
        if why:
            yield Issue(path, line, f"{why}, yet its gold verdict isn't a fail")


def _strangers(rubric: BossRubric, golds: dict[str, PackFile[Gold]]) -> tuple[str, ...]:
    """The names of exemplars made for another rubric: their gold has none of its criteria."""
    ids = {criterion.id for criterion in rubric.criteria}
    return tuple(name for name, gold in golds.items() if gold.value.levels and ids.isdisjoint(gold.value.levels))


def _gold(rubric: BossRubric, gold: PackFile[Gold]) -> Iterator[Issue]:
    criteria = {criterion.id: criterion for criterion in rubric.criteria}
    yield from _unknown(criteria, gold)
    sound = True
    for criterion in rubric.criteria:
        score = gold.value.levels.get(criterion.id)
        if score is None:
            yield gold.issue(("levels",), f"{criterion.id} has no gold level")
        elif not _is_level(criterion, score):
            yield gold.issue(("levels", criterion.id), f"{criterion.id} has no level {score}")
        if score is None or not _is_level(criterion, score):
            sound = False
    if sound:
        yield from _verdict(rubric, gold)


def _unknown(criteria: dict[str, Criterion], gold: PackFile[Gold]) -> Iterator[Issue]:
    for key, names in (("levels", gold.value.levels), ("why", gold.value.why), ("settled", gold.value.settled)):
        for name in names:
            if name not in criteria:
                yield gold.issue((key, name), f"the rubric has no criterion {name!r}")


def _is_level(criterion: Criterion, score: float) -> bool:
    return any(to_fraction(level.score) == to_fraction(score) for level in criterion.levels)


def _verdict(rubric: BossRubric, gold: PackFile[Gold]) -> Iterator[Issue]:
    total = sum((to_fraction(score) for score in gold.value.levels.values()), Fraction(0))
    expected = verdict_of(total, to_fraction(rubric.max_score), to_fraction(rubric.overall.pass_threshold))
    if gold.value.verdict is not expected:
        yield gold.issue(
            ("verdict",),
            f"the levels add up to {to_number(total)}, which is {expected.value}, not {gold.value.verdict.value}",
        )


def _flawless(pack: UncheckedPack) -> Iterator[Issue]:
    gold = pack.golds.get(FLAWLESS)
    if not is_folder(pack.path / "exemplars" / FLAWLESS):
        yield Issue(pack.path / "exemplars", None, f"one exemplar must be called {FLAWLESS}: trials are proven on it")
    elif gold is not None and gold.value.verdict is not Verdict.STRONG_PASS:
        yield gold.issue(("verdict",), f"the exemplar called {FLAWLESS} must be a strong_pass")


def _reached(pack: UncheckedPack, rubric: PackFile[BossRubric]) -> Iterator[Issue]:
    if len(pack.golds) < len(pack.exemplars):
        return
    for index, criterion in enumerate(rubric.value.criteria):
        reached = {
            to_fraction(gold.value.levels[criterion.id])
            for gold in pack.golds.values()
            if criterion.id in gold.value.levels
        }
        for level in criterion.levels:
            if to_fraction(level.score) not in reached:
                location = ("criteria", index, "levels")
                yield rubric.issue(
                    location, f"no exemplar reaches level {level.score} ({level.label}) of {criterion.id}"
                )
