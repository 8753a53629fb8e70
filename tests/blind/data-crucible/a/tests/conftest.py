import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parents[1] / "data_crucible.py"


class Hall:
    """A folder with a table, an order slip and a mould."""

    def __init__(self, folder):
        self.table = folder / "table.csv"
        self.slip = folder / "slip.json"
        self.mould = folder / "mould.json"
        self.order("v", "k")

    def order(self, value_field, *group_by):
        self.slip.write_text(json.dumps({"group_by": group_by, "value_field": value_field}), encoding="utf-8")

    def pour(self, table=None):
        if table is not None:
            self.table.write_bytes(table.encode("utf-8"))
        command = [sys.executable, PROGRAM, "--output", self.mould, "--input", self.table, "--config", self.slip]
        return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=20)

    def cast(self, table):
        done = self.pour(table)
        assert done.returncode == 0, done.stderr
        return json.loads(self.mould.read_text(encoding="utf-8"))

    def refuses(self, culprit, table=None):
        self.mould.write_bytes(b"old\r\n")
        done = self.pour(table)
        assert done.returncode == 1
        assert culprit in done.stderr and done.stderr.strip()
        assert "Traceback" not in done.stderr
        assert self.mould.read_bytes() == b"old\r\n"


@pytest.fixture
def hall(tmp_path):
    return Hall(tmp_path)
