import json

import pytest

from furnace_controller import main


@pytest.fixture
def status(tmp_path):
    def status(content, *options):
        path = tmp_path / "readings.json"
        path.write_text(content if isinstance(content, str) else json.dumps({"readings": content}))
        return main(["--input", str(path), "--target-temp", "20", *options])

    return status


@pytest.mark.parametrize(
    ("readings", "options", "expected"),
    [
        ([18.75], [], 10),
        ([19], [], 0),
        ([20], [], 0),
        ([21], [], 0),
        ([21.25], [], 11),
        ([20.25], ["--tolerance", "0"], 11),
        ([20], ["--tolerance", "0"], 0),
        ([0, 20, 40], [], 0),
        ([0, 0, 63.75], [], 11),
    ],
)
def test_decision(status, readings, options, expected, capsys):
    assert status(readings, *options) == expected
    assert capsys.readouterr().out.strip() == {0: "STABLE", 10: "HEAT", 11: "COOL"}[expected]


@pytest.mark.parametrize("text", ["", "{", "[20]", "null", "{}", '{"readings": null}', '{"readings": []}'])
def test_bad_file(status, text):
    assert status(text) == 1


def test_missing_file(tmp_path):
    assert main(["--input", str(tmp_path / "nothing"), "--target-temp", "20"]) == 1


@pytest.mark.parametrize("bad", ["x", "20", None, True, False, [20], {}, float("nan"), float("inf")])
def test_a_spoiled_reading_is_left_out(status, bad, caplog):
    assert status([20, bad, 20]) == 0
    assert "reading 1 is spoiled" in caplog.text


def test_nothing_but_spoiled_readings(status):
    assert status([None, "x"]) == 1
