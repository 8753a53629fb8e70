import json

import pytest

LINE = "2031-04-02T05:00:00.125Z INFO gate fine"


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(LINE.replace("04-02", "02-29"), id="no leap year"),
        pytest.param(LINE.replace("04-02", "13-01"), id="month 13"),
        pytest.param(LINE.replace("T05", "T24"), id="24 o'clock"),
        pytest.param(LINE.replace("00.125", "60.125"), id="second 60"),
        pytest.param(LINE.replace(".125", ""), id="no milliseconds"),
        pytest.param(LINE.replace(".125", ".1250"), id="four places"),
        pytest.param(LINE.replace("04-02", "4-02"), id="zero missing"),
        pytest.param(LINE.replace("Z", "+00:00"), id="offset"),
        pytest.param(LINE.replace("INFO", "info"), id="small level"),
        pytest.param(LINE.replace("INFO", "NOTICE"), id="no such level"),
        pytest.param(LINE.replace("gate", "ga:te"), id="sign in component"),
        pytest.param(LINE.replace("gate", ""), id="no component"),
        pytest.param(LINE.replace("fine", ""), id="no message"),
        pytest.param(LINE.replace("fine", " fine"), id="message starts with space"),
        pytest.param(" " + LINE, id="indented"),
        pytest.param(LINE[:12], id="cut"),
    ],
)
def test_malformed(summary, line):
    told = summary([line, LINE])
    assert (told["lines"], told["malformed"]) == (2, 1)
    assert told["components"] == {"gate": {"lines": 1, "errors": 0}}
    assert told["first"] == told["last"] == LINE[:24]


@pytest.mark.xfail(strict=True, reason="bad bytes are replaced and taken for text")
def test_bytes_that_are_no_text(summary):
    told = summary(LINE.encode() + b"\xff\n" + LINE.encode())
    assert (told["lines"], told["malformed"]) == (2, 1)


@pytest.fixture
def logs(tmp_path):
    (tmp_path / "a.log").write_text(LINE.replace("fine", "GET /a 200 7ms"))
    (tmp_path / "b.log").write_text(LINE.replace("fine", "GET /b 200 8ms") + "\n")
    return tmp_path


def test_files_are_read_as_one(leviathan, logs):
    done = leviathan("a.log", "--top", "1", "b.log", "a.log")
    told = json.loads(done.out)
    assert (told["lines"], told["slowest"][0]["request"]) == (3, "GET /b")


def test_output_is_replaced(leviathan, logs):
    (logs / "out").write_text("x" * 5000)
    done = leviathan("--output", "out", "a.log")
    assert (done.status, done.out) == (0, "")
    assert json.loads((logs / "out").read_text())["lines"] == 1


@pytest.mark.parametrize("bad", ["absent.log", "."])
def test_bad_file(leviathan, logs, bad):
    (logs / "out").write_text("old")
    done = leviathan("a.log", bad, "--output", "out")
    assert (done.status, done.out) == (1, "")
    assert bad in done.err and "Traceback" not in done.err
    assert (logs / "out").read_text() == "old"


@pytest.mark.xfail(strict=True, reason="only reading is guarded")
def test_bad_path(leviathan, logs):
    done = leviathan("a.log", "--output", "nowhere/out")
    assert done.status == 1
    assert "nowhere" in done.err and "Traceback" not in done.err


@pytest.mark.parametrize("top", ["-1", "1.5", "five"])
def test_bad_top(leviathan, logs, top):
    done = leviathan("a.log", "--top", top, "--output", "out")
    assert (done.status, done.out) == (2, "")
    assert "--top" in done.err.splitlines()[-1]
    assert not (logs / "out").exists()
