"""What makes trials fail is said first: the mistake if it is known, or what ended most of them."""

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from evalforge.evidence.trials.run_trials import trial_facts
from evalforge.judges.base import Case
from evalforge.judges.forge import forge_opinion
from evalforge.judges.improvements import follow_advice
from evalforge.model.evidence import Evidence, TrialOutcome, TrialResult
from evalforge.model.followed_advice import AdviceState
from evalforge.model.result import Opinion
from evalforge.packs.known_mistakes import FILE, signature_key, symptom_of
from evalforge.packs.pack import BossPack
from tests import factories
from tests.judges.conftest import make_pack

RULES = """
c0:
  - level: 1
    requires: [{fact: trials.plain, check: "== 1", otherwise: "Plain use fails", improve: "Mend plain use", why: "It hurts"}]
  - level: 2
    requires: [{fact: trials.edges, check: "== 1", otherwise: "An edge is off", improve: "Mind the edges"}]
c1:
  - level: 1
    requires: [{fact: trials.other, check: "== 1", otherwise: "The rest fails", improve: "Mend the rest"}]
  - level: 2
    requires: [{fact: code.longest_function, check: "<= 9", otherwise: "It is too long", improve: "Shorten it"}]
"""  # noqa: E501
GROUPS = {"plain": 5, "edges": 3, "other": 5}
LATE = {"plain 0": "expected 1; got 2", "other 0": "expected 3; got 4"}
EDGE = {"edges 0": "expected 5; got 6"}


def impostor(name: str, owner: str, fault: str) -> dict[str, object]:
    change = [{"file": "main.py", "old": "a", "new": "b"}]
    words = {"clause": "WORDS", "says": f"no {name}", "riddle": f"The riddle of {name}.", "fault": fault}
    return {"id": name, "of": "good", "owner": owner, "level": 0, "change": change, **words}


def results(said: Mapping[str, str], **more: object) -> tuple[TrialResult, ...]:
    """All trials; those fail that say something."""
    return tuple(
        factories.trial(group, TrialOutcome.FAILED, name, message=said[name], **more)
        if name in said
        else factories.trial(group, title=name)
        for group, count in GROUPS.items()
        for name in (f"{group} {number}" for number in range(count))
    )


@pytest.fixture
def pack(tmp_path: Path) -> BossPack:
    """A boss with two known mistakes: *late*, of its first criterion, and *edge*."""
    (tmp_path / "impostors").mkdir()
    listed = [impostor("late", "c0", "It answers late."), impostor("edge", "c0", "The edge is left out.")]
    content = {"right": [{"name": "good", "folder": "good", "design": "One."}], "impostors": listed}
    (tmp_path / "impostors" / "impostors.yaml").write_text(json.dumps(content), "utf-8")
    signatures = {
        name: {trial.title: symptom_of(trial) for trial in results(said) if not trial.passed}
        for name, said in (("late", LATE), ("edge", EDGE))
    }
    known = {"measured_with": signature_key(tmp_path), "signatures": signatures}
    (tmp_path / FILE).write_text(json.dumps(known), "utf-8")
    return make_pack(rules=RULES, path=tmp_path)


def evidence_of(trials: tuple[TrialResult, ...]) -> Evidence:
    return Evidence(facts=(*trial_facts(trials), factories.fact("code.longest_function", 3)), trials=trials)


def opinion_on(pack: BossPack, trials: tuple[TrialResult, ...]) -> Opinion:
    return forge_opinion(Case(pack, factories.submission(main="x"), evidence_of(trials)))


def test_the_fault_is_the_cause_and_the_contract_quoted_once(pack: BossPack) -> None:
    opinion = opinion_on(pack, results(LATE))
    own, other = (judgement.reason for judgement in opinion.judgements)
    assert own
    assert own.cause == "It answers late. The contract (WORDS): “no late”."
    assert own.why == "It hurts."
    assert own.advice == "Mend plain use."
    assert [mistake.ids for mistake in own.mistakes] == [("late",)]
    assert other
    assert other.cause == "It answers late (see Criterion 0)."
    assert opinion.improvements[0] == "Fix this: it answers late. The contract (WORDS): “no late” (+1 Criterion 0)."
    assert "Plain use fails" not in opinion.model_dump_json()


def test_what_no_mistake_explains_is_named_by_its_trials(pack: BossPack) -> None:
    opinion = opinion_on(pack, results({**LATE, "plain 1": "expected 7; got 8"}))
    reason = opinion.judgements[0].reason
    assert reason
    assert (reason.cause, reason.remarks) == (
        "It answers late. The contract (WORDS): “no late”.",
        ("Also broken: “plain 1”.",),
    )
    assert reason.count_words == "2 of 5 trials fail, 1 of them by this."
    assert "Mend plain use (+1 Criterion 0; needs 1 more fix)." in opinion.improvements


def test_a_mistake_that_is_not_shown_yet_is_in_the_notes(pack: BossPack) -> None:
    opinion = opinion_on(pack, results({**LATE, **EDGE}))
    assert opinion.raw_notes == "Also wrong: The edge is left out. The contract (WORDS): “no edge”."


