"""The forge judge: levels from facts, words from what was found, the same every time."""

import dataclasses
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from evalforge.evidence.earned_levels import earned_level, highest_allowed_level
from evalforge.evidence.trials.run_trials import trial_facts
from evalforge.judges.base import Case
from evalforge.judges.forge import ForgeJudge, forge_opinion
from evalforge.model.boss import BossCodex, BossDefinition
from evalforge.model.events import CriterionJudged, Judged
from evalforge.model.evidence import (
    LOAD_GROUP,
    Evidence,
    Fact,
    Finding,
    ImpostorFate,
    ImpostorResult,
    TrialOutcome,
    TrialResult,
)
from evalforge.model.level_rules import LevelRules
from evalforge.packs.pack import BossPack
from tests import factories
from tests.judges.conftest import make_pack

RULES = """
c0:
  - level: 1
    earned: "Plain input works."
    requires:
      - {fact: trials.happy, check: ">= 0.5", improve: "Mend plain input",
         otherwise: "Plain input fails in {passed} of {total}."}
  - level: 2
    requires:
      - {fact: trials.edges, check: "== 1", otherwise: "An edge is off: {first}", improve: "Mind the edges"}
      - {fact: code.longest_function, check: "<= 100", improve: "Make it shorter",
         otherwise: "It is too long ({value} lines)."}
c1:
  - level: 1
    requires:
      - any:
          - {fact: tests.count, check: ">= 1"}
          - {fact: code.docstring_share, check: ">= 0.5"}
        otherwise: "There are no tests."
  - level: 2
    requires:
      - {fact: tests.mutation_score, check: ">= 0.7", otherwise: "The tests notice {value} of the faults."}
"""


@pytest.fixture
def pack(tmp_path: Path) -> BossPack:
    return make_pack(rules=RULES, path=tmp_path)


def gathered(happy: list[bool], edges: list[bool], **facts: float | None) -> Evidence:
    trials = tuple(
        factories.trial(
            group,
            TrialOutcome.PASSED if held else TrialOutcome.FAILED,
            title=f"{group} {index}",
            message="" if held else "It came out wrong.",
            path="" if held else "main.py",
            line=None if held else 7,
        )
        for group, outcomes in (("happy", happy), ("edges", edges))
        for index, held in enumerate(outcomes)
    )
    more = factories.evidence(**facts)
    return Evidence(facts=(*trial_facts(trials), *more.facts), trials=trials)


def test_code_that_does_not_load_is_not_counted_as_hung_trials(pack: BossPack) -> None:
    evidence = gathered([False], [False])
    hung = [trial.model_copy(update={"outcome": TrialOutcome.TIMED_OUT}) for trial in evidence.trials]
    load = factories.trial(LOAD_GROUP, TrialOutcome.TIMED_OUT, title="The code loads")
    told = forge_opinion(case_of(pack, evidence.model_copy(update={"trials": (load, *hung)}))).summary
    assert told.startswith("0 of 2 trials pass; 2 hung")


def case_of(pack: BossPack, evidence: Evidence) -> Case:
    return Case(pack, factories.submission(main="x"), evidence)


@pytest.mark.parametrize(
    ("happy", "edges", "facts", "levels"),
    [
        ([True], [True], {"code__longest_function": 9, "tests__count": 2, "tests__mutation_score": 0.9}, [2, 2]),
        ([True], [True], {"code__longest_function": 900, "tests__count": 2, "tests__mutation_score": None}, [1, 1]),
        ([True, False], [False], {"code__docstring_share": 1.0}, [1, 1]),
        ([False, False, True], [True], {"code__longest_function": 9}, [0, 0]),
        ([], [], {}, [0, 0]),
    ],
)
async def test_levels_follow_the_rules(
    pack: BossPack, happy: list[bool], edges: list[bool], facts: dict[str, float], levels: list[int]
) -> None:
    events = [event async for event in ForgeJudge().judge(case_of(pack, gathered(happy, edges, **facts)))]
    assert [event.judgement.score for event in events if isinstance(event, CriterionJudged)] == levels
    end = events[-1]
    assert isinstance(end, Judged)
    assert end.result.score_total == sum(levels)


