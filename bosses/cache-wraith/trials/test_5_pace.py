"""What one call costs when the cache is large, and what it leaves behind."""

import pytest

LEAST, MOST = 8_000, 10_000
BUDGET = 1.0
FEW = 10
MAX_COST_FACTOR, SPARE_SECONDS = 3, 0.1

pytestmark = [pytest.mark.group("pace"), pytest.mark.limits(seconds=8), pytest.mark.clause("COST")]


def churn(capacity, many, budget):
    """Fill a cache, then use it and let it evict; stop when the processor time is spent.

    Gives the calls made and what get found last. The clock only ends what takes too long: what counts is measured
    from outside.
    """
    from time import process_time

    import cache

    made = cache.Cache(capacity, ttl=1000, clock=lambda: 0)
    start, calls, found = process_time(), 0, None
    for number in range(2 * many):
        if number >= many:
            found = made.get(("item", number - 1))
            calls += 1
        made.put(("item", number), number)
        calls += 1
        if number % 50 == 0 and process_time() - start > budget:
            break
    return calls, found


def look(capacity, rounds, budget):
    """Look at, load, delete and put back entries of a full cache; stop when the processor time is spent.

    Gives the rounds made, and how many calls found their entry.
    """
    from time import process_time

    import cache

    made = cache.Cache(capacity, ttl=1000, clock=lambda: 0)
    for number in range(capacity):
        made.put(("item", number), number)
    start, found, played = process_time(), 0, 0
    for number in range(rounds):
        key = ("item", number * 7 % capacity)
        found += (key in made) + (made.peek(key) is not None) + (made.get_or_load(key, len) != 2) + made.delete(key)
        made.put(key, number)
        played += 1
        if number % 50 == 0 and process_time() - start > budget:
            break
    return played, found


def leave():
    """Store values, make each leave in another way, and return which of them are still alive."""
    import gc
    import weakref

    import cache

    class Value:
        """Something that can be watched."""

    def after(coming, leaving):
        made = cache.Cache(1, ttl=50, clock=lambda: 0)
        value = Value()
        watched = weakref.ref(value)
        coming(made, value)
        del value
        leaving(made)
        gc.collect()
        return watched() is not None

    def put(made, value):
        made.put("a", value)

    def find(made, value):
        made.put("a", value)
        made.get("a"), made.peek("a"), made.get_or_load("a", str)

    def load(made, value):
        made.get_or_load("a", lambda key: value)

    ways = {
        "overwritten": lambda made: made.put("a", 1),
        "deleted": lambda made: made.delete("a"),
        "evicted": lambda made: made.put("b", 1),
        "cleared": lambda made: made.clear(),
    }
    return [name for name, leaving in ways.items() if any(after(coming, leaving) for coming in (put, find, load))]


@pytest.mark.advice(
    "Keep the order in an OrderedDict (move_to_end, popitem(last=False)), and the ends in a heap of which you pop "
    "only what has expired."
)
def test_a_large_cache(player, rng):
    """With thousands of entries, a put or a get costs as little as with ten."""
    many = rng.randint(LEAST, MOST)
    small, large = (player.measure(churn, capacity, many, BUDGET) for capacity in (FEW, many))
    calls, found = large.answer
    assert calls == 3 * many, (
        f"expected {3 * many} calls of put and get with {many} entries within {BUDGET} s of processor time; "
        f"got {calls}: some call walks through all entries"
    )
    assert large.cpu_seconds <= MAX_COST_FACTOR * small.cpu_seconds + SPARE_SECONDS, (
        f"{3 * many} calls took {large.cpu_seconds:.2f} s of processor time with {many} entries, and "
        f"{small.cpu_seconds:.2f} s with {FEW}: some call walks through all entries."
    )
    assert large.cpu_seconds <= BUDGET + SPARE_SECONDS, (
        f"expected {3 * many} calls with {many} entries within {BUDGET} s of processor time; "
        f"they took {large.cpu_seconds:.2f} s"
    )
    assert found == 2 * many - 2, f"expected get to find the entry put just before it, among {many}; got {found!r}"


@pytest.mark.advice(
    "Look up and delete in a dict. Leave a deleted key's end in the heap until it is the first there: no "
    "list.remove, heapify or loop."
)
def test_looking_and_deleting(player, rng):
    """in, peek, get_or_load and delete cost as little with thousands as with ten."""
    many, rounds = rng.randint(LEAST, MOST), 7_500
    small, large = (player.measure(look, capacity, rounds, BUDGET) for capacity in (FEW, many))
    played, found = large.answer
    calls = f"{rounds} times in, peek, get_or_load, delete and put with {many} entries"
    # Filling the cache is measured as well: it is among the spare seconds.
    assert played == rounds and large.cpu_seconds <= MAX_COST_FACTOR * small.cpu_seconds + SPARE_SECONDS, (
        f"expected {calls} to cost about what they cost with {FEW}, {small.cpu_seconds:.2f} s of processor time;"
        f" {played} rounds took {large.cpu_seconds:.2f} s: some call walks through all entries"
    )
    assert found, f"expected {calls} to find entries; none was found"


@pytest.mark.advice(
    "Keep each value in one dict, not in the heap or an attribute as well, and delete it there whenever an entry "
    "leaves."
)
def test_what_left_is_let_go(player):
    """A value that was overwritten, deleted, evicted or cleared is not kept alive."""
    kept = player.drive(leave)
    assert kept == [], f"expected every removed value to be freed; still referenced: one that was {', '.join(kept)}"
