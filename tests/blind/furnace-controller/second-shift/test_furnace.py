import pytest

from furnace_controller import FurnaceController, ReadingsFile, main


@pytest.fixture
def controller():
    return FurnaceController(20, 2)


def test_heat(controller):
    assert controller.decide([10, 12, 11]) == "HEAT"


def test_cool(controller):
    assert controller.decide([30, 31]) == "COOL"


def test_stable(controller):
    assert controller.decide([20, 21, 19]) == "STABLE"


def test_average(controller):
    assert controller.average([1, 2, 3, 4]) == 2.5


def test_load(tmp_path):
    f = tmp_path / "x.json"
    f.write_text('{"readings": [1, 2]}')
    assert ReadingsFile(f).load() == [1, 2]


def test_empty_list(tmp_path):
    f = tmp_path / "x.json"
    f.write_text('{"readings": []}')
    with pytest.raises(ValueError):
        ReadingsFile(f).load()


def test_main_missing_file():
    assert main(["--input", "does-not-exist.json", "--target-temp", "20"]) == 1
