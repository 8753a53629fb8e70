from dummy import battle_line


def test_the_first_line():
    assert battle_line("Apprentice", 1) == "Thwack! Apprentice lands blow 1."
