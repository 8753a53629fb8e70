"""The forge judge's words: specific, from the pack's conditions and what was found, the same every time."""

from evalforge.evidence.rules import Earned, Failure, wants_less
from evalforge.judges.base import Case
from evalforge.model.evidence import LOAD_GROUP, Evidence, Finding, counts
from evalforge.model.numbers import exact

_FAILURES_TOLD = 3
_MOST_IMPROVEMENTS = 5
_FEWEST_IMPROVEMENTS = 2


def sentence(words: str) -> str:
    """Words as a sentence: trimmed, capitalised, with a full stop."""
    words = words.strip()
    if not words:
        return ""
    first = words.split(maxsplit=1)[0]
    is_name = "." in first.rstrip(".") or "_" in first or "/" in first  # a file or a function keeps its spelling
    return (words if is_name else words[0].upper() + words[1:]) + ("" if words[-1] in ".!?…" else ".")


def comment_on(level: Earned) -> str:
    """Why a criterion has its level and no more."""
    parts = [sentence(level.words or _plainly(level))]
    for failure in level.failures[:_FAILURES_TOLD]:
        parts.append(sentence(failure.otherwise))
        detail = _detail(failure)
        if detail:
            parts.append(sentence(detail))
    more = len(level.failures) - _FAILURES_TOLD
    if more > 0:
        parts.append(
            f"{more} more condition{'s' if more > 1 else ''} of the next level fail{'s' if more == 1 else ''}."
        )
    return " ".join(dict.fromkeys(part for part in parts if part))


def _plainly(level: Earned) -> str:
    return level.level.description if not level.failures else ""


def _detail(failure: Failure) -> str:
    """The first thing found behind a failed condition, with its place."""
    if not failure.findings:
        return ""
    finding = failure.findings[0]
    if finding.trial:
        told = finding.message.strip()
        words = f"Trial “{finding.trial}”" + (f": {told}" if told and told != finding.trial else " failed")
        return words if not finding.place or finding.place in words else f"{words.rstrip('.')} ({finding.place})"
    return f"{finding.place}: {finding.message}" if finding.place else finding.message


def summary(case: Case, levels: tuple[Earned, ...]) -> str:
    """Two to four sentences on strengths and weaknesses."""
    return " ".join(part for part in (_behaviour(case.evidence), _strength(levels), _weakness(levels)) if part)


def _behaviour(evidence: Evidence) -> str:
    passed, total = counts(evidence.trials)
    if not total:
        return "No trial could be run."
    if passed == total:
        return f"The code passes all {total} trials."
    trials = [trial for trial in evidence.trials if trial.group != LOAD_GROUP]
    hung = sum(trial.outcome.value in ("timed out", "not run") for trial in trials)
    tail = f", {hung} of them hung or could not be run" if hung else ""
    return f"The code passes {passed} of {total} trials{tail}."


def _share(level: Earned) -> float:
    top = exact(level.criterion.max_score)
    return float(exact(level.level.score) / top) if top else 1.0


def _strength(levels: tuple[Earned, ...]) -> str:
    best = max(levels, key=_share)
    if _share(best) == 0:
        return "No criterion has reached a level above the lowest yet."
    names = [level.criterion.label for level in levels if not level.failures]
    if len(names) == len(levels):
        return "Every criterion stands at its highest level."
    if names:
        return f"{_listed(names)} {'stands' if len(names) == 1 else 'stand'} at the highest level."
    return f"Strongest is {best.criterion.label} ({best.level.label})."


def _weakness(levels: tuple[Earned, ...]) -> str:
    open_ones = [level for level in levels if level.failures]
    if not open_ones:
        return ""
    worst = min(open_ones, key=_share)
    reason = _lower(_first(worst.failures[0].otherwise))
    return sentence(f"Most is to be gained in {worst.criterion.label} ({worst.level.label}): {reason}")


def _first(words: str) -> str:
    """The first sentence of several."""
    head, stop, _ = words.partition(". ")
    return head + stop.strip()


def _lower(words: str) -> str:
    """A sentence continued after a colon; acronyms and code keep their capitals."""
    return words[0].lower() + words[1:] if len(words) > 1 and words[1].islower() and words[0].isupper() else words


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def improvements(case: Case, levels: tuple[Earned, ...]) -> tuple[str, ...]:
    """Two to five suggestions by impact: most missing points first, weighted where the rubric weighs.

    Before all others comes what keeps Python from reading the code: nothing else can be tried until that is mended.
    """
    ranked = sorted(
        ((index, level, failure) for level in levels for index, failure in enumerate(level.failures)),
        key=lambda entry: (not _is_about_syntax(entry[2]), entry[0], -_gain(entry[1])),
    )
    told = [sentence(_with_place(failure)) for _, _, failure in ranked]
    unique = list(dict.fromkeys(told))[:_MOST_IMPROVEMENTS]
    if len(unique) < _FEWEST_IMPROVEMENTS:
        unique += [words for words in _polish(case.evidence) if words not in unique]
    return tuple(unique[: max(_FEWEST_IMPROVEMENTS, len(told))][:_MOST_IMPROVEMENTS])


def _is_about_syntax(failure: Failure) -> bool:
    # As an alternative "more than 0" stands in conditions that are silent where Python can't read the code.
    return any(check.fact == "code.syntax_errors" and wants_less(check.check) for check in failure.condition.checks)


def _gain(level: Earned) -> float:
    missing = 1 - _share(level)
    return missing * (level.criterion.weight if level.criterion.weight is not None else 1.0)


def _with_place(failure: Failure) -> str:
    place = next((finding.place for finding in failure.findings if finding.place), "")
    return failure.improve if place in failure.improve else _placed(failure.improve, place)


def _placed(words: str, place: str) -> str:
    return f"{words.rstrip('.')} ({place})" if place else words


def _polish(evidence: Evidence) -> list[str]:
    """What is left to better in code that has it all: measured first, then what no fact can show."""
    found: list[str] = []
    survivors = _findings(evidence, "tests.mutation_score")
    if survivors:
        found.append(sentence(f"Close a gap in the tests: {_placed(survivors[0].message, survivors[0].place)}"))
    longest = evidence.fact("code.longest_function")
    if longest and isinstance(longest.value, int | float) and longest.value > 25 and longest.findings:
        found.append(f"Split the longest function ({longest.findings[0].place}, {longest.value} lines).")
    for name, words in (
        ("code.docstring_share", "Say in a docstring what each public function promises"),
        ("code.typed_share", "Annotate the remaining parameters and results"),
    ):
        fact = evidence.fact(name)
        if fact and isinstance(fact.value, int | float) and fact.value < 1:
            place = fact.findings[0].place if fact.findings else ""
            found.append(sentence(_placed(words, place)))
    found.append("Run it on an input a hundred times larger and write down time and memory in the README.")
    found.append("Add one property test on random input beside the tests with fixed examples.")
    return found


def _findings(evidence: Evidence, name: str) -> tuple[Finding, ...]:
    fact = evidence.fact(name)
    return fact.findings if fact else ()
