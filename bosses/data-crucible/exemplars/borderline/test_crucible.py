import json

from data_crucible import DataCrucible, Group


def test_group():
    g = Group(("north",))
    g.add(2)
    g.add(4)
    assert g.total == 6
    assert g.average() == 3


def test_pour(tmp_path):
    (tmp_path / "c.json").write_text(json.dumps({"group_by": ["region"], "value_field": "amount"}))
    (tmp_path / "in.csv").write_text("region,amount\nsouth,1\nnorth,2\nnorth,4\n")
    result = DataCrucible(tmp_path / "c.json").pour(str(tmp_path / "in.csv"), tmp_path / "out.json")
    assert result[0]["region"] == "north"
    assert result[0]["sum"] == 6
    assert result[1]["count"] == 1


def test_constructor(tmp_path):
    (tmp_path / "c.json").write_text("{}")
    DataCrucible(tmp_path / "c.json")
