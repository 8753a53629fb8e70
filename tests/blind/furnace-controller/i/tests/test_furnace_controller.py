from furnace_controller import main, make_rule, readings_of


def test_rule():
    rule = make_rule(20, 1)
    assert list(map(rule, (18.9, 19, 20, 21, 21.1))) == ["HEAT", "STABLE", "STABLE", "STABLE", "COOL"]


def test_readings():
    assert readings_of({"readings": [1, 2.5]}) == [1, 2.5]


def test_main(tmp_path):
    path = tmp_path / "readings.json"
    path.write_text('{"readings": [10]}')
    assert main(["--input", str(path), "--target-temp", "20"]) == 10
