"""Files that can't be used."""

import pytest


def gap(value, reason):
    return pytest.param(value, marks=pytest.mark.xfail(strict=True, reason=reason))


def is_refusal(result):
    return (
        result.status == 1
        and result.words == []
        and result.output.strip() != ""
        and "Traceback" not in result.output
    )


@pytest.mark.parametrize(
    "content",
    [
        None,
        "",
        "  ",
        "{",
        '{"readings": [20, 2',
        "hello",
        "[20]",
        "20",
        "null",
        '"readings"',
        "{}",
        '{"reading": [20]}',
        '{"readings": 20}',
        '{"readings": "20"}',
        '{"readings": null}',
        '{"readings": {"0": 20}}',
        '{"readings": []}',
        gap(b'{"readings": [20], "unit": "\xb0C"}', "bytes that are not UTF-8 end in a traceback"),
    ],
)
def test_bad_file(run, content):
    assert is_refusal(run(content))


@pytest.mark.xfail(strict=True, reason="a directory ends in a traceback")
def test_directory(run, tmp_path):
    assert is_refusal(run(None, "--input", str(tmp_path)))


@pytest.mark.parametrize("where", ["[%s]", "[%s, 20]", "[20, %s, 20]", "[20, %s]"])
@pytest.mark.parametrize(
    "reading",
    [
        '"20"',
        '"hot"',
        "null",
        "[20]",
        "{}",
        gap("true", "booleans are ints"),
        gap("false", "booleans are ints"),
        gap("NaN", "json reads NaN"),
        gap("Infinity", "json reads Infinity"),
        gap("-Infinity", "json reads Infinity"),
    ],
)
def test_one_bad_reading_spoils_the_file(run, reading, where):
    assert is_refusal(run('{"readings": %s}' % where % reading))
