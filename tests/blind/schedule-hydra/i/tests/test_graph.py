import pytest

from scheduler import CycleError, Scheduler


def build(edges):
    made = Scheduler()
    for name, after in edges.items():
        made.add(name, lambda inputs: None, after)
    return made


@pytest.mark.parametrize("edges, plan", [
    ({}, []),
    ({"a": [], "b": [], "c": []}, ["a", "b", "c"]),
    ({"c": ["b"], "b": ["a"], "a": []}, ["a", "b", "c"]),
    ({"top": ["l", "r"], "l": ["root"], "r": ["root"], "root": []}, ["root", "l", "r", "top"]),
    ({"a": ["b", "b"], "b": []}, ["b", "a"]),
])
def test_plan(edges, plan):
    assert build(edges).plan() == plan


def test_tasks_take_their_turn_as_they_become_ready():
    assert build({"late": ["b"], "a": [], "b": ["a"], "c": []}).plan() == ["a", "c", "b", "late"]


@pytest.mark.parametrize("edges, members", [
    ({"a": ["a"]}, ["a"]),
    ({"a": ["b"], "b": ["a"]}, ["a", "b"]),
    ({"tail": ["x"], "x": ["y"], "y": ["z", "free"], "z": ["x"], "free": []}, ["x", "y", "z"]),
])
def test_circles(edges, members):
    with pytest.raises(CycleError) as caught:
        build(edges).plan()
    cycle = caught.value.cycle
    assert sorted(cycle) == members
    for name, following in zip(cycle, cycle[1:] + cycle[:1]):
        assert following in edges[name]
        assert name in str(caught.value)


def test_unknown_names():
    with pytest.raises(ValueError) as caught:
        build({"here": ["there"]}).plan()
    assert "here" in str(caught.value) and "there" in str(caught.value)


@pytest.mark.parametrize("arguments", [(1, print), ("a", 1), ("a", print, "b"), ("a", print, 1), ("a", print, [1])])
def test_wrong_types(scheduler, arguments):
    with pytest.raises(TypeError):
        scheduler.add(*arguments)
    assert len(scheduler) == 0


@pytest.mark.parametrize("name", ["", "a"])
def test_wrong_names(scheduler, name):
    scheduler.add("a", print)
    with pytest.raises(ValueError):
        scheduler.add(name, print)
    assert len(scheduler) == 1


@pytest.mark.parametrize("limit, error", [(0, ValueError), (-3, ValueError), (True, TypeError), (2.0, TypeError)])
def test_wrong_limits(limit, error):
    with pytest.raises(error):
        Scheduler(limit)


def test_a_long_chain():
    made = build({str(n): [str(n + 1)] for n in range(10_000)} | {"10000": []})
    assert made.plan()[0] == "10000"
