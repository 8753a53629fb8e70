from itertools import islice

import pytest

from dummy import main, thwacks


def test_thwacks():
    assert list(islice(thwacks("{A} b%"), 2)) == ["Thwack! {A} b% lands blow 1.", "Thwack! {A} b% lands blow 2."]


@pytest.mark.parametrize("line", ["--blows 3 A", "A --blows 3"])
def test_three(line, capsys):
    assert main(line.split()) == 0
    assert capsys.readouterr().out.count("Thwack! A lands blow") == 3


@pytest.mark.parametrize("line", ["", "A --blows 0", "A --blows 100", "A --blows", "A --blows x", "--hard A"])
def test_refused(line, capsys):
    assert main(line.split()) == 2
    assert capsys.readouterr().out == ""
