from log_leviathan import summarise


def test_summarise(tmp_path):
    (tmp_path / "a.log").write_text("2031-04-02T05:00:00.125Z INFO gate opened\n")
    assert summarise([tmp_path / "a.log"], 5)["lines"] == 1
