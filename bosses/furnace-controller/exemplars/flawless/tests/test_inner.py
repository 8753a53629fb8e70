"""The pieces of this program, which the contract does not name. A program without them has nothing to test here."""

import pytest

import furnace_controller

if not hasattr(furnace_controller, "check_readings"):
    pytest.skip("this program is built from other pieces", allow_module_level=True)


def test_rule_can_be_asked_without_a_file():
    assert [furnace_controller.decide([reading], 20, 2) for reading in (17, 18, 22, 23)] == [
        "HEAT",
        "STABLE",
        "STABLE",
        "COOL",
    ]


@pytest.mark.parametrize(
    ("document", "reason"),
    [([20], "top level"), ({"readings": []}, "at least one"), ({"readings": [20, "20"]}, 'reading 2 .*"20"')],
)
def test_refusal_names_the_culprit(document, reason):
    with pytest.raises(furnace_controller.BadInput, match=reason):
        furnace_controller.check_readings(document)
