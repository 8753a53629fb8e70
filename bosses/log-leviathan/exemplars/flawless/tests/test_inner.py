"""The pieces of this program, which the contract does not name. A program without them has nothing to test here."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import log_leviathan

if not hasattr(log_leviathan, "parse_line"):
    pytest.skip("this program is built from other pieces", allow_module_level=True)

T0 = "2031-04-02T05:00:00.125Z"


def test_a_line_is_taken_apart():
    entry = log_leviathan.parse_line(f"{T0} ERROR pump.3 GET /a?b 503 31ms".encode())
    assert entry == log_leviathan.Entry(T0, "ERROR", "pump.3", log_leviathan.Request(31, "GET /a?b", 503))


def test_no_more_requests_are_kept_than_are_listed():
    slowest = log_leviathan.Slowest(3)
    entry = log_leviathan.Entry(T0, "INFO", "gate", None)
    for ms in range(50):
        slowest.add(entry, log_leviathan.Request(ms, "GET /a", 200))
        assert len(slowest._heap) <= 3
    assert [request["ms"] for request in slowest.listed()] == [49, 48, 47]
