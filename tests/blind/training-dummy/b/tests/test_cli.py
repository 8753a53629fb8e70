import pytest


@pytest.mark.parametrize("blows", [1, 2, 50, 99])
def test_blows(dummy, blows):
    run = dummy("Apprentice", "--blows", str(blows))
    assert run.stdout.splitlines() == [f"Thwack! Apprentice lands blow {n}." for n in range(1, blows + 1)]
    assert run.returncode == 0


@pytest.mark.parametrize("name", ["Mary Ann", " spaced ", "100%", "UPPER lower"])
def test_names(dummy, name):
    assert dummy(name).stdout == f"Thwack! {name} lands blow 1.\n"


@pytest.mark.parametrize("arguments, named", [
    ([], "NAME"), ([" "], "NAME"), (["A", "--blows", "0"], "--blows"), (["A", "--blows", "100"], "--blows"),
    (["A", "--blows", "x"], "--blows"), (["A", "--blows"], "--blows"),
])
def test_refusals(dummy, arguments, named):
    run = dummy(*arguments)
    assert run.returncode == 2
    assert run.stdout == ""
    assert named in run.stderr
