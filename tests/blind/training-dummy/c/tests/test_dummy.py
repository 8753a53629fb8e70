import sys

import pytest

from dummy import Attack, main


def strike(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["dummy.py", *arguments])
    return main()


@pytest.mark.parametrize("arguments", [["Bo"], ["Bo", "--blows", "1"], ["Bo", "--blows"]])
def test_one_blow(monkeypatch, capsys, arguments):
    assert strike(monkeypatch, *arguments) == 0
    assert capsys.readouterr().out == "Thwack! Bo lands blow 1.\n"


def test_three_blows(monkeypatch, capsys):
    strike(monkeypatch, "--blows", "3", "Bo")
    assert capsys.readouterr().out.splitlines() == [f"Thwack! Bo lands blow {n}." for n in (1, 2, 3)]


def test_ninety_nine_blows():
    assert Attack("Bo", 99).lines()[98] == "Thwack! Bo lands blow 99."


@pytest.mark.parametrize("name", ["  Bo ", "{Bo}", "%Bo", "BÖ bo"])
def test_names(name):
    assert Attack(name).lines() == [f"Thwack! {name} lands blow 1."]


@pytest.mark.parametrize("arguments, named", [
    ([], "NAME"), (["  "], "NAME"), (["Bo", "--blows", "0"], "--blows"), (["Bo", "--blows", "100"], "--blows"),
    (["Bo", "--blows", "two"], "--blows"), (["Bo", "--fast"], "--fast"),
])
def test_refused(monkeypatch, capsys, arguments, named):
    with pytest.raises(SystemExit) as stop:
        strike(monkeypatch, *arguments)
    assert stop.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert named in said.err
