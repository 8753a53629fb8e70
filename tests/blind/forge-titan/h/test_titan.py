from titan import Titan


def test_take(tmp_path):
    t = Titan(str(tmp_path / "j"))
    print(t.add([{"id": "melt"}, {"id": "cast", "after": ["melt"]}]))
    print(t.take(10), "should be melt 1")
    print(t.take(10), "should be None")
    print(t.done("melt", 1, 20), "should be True")
    print(t.take(20), "should be cast 1")


def test_status(tmp_path):
    t = Titan(str(tmp_path / "j"))
    t.add([{"id": "melt"}])
    t.take(10)
    print(t.status(20))
    print(t.status(70), "should be resting")
    print(Titan(str(tmp_path / "j")).status(70), "should be the same")
