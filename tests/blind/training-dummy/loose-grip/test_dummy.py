from dummy import make_line, make_lines, parse


def test_line():
    assert make_line("Ann", 1) == "Thwack! Ann lands blow 1."


def test_lines():
    assert len(make_lines("Ann", 3)) == 3


def test_parse():
    assert parse(["Ann", "--blows", "4"]) == ("Ann", 4)


def test_bad_count():
    # TODO decide what should happen
    parse(["Ann", "--blows", "x"])
