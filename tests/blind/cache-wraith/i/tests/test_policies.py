from coldstore.policies import HeapSchedule, LeastRecentlyUsed


def test_victim_is_the_least_recently_used():
    policy = LeastRecentlyUsed()
    for key in "abca":
        policy.touch(key)
    assert policy.victim() == "b"
    assert list(policy) == ["b", "c", "a"]


def test_forgotten_key_is_no_victim():
    policy = LeastRecentlyUsed()
    policy.touch("a")
    policy.touch("b")
    policy.forget("a")
    assert policy.victim() == "b"


def test_due_in_order_of_ends():
    schedule = HeapSchedule()
    schedule.plan("late", 3)
    schedule.plan("soon", 1)
    assert list(schedule.due(0.5)) == []
    assert list(schedule.due(1)) == ["soon"]
    assert list(schedule.due(9)) == ["late"]
    assert list(schedule.due(9)) == []


def test_new_plan_replaces_the_old_one():
    schedule = HeapSchedule()
    schedule.plan("a", 1)
    schedule.plan("a", 5)
    assert list(schedule.due(4)) == []
    assert list(schedule.due(5)) == ["a"]


def test_cancelled_plan():
    schedule = HeapSchedule()
    schedule.plan("a", 1)
    schedule.cancel("a")
    schedule.cancel("b")
    assert list(schedule.due(2)) == []
