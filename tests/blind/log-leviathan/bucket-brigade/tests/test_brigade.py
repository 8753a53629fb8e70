from log_leviathan import MALFORMED, counting, summary, understand

T = b"2031-04-02T05:00:0%d.000Z "


def line(second, rest):
    return T % second + rest


def test_understand():
    entry = understand(line(1, b"INFO pump.3 all is well\r\n"))
    assert entry == ("2031-04-02T05:00:01.000Z", "INFO", "pump.3", "all is well")


def test_blank():
    assert understand(b"   \n") is None
    assert understand(b"\r\n") is None


def test_malformed():
    for bad in [b"hello\n", line(1, b"INFO gate \n"), line(1, b"info gate x"), line(1, b"INFO gate \xff"),
                b"2031-02-30T05:00:00.000Z INFO gate x", line(1, b"INFO  gate x"), line(1, b"INFO ga/te x")]:
        assert understand(bad) is MALFORMED, bad


def test_summary():
    log = [
        line(3, b"INFO gate GET /a 200 31ms\n"),
        line(1, b"ERROR pump too hot\n"),
        b"rubbish\n",
        b"\n",
        line(2, b"INFO gate GET /b 200 31ms\n"),
        line(5, b"INFO gate POST /c 500 7ms\n"),
    ]
    told = summary(log, 2)
    assert told["lines"] == 5
    assert told["malformed"] == 1
    assert told["first"] == "2031-04-02T05:00:01.000Z"
    assert told["last"] == "2031-04-02T05:00:05.000Z"
    assert told["levels"] == {"DEBUG": 0, "INFO": 3, "WARNING": 0, "ERROR": 1, "CRITICAL": 0}
    assert told["components"] == {"gate": {"lines": 3, "errors": 0}, "pump": {"lines": 1, "errors": 1}}
    assert told["error_rate"] == 0.25
    assert told["requests"] == 3
    assert told["slowest"] == [
        {"ms": 31, "time": "2031-04-02T05:00:03.000Z", "component": "gate", "request": "GET /a", "status": 200},
        {"ms": 31, "time": "2031-04-02T05:00:02.000Z", "component": "gate", "request": "GET /b", "status": 200},
    ]


def test_nothing():
    told = summary([], 3)
    assert (told["first"], told["last"], told["error_rate"], told["slowest"]) == (None, None, None, [])


def test_top_zero():
    assert summary([line(1, b"INFO gate GET /a 200 31ms")], 0)["slowest"] == []


def test_counting_alone():
    take, tell = counting()
    take(MALFORMED)
    assert tell()["lines"] == 1
