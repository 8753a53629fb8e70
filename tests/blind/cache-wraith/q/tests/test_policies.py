from cache.policies import CountingObserver, DeadlineHeap, LeastRecentlyUsed


def test_lru_victim():
    policy = LeastRecentlyUsed()
    for key in "abca":
        policy.touch(key)
    assert policy.victim() == "b"
    policy.forget("b")
    assert policy.order() == ["c", "a"]


def test_deadlines_are_due_in_order():
    ends = DeadlineHeap()
    ends.schedule(5, 0, "late")
    ends.schedule(1, 1, "early")
    ends.schedule(2, 2, "middle")
    assert list(ends.due(2)) == [(1, "early"), (2, "middle")]
    assert list(ends.due(4)) == []


def test_observer_counts():
    observer = CountingObserver()
    observer.notify("hits")
    assert observer.snapshot() == {"hits": 1, "misses": 0, "evictions": 0, "expirations": 0}
