"""The rubrics of the shipped bosses are worded so that two careful readers give the same level.

Readers agree as far as levels name what can be seen, each criterion asks one thing, and no two ask the same:
S. M. Brookhart, How to Create and Use Rubrics (ASCD, 2013), chapters 1 to 3.
"""

import re
from itertools import combinations, pairwise

import pytest

from evalforge.model.rubric import BossRubric, Criterion
from evalforge.packs.pack import load_pack
from tests.conftest import REPOSITORY

RUBRICS = [
    pytest.param(load_pack(path.parent).rubric, id=path.parent.name)
    for path in sorted(REPOSITORY.glob("bosses/*/boss.yaml"))
]
WORD = re.compile(r"[a-z][a-z'_-]*")
VAGUE = frozenset(
    "acceptable adequate adequately appropriate appropriately average bad badly best better clean cleanly decent "
    "effective effectively efficient elegant etc excellent exceptional fair fairly fine good great high ideal low "
    "mediocre moderate nice nicely okay outstanding perfect poor poorly proper properly pythonic quality quite "
    "readable reasonable reasonably robust satisfactory significant solid somehow somewhat strong suitable sufficient "
    "sufficiently superb terrible unsatisfactory very weak well well-structured well-written".split()
)
EMPTY = frozenset(
    "a all also an and any are as at be been but by can code could do does for from had has have if in into is it its "
    "level more most much no none not of on only or overall part program shows so solution some still student "
    "submission than that the their them there these they this to was way were which while with work works would "
    "few little mostly partly fully completely entirely".split()
)
SUBJECTS = {
    "behaviour": ("correct", "semantic", "behavio", "result", "accura"),
    "structure": ("structur", "design", "separation", "architect", "modular"),
    "errors": ("error", "robust", "exception", "resilien", "logging"),
    "tests": ("test", "verification", "coverage"),
    "documentation": ("docstring", "documentation", "docs", "readme", "comments"),
    "style": ("naming", "style", "formatting", "readab"),
    "speed": ("performance", "speed", "memory", "efficien"),
    "security": ("secur",),
}
SETTLES = re.compile(
    r"\b(both|(each|either) half|weak(er|est)|whichever|low(er|est) of|all of them|must hold|at least one of)\b",
    re.IGNORECASE,
)
# In "most public functions have docstrings" readers disagree on whether half of them is most.
AMOUNT = re.compile(r"\b(?:(?<!at )most|mostly|mainly|largely|nearly all|almost all)\b", re.IGNORECASE)
# For example "more than half", "40 %" or "four out of five".
FIGURE = re.compile(
    r"\d|\b(?:half|third|quarter|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)\b", re.IGNORECASE
)
# "every kind of bad call (no such file, a directory)" lists what it counts; so does a list after a colon.
NAMED_KINDS = re.compile(r"\bkinds?\b|[(:]", re.IGNORECASE)
BELONGS = re.compile(r"\bbelongs? to (?:the )?(\w+)", re.IGNORECASE)
# Words of a "Judge ..." sentence that aren't subjects of the contract.
NO_SUBJECT = frozenset(
    "about after alone also and answer answers any anything are ask asked bad because before behind belong belongs "
    "beside between both call called calls can code contract does each else ends error errors every fault faults "
    "file first for from good has have how its judge judged kind kinds last leaves level long made makes may method "
    "methods more names not nothing once one only open opening order other others own program refusal refusals "
    "refused result results right run runs same say says single some state states still store text than that the "
    "their them there they thing things this through time under until value values well what whatever when where "
    "whether which while who whole will with word words work written wrong".split()
)


def sentences(text: str) -> list[str]:
    return [sentence for sentence in re.split(r"(?<=[.!?])\s+", " ".join(text.split())) if sentence]


def anchors(text: str) -> frozenset[str]:
    """The words that have a definite meaning."""
    return frozenset(WORD.findall(text.lower())) - VAGUE - EMPTY


def text_of(criterion: Criterion) -> str:
    return " ".join([criterion.description, *(level.full_description for level in criterion.levels)])


def subjects(criterion: Criterion) -> frozenset[str]:
    """The subjects a criterion judges: the words of its sentences that begin with Judge."""
    judged = [sentence for sentence in sentences(criterion.description) if re.match(r"Judge\b", sentence)]
    return frozenset(word for sentence in judged for word in WORD.findall(sentence.lower()) if len(word) > 2)


