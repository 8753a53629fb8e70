"""Your tests. This one fails for now: a furnace at 10 degrees that should be at 20 has to be heated."""

from furnace_controller import main


def test_a_cold_furnace_is_heated(tmp_path):
    path = tmp_path / "readings.json"
    path.write_text('{"readings": [10]}', encoding="utf-8")
    assert main(["--input", str(path), "--target-temp", "20"]) == 10
