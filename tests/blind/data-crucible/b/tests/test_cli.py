import json

import pytest

CONFIG = {"group_by": ["forge", "metal"], "value_field": "kg"}
TABLE = "kg,metal,forge,note\r\n4,tin,west,\r\n1.5,\"tin, old\",east,x\r\n6,tin,west,\r\n"


def test_pour(files, tmp_path):
    assert files(TABLE, CONFIG) == 0
    assert json.loads((tmp_path / "out.json").read_text()) == [
        {"forge": "east", "metal": "tin, old", "sum": 1.5, "count": 1, "avg": 1.5},
        {"forge": "west", "metal": "tin", "sum": 10, "count": 2, "avg": 5},
    ]


@pytest.mark.parametrize(
    "table, culprit",
    [("", "in.csv"), ("kg,metal,forge\n", "no rows"), ("kg,metal\n1,tin\n", "forge"), (TABLE + "x,tin,west,\r\n", "'x'"),
     (TABLE + "5,tin\r\n", "short")],
)
def test_refusals(files, tmp_path, capsys, table, culprit):
    out = tmp_path / "out.json"
    out.write_text("old")
    assert files(table, CONFIG) == 1
    assert culprit in capsys.readouterr().err
    assert out.read_text() == "old"
