import pytest

from furnace_controller import Unusable, mean, readings, thermostat


@pytest.mark.parametrize(
    "average, word",
    [(18.75, "HEAT"), (19, "STABLE"), (21, "STABLE"), (21.25, "COOL")],
)
def test_both_edges_are_stable(average, word):
    assert thermostat(20, 1)(average) == word


def test_mean_is_exact():
    assert mean([0.25, 0.5, 0]) == 0.25


@pytest.mark.parametrize("document", [None, [], {}, {"readings": []}, {"readings": "20"}])
def test_unusable_documents(document):
    with pytest.raises(Unusable):
        readings(document)
