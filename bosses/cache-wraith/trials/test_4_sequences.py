"""Random sequences of calls, beside a slow and obvious cache."""

import pytest

GONE = "gone"
ROUNDS = 12


class Obvious:
    """A list of [key, value, end], the least recently used first. Slow, and easy to believe."""

    def __init__(self, capacity, ttl):
        self.capacity, self.ttl = capacity, ttl
        self.now = 0
        self.rows = []
        self.stats = {"hits": 0, "misses": 0, "evictions": 0, "expirations": 0}

    def move(self, name, *args):
        """Play one move and give its answer."""
        live = [row for row in self.rows if row[2] is None or self.now < row[2]]
        self.stats["expirations"] += len(self.rows) - len(live)
        self.rows = live
        return getattr(self, name)(*args)

    def find(self, key):
        """The row of this key, or None."""
        return next((row for row in self.rows if row[0] == key), None)

    def tick(self, amount):
        """Let time pass."""
        self.now += amount

    def put(self, key, value):
        """Store with the cache's own life."""
        self.put_for(key, value, self.ttl)

    def put_for(self, key, value, ttl):
        """Store with this life."""
        self.delete(key)
        self.rows.append([key, value, None if ttl is None else self.now + ttl])
        while len(self.rows) > self.capacity:
            self.rows.pop(0)
            self.stats["evictions"] += self.capacity > 0

    def get(self, key):
        """Find, use and count."""
        row = self.find(key)
        self.stats["misses" if row is None else "hits"] += 1
        if row is None:
            return GONE
        self.rows.remove(row)
        self.rows.append(row)
        return row[1]

    def load(self, key, value):
        """Find, or store what a load would return."""
        found = self.get(key)
        if found == GONE:
            self.put(key, value)
            return value
        return found

    def peek(self, key):
        """Find without using."""
        row = self.find(key)
        return GONE if row is None else row[1]

    def delete(self, key):
        """Remove; whether there was something to remove."""
        row = self.find(key)
        if row is not None:
            self.rows.remove(row)
        return row is not None

    def has(self, key):
        """Whether the key is there."""
        return self.find(key) is not None

    def keys(self):
        """The order of use."""
        return [row[0] for row in self.rows]

    def told(self):
        """The counts."""
        return dict(self.stats)


def play(capacity, ttl, moves):
    """Play the moves on a new cache, on a clock of our own, and list every answer."""
    import cache

    now = [0]
    made = cache.Cache(capacity, ttl, lambda: now[0])
    answers = []
    for name, *args in moves:
        answer = None
        if name == "tick":
            now[0] += args[0]
        elif name == "put_for":
            made.put(args[0], args[1], ttl=args[2])
        elif name == "load":
            answer = made.get_or_load(args[0], lambda key, value=args[1]: value)
        elif name in ("get", "peek"):
            answer = getattr(made, name)(args[0], "gone")
        elif name == "has":
            answer = args[0] in made
        elif name == "told":
            answer = dict(made.stats())
        else:
            answer = getattr(made, name)(*args)
        answers.append(answer)
    return answers


def random_moves(rng, names, count):
    """Random calls on a handful of keys, so that they meet often."""
    keys = ["ash", "elm", "fir", "oak", "yew", 7, (1, "a")]
    moves = []
    for number in range(count):
        name, key = rng.choice(names), rng.choice(keys)
        rest = {
            "put": (key, number),
            "load": (key, number),
            "put_for": (key, number, rng.choice([None, 0.25, 1, 2.5, 6, 20])),
            "tick": (rng.choice([0.25, 0.5, 1, 3, 7]),),
            "keys": (),
            "told": (),
        }
        moves.append((name, *rest.get(name, (key,))))
    return moves


def agree(player, rng, names, lives, words, capacities=range(6)):
    """Play random moves on caches of these sizes, and fail with these words at the first different answer."""
    for number in range(ROUNDS):
        capacity, ttl = capacities[number % len(capacities)], rng.choice(lives)
        moves = random_moves(rng, names, 60)
        answers = player.drive(play, capacity, ttl, moves)
        model = Obvious(capacity, ttl)
        expected = [model.move(name, *args) for name, *args in moves]
        wrong = next((i for i in range(len(moves)) if answers[i] != expected[i]), None)
        called = {"has": "in", "told": "stats", "load": "get_or_load"}
        assert wrong is None, (
            f"{words} The first wrong answer came from {called.get(moves[wrong][0], moves[wrong][0])}."
        )


@pytest.mark.group("sequences")
def test_any_sequence_of_uses(player, rng):
    """After any sequence of calls the entries are there, and in the order, that their uses say."""
    names = ["put", "put", "put", "get", "get", "load", "peek", "has", "delete", "keys", "keys"]
    agree(player, rng, names, [None], "Random calls and a slow, obvious cache gave different answers.")


@pytest.mark.group("ages")
def test_any_sequence_in_time(player, rng):
    """With time passing between random calls, exactly the live entries are there, and every end is counted."""
    names = ["put", "put", "put_for", "put_for", "get", "get", "load", "peek", "has", "delete", "keys", "tick", "tick"]
    words = "Random calls with time passing and a slow, obvious cache gave different answers."
    # What a cache of no room does is asked where room is: here it has some.
    agree(player, rng, [*names, "told"], [None, 1, 2.5, 6], words, range(1, 6))
