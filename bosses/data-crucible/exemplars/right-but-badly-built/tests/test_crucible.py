import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import data_crucible


def crucible(tmp_path, table, config):
    (tmp_path / "i.csv").write_text(table)
    (tmp_path / "c.json").write_text(json.dumps(config))
    old = sys.argv
    sys.argv = ["x", "--input", str(tmp_path / "i.csv"), "--config", str(tmp_path / "c.json"), "--output", str(tmp_path / "o.json")]
    try:
        data_crucible.main()
    finally:
        sys.argv = old
    return json.loads((tmp_path / "o.json").read_text())


def test_sum(tmp_path):
    rows = crucible(tmp_path, "k,v\na,1\na,2\nb,5\n", {"group_by": ["k"], "value_field": "v"})
    assert rows[0]["sum"] == 3


def test_avg(tmp_path):
    rows = crucible(tmp_path, "k,v\na,1\na,2\nb,5\n", {"group_by": ["k"], "value_field": "v"})
    assert rows[0]["avg"] == 1.5
    assert rows[1]["count"] == 1