def test_a_level_needs_those_below_it(pack: BossPack) -> None:
    evidence = gathered([False], [True], code__longest_function=1)
    assert earned_level(pack.rubric.criterion("c0"), pack.rules, evidence).level.score == 0


def test_a_comment_names_the_trial_the_place_and_what_failed(pack: BossPack) -> None:
    judgement = forge_opinion(case_of(pack, gathered([True], [True, False], code__longest_function=5))).judgements[0]
    assert judgement.score == 1
    assert "An edge is off: It came out wrong." in judgement.comment
    assert "1 of 2 trials fails: “edges 1” (main.py:7)." in judgement.comment
    assert judgement.comment.endswith("What holds: plain input works.")
    assert judgement.next_level == "level 2: what 2 means"
    assert judgement.findings[0].place == "main.py:7"


def failed_trial(number: int, message: str, line: int | None = None) -> TrialResult:
    trial = factories.trial("edges", TrialOutcome.FAILED, title=f"Edge {number}.", message=message)
    return trial.model_copy(update={"path": "main.py" if line else "", "line": line})


@pytest.mark.parametrize(
    ("failing", "words"),
    [
        (
            [failed_trial(1, "ValueError escaped", 7), failed_trial(2, "ValueError escaped", 7)],
            "Both trials fail: “Edge 1” (main.py:7); 1 more fails the same way.",
        ),
        (
            [failed_trial(1, "expected 3; got 4"), failed_trial(2, "got 6"), failed_trial(3, "no file")],
            "All 3 trials fail: “Edge 1”. “Edge 2”: got 6. 1 more fails.",
        ),
    ],
)
def test_a_comment_counts_what_fails_and_groups_it_by_cause(
    pack: BossPack, failing: list[TrialResult], words: str
) -> None:
    trials = (factories.trial("happy"), *failing)
    evidence = Evidence(
        facts=(*trial_facts(trials), *factories.evidence(code__longest_function=5).facts), trials=trials
    )
    assert words in forge_opinion(case_of(pack, evidence)).judgements[0].comment


def test_the_advice_of_a_failed_trial_comes_before_its_group_s(pack: BossPack) -> None:
    failing = failed_trial(1, "got 3").model_copy(update={"advice": "Count from one"})
    trials = (factories.trial("happy"), failed_trial(2, "got 2"), failing)
    evidence = Evidence(
        facts=(*trial_facts(trials), *factories.evidence(code__longest_function=5).facts), trials=trials
    )
    assert "Count from one (+1 Criterion 0)." in forge_opinion(case_of(pack, evidence)).improvements


@given(
    st.lists(st.booleans(), max_size=6),
    st.lists(st.booleans(), max_size=6),
    st.one_of(st.none(), st.floats(0, 1)),
    st.integers(0, 200),
)
def test_every_opinion_keeps_the_contract_and_is_repeatable(
    happy: list[bool], edges: list[bool], mutation: float | None, lines: int
) -> None:
    pack = BossPack(
        path=Path(),
        definition=BossDefinition(boss_id="straw", title="Straw"),
        rubric=factories.rubric(2, 2, threshold=3),
        codex=BossCodex(boss_id="straw"),
        rules=LevelRules.model_validate(yaml.safe_load(RULES)),
    )
    case = case_of(pack, gathered(happy, edges, tests__mutation_score=mutation, code__longest_function=lines))
    opinion = forge_opinion(case)
    assert opinion == forge_opinion(case)
    assert 2 <= opinion.summary.count(". ") + 1 <= 4
    assert 2 <= len(opinion.improvements) <= 5
    assert len(set(opinion.improvements)) == len(opinion.improvements)
    assert all(judgement.comment for judgement in opinion.judgements)


