import pytest


@pytest.mark.parametrize(
    ("readings", "options", "word", "status"),
    [
        ("[10]", ["--target-temp", "20"], "HEAT", 10),
        ("[30]", ["--target-temp", "20"], "COOL", 11),
        ("[19]", ["--target-temp", "20"], "STABLE", 0),
        ("[21]", ["--target-temp", "20"], "STABLE", 0),
        ("[21.25]", ["--target-temp", "20"], "COOL", 11),
        ("[18.75]", ["--target-temp", "20"], "HEAT", 10),
        ("[20.5]", ["--tolerance", "0.25", "--target-temp", "20"], "COOL", 11),
        ("[10, 20, 30]", ["--target-temp", "20"], "STABLE", 0),
        ("[-4]", ["--target-temp", "-2.5"], "HEAT", 10),
    ],
)
def test_good(run, readings, options, word, status):
    result = run('{"readings": %s}' % readings, *options)
    assert result.returncode == status
    assert result.stdout.split() == [word]
    assert result.stderr == ""


@pytest.mark.parametrize(
    "text",
    ["", "{", "[20]", "{}", '{"readings": 20}', '{"readings": []}', b'{"readings": [20], "a": "\xff"}']
    + ['{"readings": [20, %s]}' % bad for bad in ('"20"', "true", "null", "[20]", "{}", "NaN", "-Infinity")],
)
def test_bad(run, text):
    result = run(text, "--target-temp", "20")
    assert result.returncode == 1
    assert result.stdout == ""
    assert "ERROR" in result.stderr
    assert "Traceback" not in result.stderr


def test_missing_file(run):
    result = run("{}", "--target-temp", "20", "--input", "/nowhere/at/all.json")
    assert result.returncode == 1
    assert "can't read" in result.stderr
