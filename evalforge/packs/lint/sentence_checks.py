"""Checks of the sentences in ``evidence.yaml``: each says what was found, and no more than was measured."""

import re
from collections.abc import Iterator

from evalforge.model.level_rules import PLACEHOLDERS, Condition, LevelRule, LevelRules, meets_check
from evalforge.packs.lint.issue import LintIssue
from evalforge.packs.lint.unchecked_pack import PackFile, UncheckedPack

_ALMOST_ALL = 0.999
_UNIVERSAL = re.compile(r"\b(all|always|any|each|every|exactly|never|no|none|nothing|whatever)\b", re.IGNORECASE)
# "All but two odd ones are refused" allows exceptions.
_QUALIFIED = re.compile(r"\b(all|every one|none) but\b|\b(nearly|almost) (all|every)\b", re.IGNORECASE)
# "Each rule is in one place" is too much: code.duplicate_blocks compares the steps of functions, not rules.
_ONE_PLACE = re.compile(r"\b(each|every) rule\b|\bin one place\b", re.IGNORECASE)
_RULE = re.compile(r"\b(must|has to|have to|needs? to|ought to)\b", re.IGNORECASE)
# "In a graph with a limit, ..." doesn't begin a list.
_CIRCUMSTANCE = re.compile(r"^(after|at|between|for|if|in|of|on|when|where|with|without)\b[^,]*, ", re.IGNORECASE)
# Doesn't match "{1, 2}", which isn't a placeholder and is printed as it is
_BRACES = re.compile(r"\{([a-z_]+)\}")
# For example "a sum, a count or an average is wrong"
_SUSPECTS = re.compile(r"^[^,]+, (?!or\b)[^,]+?,? or\b", re.IGNORECASE)


def check_sentences(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Check that praise claims no more than was measured, and that messages about faults are findings, not guesses."""
    rules = draft.rules
    if rules is None:
        return
    for criterion_id, steps in rules.value.root.items():
        for index, rule in enumerate(steps):
            location = (criterion_id, index)
            if message := _wide_praise(rule) or _unknown_placeholder(rule.earned):
                yield rules.issue((*location, "earned"), message)
            for at, condition in enumerate(rule.requires):
                for key, sentence in (("otherwise", condition.otherwise), ("improve", condition.improve)):
                    if message := _unknown_placeholder(sentence):
                        yield rules.issue((*location, "requires", at, key), message)
                yield from _finding_issues(rules, (*location, "requires", at, "otherwise"), condition)


def _wide_praise(rule: LevelRule) -> str:
    """Why the praise of a reached level claims more than was measured; empty if it doesn't."""
    claim = _UNIVERSAL.search(_QUALIFIED.sub("", rule.earned))
    loose = next((require for require in rule.requires if _lets_a_trial_fail(require)), None)
    is_about_trials = 2 * sum(require.is_behaviour for require in rule.requires) > len(rule.requires)
    if claim and loose and is_about_trials:
        return f"{claim[0]!r} claims more than is measured: {loose.fact} {loose.check} lets a trial fail"
    if _ONE_PLACE.search(rule.earned) and not any(require.is_behaviour for require in rule.requires):
        return "no fact measures rules: say what does hold, such as 'no block is repeated'"
    return ""


def _unknown_placeholder(sentence: str) -> str:
    """What is wrong with a word in braces that no value replaces; empty if there is none."""
    unknown = next((name for name in _BRACES.findall(sentence) if name not in PLACEHOLDERS), "")
    choices = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
    return f"nothing fills in {{{unknown}}}: write one of {choices}, or leave it out" if unknown else ""


def _lets_a_trial_fail(condition: Condition) -> bool:
    return condition.fact.startswith("trials.") and meets_check(condition.check, _ALMOST_ALL)


def _finding_issues(
    rules: PackFile[LevelRules], location: tuple[str | int, ...], condition: Condition
) -> Iterator[LintIssue]:
    if not condition.fact.startswith("trials."):
        return
    if rule := _RULE.search(condition.otherwise):
        yield rules.issue(location, f"{rule[0]!r} states the rule: say what was found, such as 'A float is accepted'")
    clause = re.split(r", but |[;:] ", condition.otherwise)[-1]
    if _SUSPECTS.search(_CIRCUMSTANCE.sub("", clause)):
        yield rules.issue(
            location,
            "this lists what may be wrong: say what the cases have in common; the judge adds the failing trials",
        )
