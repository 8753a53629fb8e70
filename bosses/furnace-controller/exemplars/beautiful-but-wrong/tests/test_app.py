import json

import pytest

from furnace.app import run
from furnace.source import UnusableReadings, load, validate


def classify(tmp_path, readings, *arguments):
    path = tmp_path / "readings.json"
    path.write_text(json.dumps({"readings": readings}))
    return run(["--input", str(path), "--target-temp", "20", *arguments])


@pytest.mark.parametrize(("reading", "status"), [(10, 11), (20, 0), (30, 10)])
def test_status_of_a_run(tmp_path, reading, status):
    assert classify(tmp_path, [reading]) == status


def test_tolerance_zero(tmp_path):
    assert classify(tmp_path, [20.5], "--tolerance", "0") == 10


def test_unusable_readings_fail_the_run(tmp_path):
    assert classify(tmp_path, []) == 1


@pytest.mark.parametrize("document", [None, [], {}, {"readings": 1}, {"readings": [True]}, {"readings": ["1"]}])
def test_validation(document):
    with pytest.raises(UnusableReadings):
        validate(document)


def test_unreadable_files(tmp_path):
    with pytest.raises(UnusableReadings, match="No such file"):
        load(tmp_path / "none.json")
    (tmp_path / "cut.json").write_text('{"readings": [')
    with pytest.raises(UnusableReadings, match="not JSON"):
        load(tmp_path / "cut.json")
