from striking import TemplateHerald, announce


def test_a_herald_knows_the_words():
    assert TemplateHerald.for_striker("A").line(7) == "Thwack! A lands blow 7."


def test_any_herald_will_do():
    class Counter:
        def line(self, number):
            return str(number)

    assert list(announce(Counter(), 3)) == ["1", "2", "3"]
