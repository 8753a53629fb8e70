"""Checks for gaps in a rubric's words: submissions that fit no level or two, and faults that two criteria claim.

Careful readers agree on a level only if the words decide. The words alone show an amount without a number, a kind that
isn't named, a sentence in two adjacent levels, and a subject that two criteria judge.
"""

import re
from collections.abc import Iterator
from itertools import combinations, pairwise

from evalforge.model.rubric import BossRubric, Criterion, Level
from evalforge.packs.lint.issue import LintIssue
from evalforge.packs.lint.unchecked_pack import PackFile, UncheckedPack

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_WORD = re.compile(r"[a-z_]+")
_FEWEST_WORDS_OF_A_SENTENCE = 4
# In "most public functions have docstrings" readers disagree on whether half of them is most.
_AMOUNT = re.compile(r"\b(?:(?<!at )most|mostly|mainly|largely|nearly all|almost all)\b", re.IGNORECASE)
# For example "more than half", "40 %" or "four out of five".
_NUMBER = re.compile(
    r"\d|\b(?:half|third|quarter|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)\b", re.IGNORECASE
)
_EVERY = re.compile(r"\bevery\b", re.IGNORECASE)
# "every kind of bad call (no such file, a directory)" lists what it counts; so does a list after a colon.
_NAMED_KINDS = re.compile(r"\bkinds?\b|[(:]", re.IGNORECASE)
# "It prints a sum. But negative numbers are lost" mixes what to reach next with what a level lacks.
_CONTRAST = re.compile(r"[.;] (?:But|Yet)\b", re.IGNORECASE)
_BELONGS = re.compile(r"\bbelongs? to (?:the )?(\w+)", re.IGNORECASE)
_JUDGE = re.compile(r"\bJudge\b")
# Words of a "Judge ..." sentence that aren't subjects of the contract.
_NO_SUBJECT = frozenset(
    "about after alone also and answer answers any anything are ask asked bad because before behind belong belongs "
    "beside between both call called calls can code contract does each else ends error errors every fault faults "
    "file first for from good has have how its judge judged kind kinds last leaves level long made makes may method "
    "methods more names not nothing once one only open opening order other others own program refusal refusals "
    "refused result results right run runs same say says single some state states still store text than that the "
    "their them there they thing things this through time under until value values well what whatever when where "
    "whether which while who whole will with word words work written wrong".split()
)


def check_rubric_gaps(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Check that amounts have numbers, no sentence fits two levels, and no subject belongs to two criteria."""
    rubric = draft.rubric
    if rubric is None:
        return
    for index, criterion in enumerate(rubric.value.criteria):
        for level in criterion.levels:
            for message in _loose_words(criterion, level):
                yield rubric.issue(("criteria", index, "levels"), message, is_problem=False)
        for message in _shared_sentences(criterion):
            yield rubric.issue(("criteria", index, "levels"), message, is_problem=False)
    yield from _claimed_twice(rubric)
    yield from _unknown_owners(rubric)


def _loose_words(criterion: Criterion, level: Level) -> Iterator[str]:
    if _CONTRAST.search(level.description):
        yield (
            f"level {level.score} of {criterion.id} says in its description what it lacks, and players read that as "
            "what to reach next: move it to lacks"
        )
    for sentence in _sentences(level.full_description):
        amount = _AMOUNT.search(sentence)
        if amount and not _NUMBER.search(sentence):
            yield (
                f"level {level.score} of {criterion.id} says {amount[0]!r} without a number: say how many of what, "
                "such as 'more than half of the kinds of bad calls'"
            )
        is_top = level.score == criterion.max_score
        if not is_top and _EVERY.search(sentence) and not _NAMED_KINDS.search(sentence):
            yield (
                f"level {level.score} of {criterion.id} says 'every': one rare case weighs as much as all of them; say "
                "which kinds"
            )


def _shared_sentences(criterion: Criterion) -> Iterator[str]:
    """Yield sentences that two adjacent levels share: whatever fits one fits the other."""
    for lower, upper in pairwise(criterion.levels):
        in_both = {_plain(sentence): sentence for sentence in _sentences(lower.full_description)}
        for sentence in _sentences(upper.full_description):
            plain_sentence = _plain(sentence)
            if plain_sentence in in_both and len(plain_sentence.split()) >= _FEWEST_WORDS_OF_A_SENTENCE:
                yield (
                    f"levels {lower.score} and {upper.score} of {criterion.id} both say {sentence!r}: "
                    "leave it in one, or what fits one fits the other"
                )


def _claimed_twice(rubric: PackFile[BossRubric]) -> Iterator[LintIssue]:
    """Yield subjects that two criteria say they judge, if neither says to which a fault belongs."""
    criteria = rubric.value.criteria
    for (_, first), (index, second) in combinations(enumerate(criteria), 2):
        shared = _subjects(first) & _subjects(second)
        if shared and not _settles(first, second) and not _settles(second, first):
            subjects = ", ".join(sorted(shared))
            message = (
                f"{second.id} and {first.id} both judge {subjects}: say in one of them what belongs to the other, "
                f"such as '... belongs to {first.label.lower()}'"
            )
            yield rubric.issue(("criteria", index, "description"), message, is_problem=False)


def _unknown_owners(rubric: PackFile[BossRubric]) -> Iterator[LintIssue]:
    """Yield faults that are said to belong to a criterion that the rubric doesn't have."""
    criteria = rubric.value.criteria
    rubric_words = {
        word
        for criterion in criteria
        for word in _WORD.findall(f"{criterion.label} {criterion.id.replace('_', ' ')}".lower())
    }
    for index, criterion in enumerate(criteria):
        for owner in _BELONGS.findall(_text(criterion)):
            if owner.lower() not in rubric_words:
                message = f"{criterion.id}: something 'belongs to {owner}', but no criterion is called that"
                yield rubric.issue(("criteria", index), message, is_problem=False)


def _subjects(criterion: Criterion) -> frozenset[str]:
    """The subjects a criterion judges: the words of its sentences that begin with Judge."""
    judged = [sentence for sentence in _sentences(criterion.description) if _JUDGE.match(sentence)]
    words = {word for sentence in judged for word in _WORD.findall(sentence.lower()) if len(word) > 2}
    return frozenset(words - _NO_SUBJECT)


def _settles(criterion: Criterion, other: Criterion) -> bool:
    """Whether a criterion says what belongs to the other one."""
    text = _text(criterion).lower()
    names = (other.label.lower(), other.id.replace("_", " "))
    return bool(_BELONGS.search(text)) and any(name in text for name in names)


def _text(criterion: Criterion) -> str:
    return " ".join([criterion.description, *(level.full_description for level in criterion.levels)])


def _sentences(text: str) -> list[str]:
    return [sentence for sentence in _SENTENCE_END.split(" ".join(text.split())) if sentence]


def _plain(sentence: str) -> str:
    return " ".join(_WORD.findall(sentence.lower()))
