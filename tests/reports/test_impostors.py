"""Impostors in comparisons, reports and cards: counted the same everywhere, and left out where none were met."""

import pytest

from evalforge.cli.text.comparison import print_comparison
from evalforge.model.attempt import Attempt
from evalforge.model.evidence import Evidence, ImpostorFate
from evalforge.reports.card import CardDetails, draw_card
from evalforge.reports.comparison import compare
from evalforge.reports.markdown import report
from tests import factories
from tests.reports.attempts import attempt

LET_THROUGH = ImpostorFate.LET_THROUGH
FEW = factories.met(
    factories.impostor("a"), *(factories.impostor(name, LET_THROUGH) for name in "bcd"), wrong=(("tests/test_a.py", 7),)
)
MANY = factories.met(*(factories.impostor(name) for name in "abcd"))
OLD = Evidence()


def met(evidence: Evidence) -> Attempt:
    return attempt(1, evidence=evidence)


def test_comparing_counts_who_is_unmasked_and_names_them(capsys: pytest.CaptureFixture[str]) -> None:
    found = compare(met(FEW), met(MANY))
    assert found.unmasked_delta == 3
    assert [(one.id, one.before, one.after) for one in found.impostors] == [
        (name, ImpostorFate.LET_THROUGH, ImpostorFate.UNMASKED) for name in "bcd"
    ]
    print_comparison(found)
    text = capsys.readouterr().out
    assert "Impostors  3 more caught" in text
    assert "✓ Bad input: The riddle of b.  missed to caught" in text


def test_comparing_the_other_way_round_counts_fewer(capsys: pytest.CaptureFixture[str]) -> None:
    print_comparison(compare(met(MANY), met(FEW)))
    text = capsys.readouterr().out
    assert "3 fewer caught" in text
    assert "✗ Bad input: The riddle of b.  caught to missed" in text


@pytest.mark.parametrize(("before", "after"), [(OLD, MANY), (MANY, OLD), (MANY, MANY), (OLD, OLD)])
def test_comparing_is_silent_where_nothing_changed(
    before: Evidence, after: Evidence, capsys: pytest.CaptureFixture[str]
) -> None:
    found = compare(met(before), met(after))
    assert found.impostors == ()
    assert found.unmasked_delta == (0 if before is after is MANY else None)
    print_comparison(found)
    assert "Impostors" not in capsys.readouterr().out


def test_a_report_has_wrong_expectations_then_riddles() -> None:
    text = report(met(FEW))
    section = text.partition("## Impostors\n\n")[2].partition("\n## ")[0]
    assert section.startswith("1 of 4 impostors caught.")
    assert section.index("`tests/test_a.py:7`") < section.index("Missed: Bad input. The riddle of b.")


def test_a_report_and_a_card_say_nothing_where_none_were_met() -> None:
    assert "mpostor" not in report(met(OLD)) + draw_card(met(OLD), CardDetails())


def test_a_card_has_one_line_of_impostors() -> None:
    assert "1 of 4 impostors caught, 1 wrong expectation<" in draw_card(met(FEW), CardDetails())
    assert "4 of 4 impostors caught<" in draw_card(met(MANY), CardDetails())
