from furnace_controller import decide


def test_heat():
    assert decide([10], 20, 1) == ("HEAT", 10)


def test_cool():
    assert decide([30], 20, 1) == ("COOL", 11)
