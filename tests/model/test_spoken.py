"""Numbers as they are told: nothing rounds to a lie, and no two places tell another."""

import pytest

from evalforge.cli.text.fight import FightText
from evalforge.model.number_format import format_number, format_percent, format_signed
from evalforge.model.scoring import score
from tests import factories


@pytest.mark.parametrize(
    ("share", "told"),
    [
        *[(0, "0 %"), (0.001, "1 %"), (0.125, "13 %"), (0.5, "50 %"), (0.625, "63 %"), (0.375, "38 %")],
        *[(299 / 300, "99 %"), (0.999, "99 %"), (1, "100 %")],
    ],
)
def test_only_everything_is_a_hundred_and_only_nothing_is_zero(share: float, told: str) -> None:
    assert format_percent(share) == told


def test_numbers_are_written_as_people_write_them() -> None:
    assert [
        format_number(6.0),
        format_number(0.5),
        format_number(1234567),
        format_signed(1),
        format_signed(-0.5),
        format_signed(-1234567),
        format_signed(0),
    ] == [*("6", "0.5", "1234567", "+1", "-0.5", "-1234567", "0")]


def test_a_plain_pass_at_the_edge_has_gold_left(capsys: pytest.CaptureFixture[str]) -> None:
    rubric = factories.rubric(*[300])
    FightText(rubric, plain=True).result(score("straw", rubric, factories.opinion(299)))
    told = capsys.readouterr().out
    assert "PASS  299 of 300, pass at 1 · integrity 99 %" in told
    assert "The boss is down, 298 of 299 gold." in told
