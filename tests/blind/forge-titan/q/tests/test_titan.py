import os
import tempfile

from titan import Titan, BatchError, StaleError


def make():
    return Titan(os.path.join(tempfile.mkdtemp(), "journal"))


def test_take():
    t = make()
    print("added", t.add([{"id": "melt"}, {"id": "cast", "after": ["melt"]}]))
    print("should be melt:", t.take(10))
    print("should be None:", t.take(10))
    print(t.done("melt", 1, 20))
    print("should be cast:", t.take(20))
    assert t.take(20) is None


def test_fail():
    t = make()
    t.add([{"id": "a", "attempts": 2}])
    t.take(0)
    t.fail("a", 1, 10)
    print(t.status(10))
    print("70 =", t.status(69)["jobs"][0]["due"])
    print(t.take(70))


def test_again():
    t = make()
    t.add([{"id": "a"}])
    t2 = Titan(t.path)
    print(t2.status(0))
    assert len(t2.status(0)["jobs"]) == 1


def test_errors():
    t = make()
    try:
        t.add([])
        print("WRONG")
    except BatchError as e:
        print("ok", e)
    try:
        t.done("x", 1, 1)
        print("WRONG")
    except StaleError as e:
        print("ok", e)
