from titan import Titan


def test_titan():
    t = Titan("jobs.db")
    t.add([{"id": "a"}])
    assert t.take() == ("a", 1)
