import json

import pytest

from leviathan.__main__ import main
from leviathan.application import Application, default_collectors
from leviathan.parsing import RegexParser


class Fixed:
    """A source of given lines and a sink that remembers."""

    def __init__(self, *lines):
        self._lines = lines
        self.summary = None

    def lines(self):
        yield from self._lines

    def write(self, summary):
        self.summary = summary


def summary(*lines, top=5):
    fixed = Fixed(*lines)
    Application(fixed, RegexParser(), default_collectors(top), fixed).run()
    return fixed.summary


def request(name, ms, second=0):
    return f"2031-04-02T05:00:{second:02}.000Z INFO g GET /{name} 200 {ms}ms\n".encode()


def test_counts():
    told = summary(
        b"2031-04-02T05:00:04.500Z ERROR gate jammed\r\n", b"\n", b"  \n", b"bad\n", b"2031-04-02T05:00:00.125Z INFO gate ok"
    )
    assert told == {
        "lines": 3,
        "malformed": 1,
        "first": "2031-04-02T05:00:00.125Z",
        "last": "2031-04-02T05:00:04.500Z",
        "levels": {"DEBUG": 0, "INFO": 1, "WARNING": 0, "ERROR": 1, "CRITICAL": 0},
        "components": {"gate": {"lines": 2, "errors": 1}},
        "error_rate": 0.5,
        "requests": 0,
        "slowest": [],
    }


def test_nothing():
    told = summary()
    assert (told["first"], told["last"], told["error_rate"]) == (None, None, None)


@pytest.mark.parametrize("top, names", [(0, []), (2, ["/c", "/b"]), (9, ["/c", "/b", "/d", "/a"])])
def test_slowest(top, names):
    told = summary(request("a", 1, 0), request("b", 9, 1), request("c", 10, 2), request("d", 9, 3), top=top)
    assert [slow["request"].split()[1] for slow in told["slowest"]] == names
    assert told["requests"] == 4


def test_command_line(tmp_path):
    log, out = tmp_path / "log", tmp_path / "out"
    log.write_bytes(request("a", 1) * 2)
    assert main([str(log), "--output", str(out), str(log)]) == 0
    assert json.loads(out.read_text())["requests"] == 4


def test_absent_file(tmp_path, capsys):
    log, out = tmp_path / "log", tmp_path / "out"
    log.write_bytes(request("a", 1))
    assert main([str(log), str(tmp_path / "absent"), "--output", str(out)]) == 1
    shown = capsys.readouterr()
    assert shown.out == "" and "absent" in shown.err and not out.exists()


@pytest.mark.parametrize("top", ["-1", "x", "1.0"])
def test_bad_top(top, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["--top", top])
    assert stop.value.code == 2
    assert "--top" in capsys.readouterr().err
