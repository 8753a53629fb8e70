import re

import pytest

from furnace_controller import main

EXITS = {"STABLE": 0, "HEAT": 10, "COOL": 11}


@pytest.fixture
def run(tmp_path, capfd):
    """Return a function that runs the program on a text: exit status, decision words, all output."""

    def run(content, target=20, *options):
        path = tmp_path / "readings.json"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        status = main(["--input", str(path), "--target-temp", str(target), *options])
        captured = capfd.readouterr()
        output = captured.out + captured.err
        return status, re.findall(r"\b(?:HEAT|COOL|STABLE)\b", output), output

    return run


@pytest.mark.parametrize(
    ("readings", "target", "options", "decision"),
    [
        ([10], 20, [], "HEAT"),
        ([30], 20, [], "COOL"),
        ([20], 20, [], "STABLE"),
        ([19], 20, [], "STABLE"),
        ([18.75], 20, [], "HEAT"),
        ([21], 20, [], "STABLE"),
        ([21.25], 20, [], "COOL"),
        ([20], 20, ["--tolerance", "0"], "STABLE"),
        ([20.5], 20, ["--tolerance", "0"], "COOL"),
        ([19.5], 20, ["--tolerance", "0"], "HEAT"),
        ([20.25], 20, ["--tolerance", "0.25"], "STABLE"),
        ([20.375], 20, ["--tolerance", "0.25"], "COOL"),
        ([-5], -5.5, [], "STABLE"),
        ([-9], -5, [], "HEAT"),
        ([0], 0, ["--tolerance", "0"], "STABLE"),
        ([0, 0, 60], 20, [], "STABLE"),
        ([20, 20, 23.75], 20, [], "COOL"),
        ([23.75, 20, 20], 20, [], "COOL"),
        ([22, 10, 10], 20, [], "HEAT"),
    ],
)
def test_decision(run, readings, target, options, decision):
    status, words, _ = run(f'{{"unit": "C", "readings": {readings}}}', target, *options)
    assert (status, words) == (EXITS[decision], [decision])


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b'{"readings": [20',
        b'{"readings": [20], "x": "\xff"}',
        b"[20]",
        b"null",
        b'"readings"',
        b"{}",
        b'{"readings": null}',
        b'{"readings": "20"}',
        b'{"readings": {"a": 20}}',
        b'{"readings": []}',
    ],
)
def test_bad_file(run, content):
    status, words, output = run(content)
    assert (status, words) == (1, [])
    assert "readings.json" in output
    assert "Traceback" not in output


@pytest.mark.parametrize("bad", ['"20"', "true", "false", "null", "[20]", "{}", "NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("place", ["{bad}, 20", "20, {bad}, 20", "20, {bad}"])
def test_bad_reading(run, bad, place):
    status, words, output = run('{"readings": [' + place.format(bad=bad) + "]}")
    assert (status, words, bool(output)) == (1, [], True)


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_no_file(tmp_path, capfd, name):
    assert main(["--input", str(tmp_path / name), "--target-temp", "20"]) == 1
    assert capfd.readouterr().err
