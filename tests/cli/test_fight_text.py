"""A fight as lines: what only a model judge leaves behind is told as well."""

import pytest

from evalforge.cli.text.fight import FightText
from evalforge.model.events import CriterionJudged, Judged
from evalforge.model.result import Judgement
from evalforge.model.scoring import score
from tests import factories


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
