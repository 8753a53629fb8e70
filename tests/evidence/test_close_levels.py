"""Facts that lie between two adjacent levels: the criterion is marked close, and only one miss is conceded."""

import pytest

from evalforge.evidence.earned_levels import earned_level, measured_level
from evalforge.judges.forge import rescore
from evalforge.model.level_rules import LevelRules
from evalforge.packs.pack import load_pack
from tests import factories
from tests.conftest import REPOSITORY

CONDITIONS = {
    "code.functions": ">= 8",
    "code.max_complexity": "<= 15",
    "code.duplicate_blocks": "== 0",
    "code.docstring_share": ">= 0.6",
    "code.catch_alls": "== 0",
}
CLEAN = {
    "code__functions": 9,
    "code__max_complexity": 11,
    "code__duplicate_blocks": 0,
    "code__docstring_share": 0.9,
    "code__catch_alls": 0,
}


def rules(**conditions: str) -> LevelRules:
    requires = [{"fact": name, "check": check, "otherwise": f"{name} is off."} for name, check in conditions.items()]
    return LevelRules.model_validate({"c0": [{"level": 1, "earned": "All of it.", "requires": requires}]})


RULES = rules(**CONDITIONS)
(CRITERION,) = factories.rubric(1).criteria


def earned(**changed: float) -> tuple[float, str]:
    level = earned_level(CRITERION, RULES, factories.evidence(**{**CLEAN, **changed}))
    return level.level.score, level.close


def test_a_clear_level_is_not_close():
    assert earned() == (1, "")
    assert earned(code__duplicate_blocks=3) == (0, "")


def test_a_single_near_miss_does_not_decide_alone():
    score, close = earned(code__max_complexity=23)
    assert score == 1
    assert "code.max_complexity is off, but the other 4 conditions of the higher level are met." in close


def test_praise_is_not_given_for_what_was_conceded():
    level = earned_level(CRITERION, RULES, factories.evidence(**{**CLEAN, "code__max_complexity": 23}))
    assert level.words == "All but one of 5 conditions are met."


@pytest.mark.parametrize("complexity", [31, 60])
def test_beyond_the_zone_it_decides_alone(complexity: int):
    assert earned(code__max_complexity=complexity) == (0, "")


@pytest.mark.parametrize(
    "second", [{"code__docstring_share": 0.59}, {"code__duplicate_blocks": 1}, {"code__functions": 7}]
)
def test_a_near_miss_and_another_fault_decide_together(second: dict[str, float]):
    assert earned(code__max_complexity=16, **second)[0] == 0


def test_too_few_other_conditions_concede_nothing():
    few = rules(**{name: CONDITIONS[name] for name in ("code.max_complexity", "code.functions", "code.catch_alls")})
    evidence = factories.evidence(**{**CLEAN, "code__max_complexity": 16})
    assert earned_level(CRITERION, few, evidence).level.score == 0


@pytest.mark.parametrize(("fact", "value"), [("code__docstring_share", 0.57), ("code__functions", 7.5)])
def test_a_level_missed_by_a_hair_is_marked_and_not_given(fact: str, value: float):
    score, close = earned(**{fact: value})
    assert (score, close) == (0, "Just short of “level 1”: one condition is narrowly missed.")


def test_every_judge_may_give_what_was_conceded():
    evidence = factories.evidence(**{**CLEAN, "code__max_complexity": 23})
    assert measured_level(CRITERION, RULES, evidence)[0].score == 1


def test_no_shipped_boss_concedes_behaviour_or_tests():
    """Attack: a trial that almost passes, or tests that notice almost enough, are worth nothing more than before."""
    for boss in sorted(path.parent for path in REPOSITORY.glob("bosses/*/boss.yaml")):
        pack = load_pack(boss)
        for criterion in pack.rubric.criteria:
            for rule in pack.rules.of(criterion.id):
                names = {check.fact for condition in rule.requires for check in condition.checks}
                met = {name: 1.0 for name in names if name.startswith(("trials.", "tests."))}
                for name in met:
                    almost = factories.evidence(**{**_as_words(met), **_as_words({name: 0.99})})
                    level = earned_level(criterion, pack.rules, almost)
                    assert "the other" not in level.close, (boss.name, criterion.id, name)


def _as_words(facts: dict[str, float]) -> dict[str, float]:
    return {name.replace(".", "__"): value for name, value in facts.items()}


def test_the_mark_is_part_of_the_judgement():
    pack = load_pack(REPOSITORY / "bosses" / "forge-titan")
    facts = {check.fact for rule in pack.rules.of("build") for each in rule.requires for check in each.checks}
    values = dict.fromkeys(facts, 0.0) | {
        "code.functions": 40,
        "code.deciding_functions": 9,
        "code.docstring_share": 0.9,
    }
    values |= {name: 1.0 for name in facts if name.startswith("trials.")} | {"code.max_complexity": 22}
    evidence = factories.evidence(**_as_words(values))
    judged = rescore(pack, factories.submission(titan="1"), evidence)
    build = next(one for one in judged.judgements if one.criterion_id == "build")
    assert build.score == pack.rubric.criterion("build").max_score, build.comment
    assert build.close
    assert build.close in build.comment