def test_improvements_come_by_impact_first_conditions_first(pack: BossPack) -> None:
    opinion = forge_opinion(
        case_of(pack, gathered([False], [True], tests__count=1, tests__mutation_score=0.2, code__longest_function=5))
    )
    assert opinion.improvements[0].startswith("Mend plain input")
    assert "The tests notice 20 % of the faults (+1 Criterion 1)." in opinion.improvements[1]


def test_the_summary_starts_where_the_advice_does(pack: BossPack) -> None:
    evidence = gathered([True], [False], tests__count=1, tests__mutation_score=0.2, code__longest_function=200)
    opinion = forge_opinion(case_of(pack, evidence))
    assert [judgement.score for judgement in opinion.judgements] == [1, 1]
    # Of two criteria at the same level the second is advised first: it lacks one condition, the first lacks two.
    assert opinion.improvements[0].endswith("(+1 Criterion 1).")
    assert opinion.summary.endswith(" Start with Criterion 1 (level 1).")


@pytest.mark.parametrize(
    ("points", "strongest"), [((0, 1, 1), ""), ((1, 1, 0), ""), ((0, 1, 0), "Criterion 1 is your strongest criterion")]
)
def test_only_one_criterion_is_the_strongest(pack: BossPack, points: tuple[int, ...], strongest: str) -> None:
    rules = {
        f"c{number}": [
            {"level": level, "requires": [{"fact": f"code.of_{number}", "check": f">= {level}", "otherwise": "Less."}]}
            for level in (1, 2)
        ]
        for number in range(len(points))
    }
    tied_pack = dataclasses.replace(pack, rubric=factories.rubric(2, 2, 2), rules=LevelRules.model_validate(rules))
    evidence = factories.evidence(**{f"code__of_{number}": value for number, value in enumerate(points)})
    told = forge_opinion(case_of(tied_pack, evidence)).summary
    assert ("strongest" in told, strongest in told) == (bool(strongest), True)


@pytest.mark.parametrize(
    ("fate", "improvement"),
    [
        (
            ImpostorFate.LET_THROUGH,
            "Catch one more impostor (contract section NAMES). Its riddle: “It answers to any name.”",
        ),
        (
            ImpostorFate.UNMASKED,
            "Close a gap in the tests: `a < b` taken away, and no test caught it (main.py:3).",
        ),
    ],
)
def test_good_code_hears_of_the_first_gap_in_its_tests(pack: BossPack, fate: ImpostorFate, improvement: str) -> None:
    survivor = Finding(message="`a < b` taken away, and no test caught it.", path="main.py", line=3)
    score = Fact(name="tests.mutation_score", value=0.9, findings=(survivor,))
    evidence = gathered([True], [True], tests__count=1)
    impostor = ImpostorResult(id="any", owner="c1", clause="NAMES", riddle="It answers to any name.", fate=fate)
    evidence = evidence.model_copy(update={"facts": (*evidence.facts, score), "impostors": (impostor,)})
    assert improvement in forge_opinion(case_of(pack, evidence)).improvements


def test_tests_that_meet_no_impostor_hear_of_none(pack: BossPack) -> None:
    impostor = ImpostorResult(
        id="any", owner="c1", clause="NAMES", riddle="It has any name.", fate=ImpostorFate.LET_THROUGH
    )
    evidence = gathered([True], [True], tests__count=1, tests__unmasked=None)
    opinion = forge_opinion(case_of(pack, evidence.model_copy(update={"impostors": (impostor,)})))
    assert not any("Catch one more" in words for words in opinion.improvements)


def test_a_share_that_is_not_enough_never_reads_as_if_it_were(pack: BossPack) -> None:
    evidence = gathered([True], [True], tests__count=1, tests__mutation_score=16 / 23)
    assert "The tests notice 69 % of the faults." in forge_opinion(case_of(pack, evidence)).judgements[1].comment


