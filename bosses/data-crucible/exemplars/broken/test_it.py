from data_crucible import average, key_of


def test_average():
    print(average(6, 3))


def test_key():
    assert key_of({"region": "north", "product": "rod"}) == "north rod"
