"""The rule, the file and the command, each on its own."""

import json

import pytest

import furnace_controller
from furnace_controller import BadInput, check_readings, decide, load_readings, main


@pytest.mark.parametrize(
    ("readings", "target", "tolerance", "decision"),
    [
        ([17.5], 20, 2, "HEAT"),
        ([17.99], 20, 2, "HEAT"),
        ([18], 20, 2, "STABLE"),
        ([20], 20, 2, "STABLE"),
        ([22], 20, 2, "STABLE"),
        ([22.01], 20, 2, "COOL"),
        ([30], 20, 2, "COOL"),
        ([10, 20, 30, 60], 30, 0, "STABLE"),
        ([10, 20, 30, 61], 30, 0, "COOL"),
        ([10, 20, 30, 59], 30, 0, "HEAT"),
        ([-30], -20, 2, "HEAT"),
        ([-22], -20, 2, "STABLE"),
        ([-17.5], -20, 2, "COOL"),
        ([-1, 1], 0, 0, "STABLE"),
    ],
)
def test_decision(readings, target, tolerance, decision):
    assert decide(readings, target, tolerance) == decision


@pytest.mark.parametrize(("reading", "decision"), [(48.9, "HEAT"), (49, "STABLE"), (51, "STABLE"), (51.1, "COOL")])
def test_tolerance_is_one_degree_unless_given(reading, decision):
    assert decide([reading], 50) == decision


def test_readings_are_taken_as_they_stand():
    assert check_readings({"readings": [1, -2.5, 0], "site": "B"}) == [1, -2.5, 0]


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ([20], "top level"),
        (None, "top level"),
        ({}, "at least one"),
        ({"readings": []}, "at least one"),
        ({"readings": 20}, "at least one"),
        ({"readings": "20"}, "at least one"),
        ({"readings": [20, "20"]}, 'reading 2 .*"20"'),
        ({"readings": [True]}, "reading 1 .*true"),
        ({"readings": [20, 21, None]}, "reading 3 .*null"),
        ({"readings": [[20]]}, "reading 1"),
        ({"readings": [{"value": 20}]}, "reading 1"),
        ({"readings": [float("nan")]}, "reading 1"),
        ({"readings": [20, float("-inf")]}, "reading 2"),
    ],
)
def test_document_of_another_shape_is_refused(document, reason):
    with pytest.raises(BadInput, match=reason):
        check_readings(document)


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "not JSON"), (b'{"readings": [1', "not JSON"), (b'{"readings": [1], "x": "\xff"}', "not UTF-8")],
)
def test_file_that_is_no_json_is_refused(tmp_path, content, reason):
    path = tmp_path / "readings.json"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=reason):
        load_readings(path)


def test_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(BadInput, match="No such file"):
        load_readings(tmp_path / "missing.json")


def test_directory_is_refused(tmp_path):
    with pytest.raises(BadInput):
        load_readings(tmp_path)


def run(tmp_path, readings, *options):
    path = tmp_path / "readings.json"
    path.write_text(json.dumps({"readings": readings}), encoding="utf-8")
    return main(["--input", str(path), *options])


@pytest.mark.parametrize(
    ("reading", "status", "word"),
    [(18.5, 10, "HEAT"), (19, 0, "STABLE"), (21, 0, "STABLE"), (21.5, 11, "COOL")],
)
def test_command_prints_one_word_and_exits_with_its_status(tmp_path, capsys, reading, status, word):
    assert run(tmp_path, [reading], "--target-temp", "20") == status
    assert capsys.readouterr().out == f"{word}\n"


def test_command_takes_a_tolerance_of_zero(tmp_path):
    assert run(tmp_path, [20.5], "--target-temp", "20", "--tolerance", "0") == 11


def test_command_tells_bad_input_in_the_log(tmp_path, capsys, caplog):
    assert run(tmp_path, [], "--target-temp", "20") == 1
    assert capsys.readouterr().out == ""
    assert "readings.json can't be used" in caplog.text
    assert "at least one number" in caplog.text


@pytest.mark.parametrize("argv", [["--target-temp", "20"], ["--input", "readings.json"]])
def test_command_insists_on_input_and_target(argv):
    with pytest.raises(SystemExit):
        main(argv)


def test_every_decision_has_an_exit_status_of_its_own():
    assert furnace_controller.EXIT_STATUS == {"STABLE": 0, "HEAT": 10, "COOL": 11}