@pytest.mark.parametrize(
    ("unmasked", "noticed", "words"),
    [
        (0.396, None, "Your tests catch 39 % of the impostors; aim for 40 %."),
        (0.2, 0.5, "Your tests catch 20 % of the impostors; aim for 40 %."),
        (None, 0.599, "Your tests catch 59 % of the small faults put into your own program; aim for 60 %."),
        (None, None, "Your tests catch an unmeasured share of the impostors; aim for 40 %."),
    ],
)
def test_a_share_is_said_of_what_was_measured(
    pack: BossPack, unmasked: float | None, noticed: float | None, words: str
) -> None:
    rules = yaml.safe_load(RULES)
    either = [{"fact": "tests.unmasked", "check": ">= 0.4"}, {"fact": "tests.noticed", "check": ">= 0.6"}]
    otherwise = "Your tests catch {share}; aim for {asked}."
    rules["c1"] = [{"level": 1, "requires": [{"any": either, "otherwise": otherwise}]}]
    asking = dataclasses.replace(pack, rules=LevelRules.model_validate(rules))
    case = case_of(asking, gathered([True], [True], tests__unmasked=unmasked, tests__noticed=noticed))
    assert forge_opinion(case).judgements[1].comment == words


OWN_FAULTS = "small faults put into your own program, each of which breaks the contract"


@pytest.mark.parametrize(
    ("share", "count", "words"),
    [
        ("unmasked", "impostors", "Your tests catch 13 of 52 impostors (25 %); aim for 8 more (40 %)."),
        ("noticed", "certified", f"Your tests catch 13 of 52 {OWN_FAULTS} (25 %); aim for 19 more (60 %)."),
    ],
)
def test_shares_are_said_with_their_numbers(pack: BossPack, share: str, count: str, words: str) -> None:
    rules = yaml.safe_load(RULES)
    either = [{"fact": "tests.unmasked", "check": ">= 0.4"}, {"fact": "tests.noticed", "check": ">= 0.6"}]
    otherwise = "Your tests catch {share}; aim for {asked}."
    rules["c1"] = [{"level": 1, "requires": [{"any": either, "otherwise": otherwise}]}]
    asking = dataclasses.replace(pack, rules=LevelRules.model_validate(rules))
    facts = {f"tests__{share}": 0.25, f"tests__{count}": 52}
    assert forge_opinion(case_of(asking, gathered([True], [True], **facts))).judgements[1].comment == words


def test_what_python_cannot_read_is_to_be_mended_first(pack: BossPack) -> None:
    rules = yaml.safe_load(RULES)
    rules["c1"][0]["requires"].append(
        {"fact": "code.syntax_errors", "check": "== 0", "otherwise": "No.", "improve": "Mend the syntax"}
    )
    spoilt = dataclasses.replace(pack, rules=LevelRules.model_validate(rules))
    evidence = gathered([False], [False], code__syntax_errors=1)
    assert forge_opinion(case_of(spoilt, evidence)).improvements[0].startswith("Mend the syntax")


def test_unreadable_code_is_not_mistaken_for_a_syntax_error(pack: BossPack) -> None:
    rules = yaml.safe_load(RULES)
    either = [{"fact": "code.syntax_errors", "check": "> 0"}, {"fact": "code.longest_function", "check": "> 100"}]
    rules["c1"][0]["requires"].append({"any": either, "otherwise": "No.", "improve": "Move it"})
    other = dataclasses.replace(pack, rules=LevelRules.model_validate(rules))
    evidence = gathered([False], [False], code__syntax_errors=0, code__longest_function=5)
    assert forge_opinion(case_of(other, evidence)).improvements[0].startswith("Mend plain input")


def test_only_behaviour_sets_a_ceiling(pack: BossPack) -> None:
    criterion = pack.rubric.criterion("c0")
    level, why = highest_allowed_level(criterion, pack.rules, gathered([True], [False], code__longest_function=999))
    assert (level.score, "An edge is off" in why) == (1, True)
    level, why = highest_allowed_level(criterion, pack.rules, gathered([True], [True], code__longest_function=999))
    assert (level.score, why) == (2, "")
    level, _ = highest_allowed_level(pack.rubric.criterion("c1"), pack.rules, gathered([False], [False]))
    assert level.score == 2


