import json

import pytest

from log_leviathan.__main__ import main

LOG = b"2031-04-02T05:00:00.125Z INFO gate GET /valves/7 200 31ms\n"


def test_files_and_output(tmp_path, capsys):
    (tmp_path / "a.log").write_bytes(LOG)
    out = tmp_path / "out.json"
    assert main([str(tmp_path / "a.log"), "--output", str(out), str(tmp_path / "a.log")]) == 0
    assert capsys.readouterr().out == ""
    assert json.loads(out.read_text())["lines"] == 2


def test_missing_file(tmp_path, capsys):
    (tmp_path / "a.log").write_bytes(LOG)
    out = tmp_path / "out.json"
    assert main([str(tmp_path / "a.log"), str(tmp_path / "b.log"), "--output", str(out)]) == 1
    assert "b.log" in capsys.readouterr().err
    assert not out.exists()


def test_output_nowhere(tmp_path, capsys):
    (tmp_path / "a.log").write_bytes(LOG)
    assert main([str(tmp_path / "a.log"), "--output", str(tmp_path / "no" / "out.json")]) == 1
    assert "out.json" in capsys.readouterr().err


@pytest.mark.parametrize("top", ["-1", "x", "1.5"])
def test_bad_top(top, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--top", top])
    assert ended.value.code == 2
    assert "--top" in capsys.readouterr().err
