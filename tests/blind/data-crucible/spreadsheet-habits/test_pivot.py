from data_crucible import Pivot, main


def test_pivot_one_group():
    p = Pivot(["a"], "v")
    p.add({"a": "x", "v": "1"})
    p.add({"a": "x", "v": "2"})
    assert p.result() == [{"a": "x", "sum": 3.0, "count": 2, "avg": 1.5}]


def test_pivot_sorted():
    p = Pivot(["a", "b"], "v")
    for a in "zyx":
        p.add({"a": a, "b": "1", "v": "5"})
    assert [r["a"] for r in p.result()] == ["x", "y", "z"]


def test_missing_file(tmp_path):
    out = tmp_path / "o.json"
    assert main(["--input", "nope.csv", "--config", "nope.json", "--output", str(out)]) == 1
    assert not out.exists()