def settles(criterion: Criterion, other: Criterion) -> bool:
    """Whether a criterion says what belongs to the other one."""
    text = text_of(criterion).lower()
    names = (other.label.lower(), other.id.replace("_", " "))
    return bool(BELONGS.search(text)) and any(name in text for name in names)


def are_alike(one: str, other: str) -> bool:
    first, second = anchors(one), anchors(other)
    return len(first & second) >= 0.8 * len(first | second) > 0


@pytest.mark.parametrize("rubric", RUBRICS)
def test_each_criterion_asks_one_thing(rubric: BossRubric) -> None:
    for criterion in rubric.criteria:
        words = WORD.findall(f"{criterion.label} {criterion.id}".lower().replace("_", " "))
        asked = [name for name, stems in SUBJECTS.items() if any(word.startswith(stems) for word in words)]
        assert SETTLES.search(criterion.description) or (len(asked) < 2 and criterion.description.count("?") < 3)


@pytest.mark.parametrize("rubric", RUBRICS)
def test_each_criterion_has_signals_for_it_and_against_it(rubric: BossRubric) -> None:
    for criterion in rubric.criteria:
        assert criterion.signals.strong_positive, criterion.id
        assert criterion.signals.strong_negative, criterion.id


@pytest.mark.parametrize("rubric", RUBRICS)
def test_levels_say_what_can_be_seen(rubric: BossRubric) -> None:
    for criterion in rubric.criteria:
        seen = [anchors(level.full_description) - anchors(criterion.label) for level in criterion.levels]
        assert min(map(len, seen)) >= 3, f"a level of {criterion.id} is vague"
        assert len(set(seen)) == len(seen), f"levels of {criterion.id} differ only in how good they sound"


@pytest.mark.parametrize("rubric", RUBRICS)
def test_no_two_criteria_ask_nearly_the_same(rubric: BossRubric) -> None:
    for one, other in combinations(rubric.criteria, 2):
        assert not are_alike(one.description, other.description), (one.id, other.id)
        levels = [" ".join(level.full_description for level in criterion.levels) for criterion in (one, other)]
        assert not are_alike(*levels), (one.id, other.id)


@pytest.mark.parametrize("rubric", RUBRICS)
def test_amounts_have_numbers_and_every_names_its_kinds(rubric: BossRubric) -> None:
    for criterion in rubric.criteria:
        for level in criterion.levels:
            for sentence in sentences(level.full_description):
                assert FIGURE.search(sentence) or not AMOUNT.search(sentence), sentence
                is_loose = re.search(r"\bevery\b", sentence, re.IGNORECASE) and not NAMED_KINDS.search(sentence)
                assert level.score == criterion.max_score or not is_loose, sentence


@pytest.mark.parametrize("rubric", RUBRICS)
def test_a_description_leaves_what_a_level_lacks_to_lacks(rubric: BossRubric) -> None:
    for criterion in rubric.criteria:
        for level in criterion.levels:
            assert not re.search(r"[.;] (?:But|Yet)\b", level.description), level.description


@pytest.mark.parametrize("rubric", RUBRICS)
def test_no_sentence_fits_two_adjacent_levels(rubric: BossRubric) -> None:
    for criterion in rubric.criteria:
        for lower, upper in pairwise(criterion.levels):
            one, other = (
                {tuple(WORD.findall(sentence.lower())) for sentence in sentences(level.full_description)}
                for level in (lower, upper)
            )
            assert [words for words in one & other if len(words) >= 4] == [], criterion.id


@pytest.mark.parametrize("rubric", RUBRICS)
def test_what_two_criteria_judge_belongs_to_one_of_them(rubric: BossRubric) -> None:
    for one, other in combinations(rubric.criteria, 2):
        shared = (subjects(one) & subjects(other)) - NO_SUBJECT
        assert not shared or settles(one, other) or settles(other, one), (one.id, other.id, shared)
    names = {
        word
        for criterion in rubric.criteria
        for word in WORD.findall(f"{criterion.label} {criterion.id.replace('_', ' ')}".lower())
    }
    owners = {owner.lower() for criterion in rubric.criteria for owner in BELONGS.findall(text_of(criterion))}
    assert owners <= names