def test_a_mistake_is_done_once_its_trials_pass(pack: BossPack) -> None:
    others = {"plain 1": "expected 7; got 8", "other 1": "expected 9; got 1"}
    before = evidence_of(results({**LATE, **others}))
    advice = forge_opinion(Case(pack, factories.submission(main="x"), before)).improvements
    after = evidence_of(results(others))
    followed = follow_advice(pack, advice[:1], before, after)
    assert [(each.state, each.remains) for each in followed] == [(AdviceState.NOT_ENOUGH, "Plain use fails.")]


def test_what_fails_otherwise_than_before_was_begun(pack: BossPack) -> None:
    before = evidence_of(results(LATE))
    advice = forge_opinion(Case(pack, factories.submission(main="x"), before)).improvements
    after = evidence_of(results({"plain 0": "expected 1; got None"}))
    (followed,) = follow_advice(pack, advice[:1], before, after)
    assert followed.state is AdviceState.BEGUN
    assert followed.remains == "“plain 0” still fails: expected 1; got None."
    (untouched,) = follow_advice(pack, advice[:1], before, before)
    assert untouched.state is AdviceState.NOT_DONE


def test_the_advice_of_a_trial_is_what_to_do_about_a_mistake(pack: BossPack) -> None:
    opinion = opinion_on(pack, results(LATE, advice="Answer at once."))
    assert opinion.improvements[0] == "Answer at once (+1 Criterion 0)."
    assert [judgement.reason and judgement.reason.advice for judgement in opinion.judgements] == ["Answer at once."] * 2


def test_all_that_may_be_wrong_gives_way_to_what_is(pack: BossPack) -> None:
    rules = RULES.replace('"Plain use fails"', '"It is late or wrong"')
    either = dataclasses.replace(pack, rules=make_pack(rules=rules).rules)
    said = {f"plain {number}": f"expected {number}; got 9" for number in range(3)}
    reasons = [
        opinion_on(either, results(dict(list(said.items())[:count]))).judgements[0].reason for count in (1, 2, 3)
    ]
    assert [reason and reason.cause for reason in reasons] == [
        "Broken rule: “plain 0”.",
        "Broken rules: “plain 0” and “plain 1”.",
        "It is late or wrong.",
    ]


@pytest.mark.parametrize(
    ("message", "outcome", "place", "cause", "advice"),
    [
        (
            "KeyError escaped at main.py:7, from main.get(1)", "failed", "main.py:7",
            "Not judged yet: KeyError at main.py:7.",
            "Fix the KeyError at main.py:7 first: 4 of 4 failed trials end there.",
        ),
        (
            "expected 1; got a traceback. It ended in SyntaxError at main.py:7.", "failed", "main.py:7",
            "Not judged yet: Python can't read main.py:7.", "Fix the syntax error at main.py:7.",
        ),
        (
            "NotImplementedError escaped at main.py:7", "failed", "main.py:7",
            "Not judged yet: what is at main.py:7 isn't written.",
            "Write what is at main.py:7: 4 of 4 failed trials end there in NotImplementedError.",
        ),
        (
            "timed out after 2.0 s at main.py:7", "timed out", "main.py:7",
            "Not judged yet: main.py:7 never ends, or takes too long.",
            "Fix main.py:7 first: 4 of 4 failed trials hang there.",
        ),
        (
            "main.get: AttributeError: 'Store' object has no attribute 'get'", "failed", "",
            "Not judged yet: there is no `get`.", "Write `get` first: 4 of 4 failed trials call that.",
        ),
        (
            "expected exit status 0; got exit status 2 and 'usage: main\\nmain: --day is required'.", "failed", "",
            "Not judged yet: it ends with exit status 2 and “main: --day is required”.",
            "Find out first why it ends with exit status 2 and “main: --day is required”: 4 of 4 failed trials end so.",
        ),
    ],
    ids=["exception", "syntax error", "not written", "hang", "missing name", "exit status"],
)  # fmt: skip
def test_what_ended_most_trials_comes_first_and_all_else_waits(
    pack: BossPack, message: str, outcome: str, place: str, cause: str, advice: str
) -> None:
    names = ["plain 0", "plain 1", "other 0", "other 1"]  # of thirteen trials
    path, _, line = place.partition(":")
    more = {"outcome": outcome, "path": path, "line": int(line) if line else None}
    trials = tuple(
        trial if trial.passed else trial.model_copy(update={**more, "outcome": TrialOutcome(outcome)})
        for trial in results(dict.fromkeys(names, message))
    )
    opinion = opinion_on(pack, trials)
    assert [judgement.reason and judgement.reason.cause for judgement in opinion.judgements] == [cause, cause]
    assert opinion.improvements[0] == advice
    assert "Most failed trials end before they check anything." in opinion.summary


def test_where_only_the_section_is_known_the_condition_names_it(pack: BossPack) -> None:
    path = pack.path / FILE
    known = json.loads(path.read_text("utf-8"))
    known["signatures"]["edge"] = known["signatures"]["late"]
    path.write_text(json.dumps(known), "utf-8")
    opinion = opinion_on(pack, results(LATE))
    assert opinion.judgements[0].comment.startswith("Plain use fails (contract: WORDS).")
    assert not any("Fix this" in improvement for improvement in opinion.improvements)


def test_a_few_that_end_alike_are_told_one_by_one(pack: BossPack) -> None:
    said = dict.fromkeys(("plain 0", "plain 1"), "KeyError escaped at main.py:7")
    reason = opinion_on(pack, results(said, path="main.py", line=7)).judgements[0].reason
    assert reason
    assert reason.cause == "Plain use fails."
