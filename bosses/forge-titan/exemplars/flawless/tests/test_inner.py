"""The pieces of this program, which the contract does not name. A program without them has nothing to test here."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

pytest.importorskip("titan.batch", reason="this program is built from other pieces")

from titan.batch import find_cycle, specs_of
from titan.job import rest_after
from titan.journal import decode, encode


class TestRules:
    def test_rests_double_up_to_an_hour(self):
        assert [rest_after(n, 50) for n in (1, 2, 3, 7, 8, 9999)] == [50, 100, 200, 3200, 3600, 3600]
        assert rest_after(12, 1) == 2048
        assert rest_after(13, 1) == 3600
        assert rest_after(5, 0) == 0

    @pytest.mark.parametrize(
        ("graph", "path"),
        [
            ({}, None),
            ({"a": ["b", "c"], "b": ["c"], "c": []}, None),
            ({"a": ["a"]}, ["a", "a"]),
            ({"x": ["a"], "a": ["d", "b"], "b": ["c"], "c": ["a"], "d": []}, ["a", "b", "c", "a"]),
        ],
    )
    def test_circles(self, graph, path):
        assert find_cycle(graph) == path

    def test_specs_have_defaults(self):
        (spec,) = specs_of([{"id": "x", "after": ["b", "a", "b"]}])
        assert spec == ("x", ("a", "b"), 3, 60)

    def test_a_line_is_sound_or_not(self):
        line = encode({"a": 1})
        assert decode(line) == {"a": 1}
        assert decode(line[:-1]) is None
        assert decode(b"00000000 \n") is None
        for at in range(len(line)):
            assert decode(line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]) is None