def test_run_tests_set_a_ceiling_and_unrunnable_ones_do_not(pack: BossPack) -> None:
    criterion = pack.rubric.criterion("c1")
    level, why = highest_allowed_level(
        criterion, pack.rules, gathered([True], [True], tests__count=3, tests__mutation_score=0.2)
    )
    assert (level.score, why) == (1, "The tests notice 20 % of the faults.")
    level, _ = highest_allowed_level(
        criterion, pack.rules, gathered([True], [True], tests__count=3, tests__mutation_score=None)
    )
    assert level.score == 2


ABOUT_TESTS = """
c0:
  - level: 1
    requires:
      - any:
          - {fact: tests.unmasked, check: ">= 0.4"}
          - {fact: tests.noticed, check: ">= 0.6", improve: "Test by the contract's names"}
        otherwise: "Your tests catch {share}; aim for {asked}."
        improve: "Ask which impostors got through"
      - any:
          - {fact: trials.happy, check: "== 1"}
          - {fact: tests.inner, check: "== 0"}
        otherwise: "These tests pass on wrong code."
"""


@pytest.mark.parametrize(
    ("unmasked", "advice"), [(0.2, "Ask which impostors got through"), (None, "Test by the contract's names")]
)
def test_the_advice_is_that_of_the_measured_alternative(pack: BossPack, unmasked: float | None, advice: str) -> None:
    rules = LevelRules.model_validate(yaml.safe_load(ABOUT_TESTS))
    evidence = gathered([True], [], tests__unmasked=unmasked, tests__noticed=0.1, tests__inner=1)
    improvements = forge_opinion(case_of(dataclasses.replace(pack, rules=rules), evidence)).improvements
    assert improvements[0].startswith(advice)


def test_what_tests_are_worth_lists_no_trial_of_the_program(pack: BossPack) -> None:
    rules = LevelRules.model_validate(yaml.safe_load(ABOUT_TESTS))
    evidence = gathered([False], [], tests__unmasked=0.9, tests__inner=1)
    comment = forge_opinion(case_of(dataclasses.replace(pack, rules=rules), evidence)).judgements[0].comment
    assert comment == "These tests pass on wrong code."


def test_a_group_that_mostly_fails_is_advised_before_its_trials(pack: BossPack) -> None:
    failing = [failed_trial(number, f"got {number}").model_copy(update={"advice": "Count"}) for number in range(3)]
    trials = (factories.trial("happy"), factories.trial("edges"), *failing)
    evidence = Evidence(
        facts=(*trial_facts(trials), *factories.evidence(code__longest_function=5).facts), trials=trials
    )
    assert "Mind the edges (+1 Criterion 0)." in forge_opinion(case_of(pack, evidence)).improvements


def test_a_trial_that_was_not_run_advises_time_alone(pack: BossPack) -> None:
    unrun = factories.trial("edges", TrialOutcome.NOT_RUN, title="Edge 1.")
    trials = (factories.trial("happy"), unrun)
    evidence = Evidence(
        facts=(*trial_facts(trials), *factories.evidence(code__longest_function=5).facts), trials=trials
    )
    improvements = forge_opinion(case_of(pack, evidence)).improvements
    assert any(words.startswith("First fix what hangs or is slow") for words in improvements)


def test_what_was_not_run_names_the_line_that_hung(pack: BossPack) -> None:
    hung = factories.trial("load", TrialOutcome.TIMED_OUT, path="main.py", line=2)
    trials = (hung, factories.trial("happy"), factories.trial("edges", TrialOutcome.NOT_RUN, title="Edge 1."))
    evidence = Evidence(
        facts=(*trial_facts(trials), *factories.evidence(code__longest_function=5).facts), trials=trials
    )
    improvements = forge_opinion(case_of(pack, evidence)).improvements
    assert any(words.startswith("First fix main.py:2, which never ends") for words in improvements), improvements
