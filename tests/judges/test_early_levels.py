"""Levels that are given before the tests have met the impostors are those that are given in the end."""

import pytest

from evalforge.judges.base import Case
from evalforge.judges.forge import judge_what_is_measured
from evalforge.model.evidence import Evidence
from evalforge.submissions.collect import collect
from tests.measured.forge import RecordedForge
from tests.measured.programs import EXEMPLARS, MeasuredProgram, boss_pack, judged


def without_tests(evidence: Evidence) -> Evidence:
    """What is known before anything is known about the player's tests."""
    facts = tuple(fact for fact in evidence.facts if not fact.name.startswith("tests."))
    return Evidence(facts=facts, trials=evidence.trials, notices=evidence.notices)


@pytest.mark.parametrize("exemplar", EXEMPLARS, ids=lambda program: program.name)
def test_a_level_given_early_stays(exemplar: MeasuredProgram, recorded_forge: RecordedForge) -> None:
    record = recorded_forge.fight(exemplar)
    pack, end = boss_pack(exemplar.boss), judged(record).judgements
    early = [*judge_what_is_measured(Case(pack, collect(exemplar.folder), without_tests(record.evidence)))]
    assert [event.judgement for event in early] == list(end)[: len(early)]
    assert len(early) == len(end) - 1  # the last criterion of every boss is about the tests


def test_nothing_is_given_before_anything_is_measured(recorded_forge: RecordedForge) -> None:
    exemplar = EXEMPLARS[0]
    trials = Evidence(trials=recorded_forge.fight(exemplar).evidence.trials)
    assert not [*judge_what_is_measured(Case(boss_pack(exemplar.boss), collect(exemplar.folder), trials))]
