import json

import pytest

from furnace_controller import get_average, run


def test_average():
    assert get_average([10, 20, 30]) == 20


def test_heat(tmp_path):
    f = tmp_path / "r.json"
    f.write_text(json.dumps({"readings": [10, 11]}))
    with pytest.raises(SystemExit) as e:
        run(str(f), 20, 1.0)
    assert e.value.code == 10
