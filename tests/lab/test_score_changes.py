"""What moves is told with what moved it; scoring again is judging."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from evalforge.judges.base import Case
from evalforge.judges.forge import ForgeJudge, rescore
from evalforge.lab.score_changes import PackRevision, ScoreChange
from evalforge.model.boss import BossCodex, BossDefinition
from evalforge.model.events import Judged
from evalforge.model.evidence import Evidence
from evalforge.model.level_rules import LevelRules
from evalforge.model.rubric import BossRubric
from evalforge.model.submission import Submission, SubmissionFile
from evalforge.packs.pack import BossPack
from tests.examples import at_most
from tests.factories import evidence, trial
from tests.lab.conftest import EVIDENCE, RUBRIC

MINE = Submission(files=(SubmissionFile(path="main.py", content="x = 1\n"),))


def pack(rubric: str = RUBRIC, rules: str = EVIDENCE) -> BossPack:
    """A pack out of two texts."""
    return BossPack(
        Path("nowhere"),
        BossDefinition(boss_id="golem", title="Golem"),
        BossRubric.model_validate(yaml.safe_load(rubric)),
        BossCodex(boss_id="golem"),
        LevelRules.model_validate(yaml.safe_load(rules)),
    )


def move(before: BossPack, after: BossPack, facts: Evidence) -> ScoreChange:
    results = [rescore(one, MINE, facts).result for one in (before, after)]
    return PackRevision(before, after).score_change(results[0], results[1], facts)


SOLID = evidence(trials__all=1.0, trials__edges=0.7, code__longest_function=30, code__deciding_functions=0)
"""Levels 1 and 1 by the texts as they are: borderline."""


@pytest.mark.parametrize(
    ("part", "old", "new", "levels", "causes"),
    [
        ("rubric", "pass_threshold: 3", "pass_threshold: 2", {}, ["pass at: 3 → 2"]),
        (
            "evidence", '">= 0.8"', '">= 0.7"', {"works": ("partly", "whole")},
            ["trials.edges for 'whole': >= 0.8 → >= 0.7"],
        ),
        (
            "evidence", '      - {fact: trials.edges, check: ">= 0.8", otherwise: Edges are off.}\n', "",
            {"works": ("partly", "whole")}, ["asked for 'whole': gone, was trials.edges >= 0.8"],
        ),
        (
            "evidence", '"<= 40"', '"<= 20"', {"shape": ("parts", "lump")},
            ["code.longest_function for 'parts': <= 40 → <= 20"],
        ),
        (
            "rubric", "{score: 1, label: parts,", "{score: 1.5, label: parts,", {"shape": ("parts", "parts")},
            [],
        ),
    ],
)  # fmt: skip
def test_every_move_names_its_cause(part: str, old: str, new: str, levels: dict[str, Any], causes: list[str]) -> None:
    texts = {"rubric": RUBRIC, "evidence": EVIDENCE}
    assert old in texts[part]
    texts[part] = texts[part].replace(old, new)
    if "1.5" in new:
        shape = texts["evidence"].index("shape:")
        texts["evidence"] = texts["evidence"][:shape] + texts["evidence"][shape:].replace("level: 1", "level: 1.5")
    found = move(pack(), pack(texts["rubric"], texts["evidence"]), SOLID)
    told = {one.criterion_id: (one.before.label, one.after.label) for one in found.levels if one.before and one.after}
    assert told == levels
    assert [cause.summary for cause in found.causes] == (causes if found.verdict_changed else [])
    assert all(one.causes for one in found.levels)


def test_only_a_new_condition_that_fails_causes_a_fall() -> None:
    barring = EVIDENCE.replace(
        "shape:\n  - level: 1\n    requires:\n",
        "shape:\n  - level: 1\n    requires:\n"
        '      - {fact: code.composed_prints, check: "== 0", otherwise: It prints.}\n'
        '      - {fact: code.functions, check: "<= 400", otherwise: It is long.}\n',
    )
    facts = evidence(
        trials__all=1.0, trials__edges=1.0, code__longest_function=3, code__composed_prints=2, code__functions=9
    )
    found = move(pack(), pack(rules=barring), facts)
    (fall,) = found.levels
    assert [cause.summary for cause in fall.causes] == ["asked for 'parts': new, code.composed_prints == 0"]
    assert fall.points == -1


def test_a_condition_moved_to_another_level_is_told_as_moved() -> None:
    condition = '      - {fact: trials.edges, check: ">= 0.8", otherwise: Edges are off.}\n'
    first = "works:\n  - level: 1\n    requires:\n"
    eased = EVIDENCE.replace(condition, "").replace(first, first + condition)
    (fall,) = move(pack(), pack(rules=eased), SOLID).levels
    assert [cause.summary for cause in fall.causes] == [
        "asked: trials.edges >= 0.8 for 'whole' → trials.edges >= 0.8 for 'partly'"
    ]


def test_a_criterion_that_is_gone_or_new_moves_the_total() -> None:
    start = RUBRIC.index("  - id: shape")
    alone = pack(RUBRIC[:start].replace("threshold: 3", "threshold: 2"), EVIDENCE[: EVIDENCE.index("shape:")])
    gone, new = move(pack(), alone, SOLID), move(alone, pack(), SOLID)
    assert [(one.criterion_id, one.after) for one in gone.levels] == [("shape", None)]
    assert [cause.summary for one in gone.levels for cause in one.causes] == ["criterion shape: gone, was 0 to 2"]
    assert [cause.summary for one in new.levels for cause in one.causes] == ["criterion shape: new, 0 to 2"]


def test_words_alone_move_nothing() -> None:
    told = EVIDENCE.replace("Edges are off.", "The edges are off by one.")
    renamed = RUBRIC.replace("label: Works", "label: It works")
    assert move(pack(), pack(renamed, told), SOLID).is_unchanged
    assert PackRevision(pack(), pack(renamed, told)).changes == ()


# Laws

FACTS = ("trials.all", "trials.edges", "code.longest_function", "code.deciding_functions")
VALUES = (0, 0.5, 0.7, 0.8, 1.0)


@st.composite
def texts(draw: st.DrawFn) -> BossPack:
    """A pack much like any other drawn, so that levels and conditions have partners."""
    criteria, rules = [], {}
    for name in draw(st.sampled_from((("works",), ("works", "shape")))):
        scores = sorted(draw(st.sets(st.sampled_from((0.5, 1, 2, 3)), min_size=1, max_size=3)))
        labels = draw(st.permutations(("dim", "fair", "fine")))
        levels = [{"score": 0, "label": "none", "description": "d"}]
        levels += [{"score": s, "label": label, "description": "d"} for s, label in zip(scores, labels, strict=False)]
        criteria.append({"id": name, "label": name, "levels": levels})
        condition = st.builds(
            lambda fact, sign, value: {"fact": fact, "check": f"{sign} {value}", "otherwise": "No."},
            st.sampled_from(FACTS), st.sampled_from((">=", "<=", "==")), st.sampled_from(VALUES),
        )  # fmt: skip
        rules[name] = [{"level": s, "requires": draw(st.lists(condition, min_size=1, max_size=3))} for s in scores]
    top = sum(max(level["score"] for level in criterion["levels"]) for criterion in criteria)
    line = draw(st.sampled_from([value for value in (0.5, 1, 2, 3, 4) if value <= top]))
    rubric = {"rubric_id": "r", "overall": {"pass_threshold": line}, "criteria": criteria}
    return pack(yaml.safe_dump(rubric), yaml.safe_dump(rules))


@st.composite
def measured(draw: st.DrawFn) -> Evidence:
    values = {name.replace(".", "__"): draw(st.sampled_from((*VALUES, None))) for name in FACTS}
    return evidence((trial("edges"),) * draw(st.integers(0, 2)), **values)


@at_most(80)
@given(texts(), measured())
def test_scoring_again_is_judging_from_scratch(one: BossPack, facts: Evidence) -> None:
    async def judge() -> Judged:
        *_, last = [event async for event in ForgeJudge().judge(Case(one, MINE, facts))]
        assert isinstance(last, Judged)
        return last

    stored = Evidence.model_validate_json(facts.model_dump_json())
    assert rescore(one, MINE, stored) == asyncio.run(judge())


@at_most(150)
@given(texts(), texts(), measured())
def test_every_moved_point_has_a_cause(before: BossPack, after: BossPack, facts: Evidence) -> None:
    found = move(before, after, facts)
    assert not found.verdict_changed or found.causes
    assert all(one.causes for one in found.levels)
    known = set(PackRevision(before, after).changes)
    assert {cause for one in found.levels for cause in one.causes} <= known
    moved = found.after.score_total - found.before.score_total
    assert sum(one.points for one in found.levels) == pytest.approx(moved)


@at_most(50)
@given(texts(), measured())
def test_a_pack_beside_itself_is_still(one: BossPack, facts: Evidence) -> None:
    assert move(one, one, facts).is_unchanged
    assert PackRevision(one, one).changes == ()
