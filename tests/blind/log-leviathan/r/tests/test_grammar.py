import pytest

from log_leviathan.grammar import parse

TIME = "2031-04-02T05:00:00.125Z"


@pytest.mark.parametrize(
    "text",
    [
        "",
        TIME,
        TIME + " INFO gate",
        TIME + " INFO gate ",
        TIME + " INFO  gate x",
        TIME + " Info gate x",
        TIME + " FATAL gate x",
        TIME + " INFO g@te x",
        "2031-04-31T05:00:00.125Z INFO gate x",
        "2031-04-02T05:00:60.125Z INFO gate x",
        "2031-04-02T05:00:00.1Z INFO gate x",
        "2031-04-02T05:00:00.125 INFO gate x",
    ],
)
def test_malformed(text):
    assert parse(text.encode()) is None


def test_bytes_that_are_no_text():
    assert parse(TIME.encode() + b" INFO gate \x80") is None


def test_well_formed():
    told = parse((TIME + " WARNING pump.3 pressure\u2028 falling").encode())
    assert (told.time, told.level, told.component, told.message) == (TIME, "WARNING", "pump.3", "pressure\u2028 falling")


@pytest.mark.parametrize("message", ["GET /a 200 5ms ", "GET /a 200 5 ms", "Get /a 200 5ms", "GET a 200 5ms"])
def test_no_request(message):
    assert parse(f"{TIME} INFO gate {message}".encode()).as_request() is None
