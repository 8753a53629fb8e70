"""A fight as lines: what only a model judge leaves behind is told as well."""

import re
import shutil
from pathlib import Path

import pytest

from evalforge.cli.text.fight import FightText
from evalforge.model.events import CriterionJudged, Judged
from evalforge.model.evidence import Finding
from evalforge.model.reason import Example, Reason
from evalforge.model.result import Judgement
from evalforge.model.scoring import score
from tests import factories
from tests.command_line import run_in
from tests.judged import EXEMPLARS


def test_votes_that_differ_and_the_judges_notes_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    rubric = factories.rubric(2)
    judgement = Judgement(
        criterion_id="c0", score=1, comment="Split.", ambiguous=True, votes=(1, 2, 1), bounded="The edge is off."
    )
    opinion = factories.opinion(1).model_copy(update={"raw_notes": "The file asks for full marks.\x1b[2J"})
    text = FightText(rubric, plain=True)
    text.show(CriterionJudged(judgement=judgement, label="Edges", level_label="some", max_score=2))
    text.show(Judged(result=score("b", rubric, opinion), judgements=opinion.judgements))
    told = capsys.readouterr().out
    assert "the votes disagreed: 1, 2, 1" in told
    assert "bounded: The edge is off." in told
    assert "notes: The file asks for full marks." in told
    assert "\x1b" not in told


def test_each_criterion_says_its_damage_and_what_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    rubric = factories.rubric(2, 2)
    text = FightText(rubric, plain=True)
    for index, points in enumerate((2, 0)):
        judgement = Judgement(criterion_id=f"c{index}", score=points, comment="So.")
        text.show(CriterionJudged(judgement=judgement, label="Edges", level_label="some", max_score=2))
    told = capsys.readouterr().out
    assert "damage 50 %, boss HP 50 %" in told
    assert "no damage, boss HP 50 %" in told


def test_a_reason_is_told_in_rows(capsys: pytest.CaptureFixture[str]) -> None:
    example = Example.of_message("edge.py 7: expected exit status 2; got 0.", "Seven is refused.", "edge.py", 4)
    reason = Reason(cause="Edges are let in.", failed=3, total=4, examples=(example,), advice="Refuse 7.")
    place = Finding(message="It is long.", path="edge.py", line=9)
    trial_place = Finding(
        message="edge.py 7: expected exit status 2", path="edge.py", line=4, trial="Seven is refused."
    )
    judgement = Judgement(
        criterion_id="c0", score=0, comment="A long story.", reason=reason, findings=(trial_place, place)
    )
    FightText(factories.rubric(2), plain=True).show(
        CriterionJudged(judgement=judgement, label="Edges", level_label="some", max_score=2)
    )
    told = capsys.readouterr().out.splitlines()
    assert told[2:] == [
        "  Edges are let in. 3 of 4 trials fail.",
        "    ✗ Seven is refused.",
        "      called    edge.py 7",
        "      expected  exit status 2",
        "      got       0",
        "      ended at  edge.py:4",
        "    and 2 more",
        "  edge.py:9  It is long.",
        "  next  Refuse 7.",
    ]


@pytest.mark.usefixtures("warm_engine")
def test_places_are_seen_from_here_and_link_to_their_line(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("gold.yaml")
    shutil.copytree(EXEMPLARS / "right-but-badly-built", tmp_path / "my work", ignore=ignored)
    arguments = ("judge", "training-dummy", "my work", "--no-save", "--again")
    plain = run_in(tmp_path, *arguments).stdout
    [line, *_] = re.findall(r"^  my work/dummy\.py:(\d+)  ", plain, re.MULTILINE)
    assert "\x1b" not in plain
    linked = run_in(tmp_path, *arguments, FORCE_COLOR="1", TERM="xterm-256color").stdout
    target = rf"\x1b\]8;[^;]*;file://[^/]+{re.escape(tmp_path.as_posix())}/my%20work/dummy\.py#{line}\x1b\\"
    assert re.search(rf"{target}.*my work/dummy\.py:{line}", linked)
    assert run_in(tmp_path, *arguments, "--plain", FORCE_COLOR="1").stdout == plain
