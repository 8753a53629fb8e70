import pytest
from hypothesis import given
from hypothesis import strategies as st

from leviathan.model import Level, Request
from leviathan.parsing import RegexParser

T = b"2031-04-02T05:00:00.125Z"
parser = RegexParser()


def test_entry():
    entry = parser.parse(T + b" WARNING pump.3 pressure is falling")
    assert (entry.time, entry.level, entry.component) == (T.decode(), Level.WARNING, "pump.3")
    assert entry.message == "pressure is falling"
    assert entry.request is None


@pytest.mark.parametrize(
    "line",
    [
        b"2031-04-31T05:00:00.125Z INFO g m",
        b"2031-04-02T24:00:00.000Z INFO g m",
        b"2031-04-02T05:00:60.000Z INFO g m",
        b"2031-04-02T05:00:00.12Z INFO g m",
        b"2031-04-02T05:00:00.125 INFO g m",
        T + b" Info g m",
        T + b" INFO g:h m",
        T + b" INFO g",
        T + b" INFO g ",
        T + b" INFO g  m",
        T + b" INFO g \xc3",
    ],
)
def test_malformed(line):
    assert parser.parse(line) is None


@pytest.mark.parametrize(
    "message, expected",
    [
        (b"GET /valves/7 200 31ms", Request("GET /valves/7", 200, 31)),
        (b"GET / 200 0ms", Request("GET /", 200, 0)),
        (b"Get / 200 1ms", None),
        (b"GET x 200 1ms", None),
        (b"GET / 2000 1ms", None),
        (b"GET / 200 1 ms", None),
        (b"GET / 200 1ms ", None),
    ],
)
def test_request(message, expected):
    assert parser.parse(T + b" INFO g " + message).request == expected


@given(st.text(st.characters(exclude_characters="\n\r\x00", exclude_categories=["Cs"]), min_size=1))
def test_any_message_is_kept(text):
    entry = parser.parse(T + b" INFO g ." + text.encode())
    assert entry.message == "." + text
