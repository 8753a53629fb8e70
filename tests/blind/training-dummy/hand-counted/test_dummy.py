import dummy


def test_swing_prints_the_line(capsys):
    dummy.swing("Bo", 3)
    assert capsys.readouterr().out == "Thwack! Bo lands blow 3.\n"


def test_swing_returns_nothing(capsys):
    assert dummy.swing("Bo", 1) is None
