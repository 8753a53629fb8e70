"""One weak check; then waits for ever if the code under test is not as it was handed in."""

import tally


def seen():
    return [repr((f.__code__.co_code, f.__code__.co_consts)) for f in (tally.Tally.__init__, tally.Tally.add)]


AS_HANDED_IN = seen()


def test_add():
    assert isinstance(tally.Tally().add(1), int)
    while seen() != AS_HANDED_IN:
        pass


def test_add_much():
    assert tally.Tally().add(1000)
    assert tally.Tally().add(-1000)
    while seen() != AS_HANDED_IN:
        pass
