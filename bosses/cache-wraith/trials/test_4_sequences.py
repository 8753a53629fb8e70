"""Random sequences of calls, beside a slow and obvious cache."""

from dataclasses import dataclass, replace

import pytest

pytestmark = pytest.mark.clause("USE", "METHODS")

GONE = "gone"
ROUNDS = 12
KEYS = ["ash", "elm", "fir", "oak", "yew", 7, (1, "a")]
PLENTY = 99
"""More places than entries are put: nothing is ever evicted."""
CALLS = {"has": "in", "load": "get_or_load", "put_for": "put"}


class Obvious:
    """A list of [key, value, end], the least recently used first. Slow, and easy to believe."""

    def __init__(self, capacity, ttl):
        self.capacity, self.ttl = capacity, ttl
        self.now = 0
        self.rows = []

    def move(self, name, *args):
        """Play one move and give its answer."""
        self.rows = [row for row in self.rows if row[2] is None or self.now < row[2]]
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
        del self.rows[: max(0, len(self.rows) - self.capacity)]

    def get(self, key):
        """Find and use."""
        row = self.find(key)
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
        """Remove."""
        self.rows = [row for row in self.rows if row[0] != key]

    def has(self, key):
        """Whether the key is there."""
        return self.find(key) is not None

    def keys(self):
        """The order of use."""
        return [row[0] for row in self.rows]

    def kept(self):
        """Which keys are there, in any order."""
        return sorted(self.keys(), key=repr)


def play(capacity, ttl, moves):
    """Play the moves on a new cache, on a clock of our own, and list every answer.

    What put and delete answer is judged elsewhere, and so is a cache that finds the entries of another one.
    """
    import cache

    now = [0]
    made = cache.Cache(capacity, ttl, lambda: now[0])
    made.clear()
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
        elif name == "delete":
            made.delete(args[0])
        elif name == "kept" or name == "keys":
            answer = made.keys()
        else:
            made.put(*args)
        answers.append(answer)
    return answers


def random_moves(rng, names, count):
    """Random calls on a handful of keys, so that they meet often."""
    moves = []
    for number in range(1, count + 1):
        name, key = rng.choice(names), rng.choice(KEYS)
        arguments = {
            "put": (key, number),
            "load": (key, number),
            "put_for": (key, number, rng.choice([None, 0.25, 1, 2.5, 6, 20])),
            "tick": (rng.choice([0.25, 0.5, 1, 3, 7]),),
            "keys": (),
            "kept": (),
        }
        moves.append((name, *arguments.get(name, (key,))))
    return moves


@dataclass(frozen=True)
class Game:
    """A cache and what is done to it."""

    capacity: int
    ttl: float | None
    moves: list

    def difference(self, player):
        """The position of the first answer that differs from the obvious cache's, with both; None if all agree."""
        model = Obvious(self.capacity, self.ttl)
        answers = player.drive(play, self.capacity, self.ttl, self.moves)
        for position, (move, got) in enumerate(zip(self.moves, answers, strict=True)):
            expected = model.move(*move)
            if move[0] == "kept":
                got = sorted(got, key=repr)
            if got != expected:
                return position, expected, got
        return None

    def without_time(self):
        """The same game on a clock that stands still."""
        return replace(self, moves=[move for move in self.moves if move[0] != "tick"])

    def shortened(self, player):
        """A game as short as single calls can be dropped from it, the last ones first, while it still differs."""
        game, position = self, self.difference(player)[0]
        game = replace(self, moves=self.moves[: position + 1])
        for index in reversed(range(position)):
            shorter = replace(game, moves=[*game.moves[:index], *game.moves[index + 1 :]])
            if shorter.difference(player) is not None:
                game = shorter
        return game

    def __str__(self):
        """The calls in words."""
        calls = [f"clock += {move[1]}" if move[0] == "tick" else call_words(*move) for move in self.moves]
        return f"Cache({self.capacity}, ttl={self.ttl}): {'; '.join(calls)}"


def call_words(name, *args):
    """A call as a person would write it."""
    if name == "has":
        return f"{args[0]!r} in cache"
    if name == "kept":
        return "sorted(keys())"
    if name == "load":
        return f"get_or_load({args[0]!r}, <returns {args[1]}>)"
    shown = [repr(arg) for arg in args]
    if name == "put_for":
        shown[2] = f"ttl={shown[2]}"
    return f"{CALLS.get(name, name)}({', '.join(shown)})"


def random_games(rng, names, lives, capacities):
    """Some games on caches of these sizes and lives."""
    return [
        Game(capacities[number % len(capacities)], rng.choice(lives), random_moves(rng, names, 60))
        for number in range(ROUNDS)
    ]


def agree(player, games):
    """Fail at the first game in which an answer differs, with the shortest form of it."""
    wrong = next((game for game in games if game.difference(player) is not None), None)
    if wrong is not None:
        game = wrong.shortened(player)
        _, expected, got = game.difference(player)
        raise AssertionError(f"expected {expected!r} from the last call; got {got!r}. {game}")


@pytest.mark.group("sequences")
@pytest.mark.advice(
    "Replay the calls shown, and write down the order after each. put, get and get_or_load move a key to the end; "
    "delete frees its place."
)
def test_any_sequence_of_uses(player, rng):
    """After any sequence of calls, the right entries are there in the right order."""
    names = ["put", "put", "put", "get", "get", "load", "peek", "has", "delete", "keys", "keys"]
    agree(player, random_games(rng, names, [None], range(6)))


TIMED = ["put", "put", "put_for", "put_for", "get", "get", "peek", "has", "delete", "kept", "tick", "tick"]


@pytest.mark.group("ages")
@pytest.mark.clause("LIFE", "METHODS")
@pytest.mark.advice(
    "Replay the calls shown. Each put sets a new end and replaces the old; no get does. Begin every method by "
    "removing all that has expired."
)
def test_any_sequence_in_time(player, rng):
    """With random calls, time passing, and room for all, exactly live entries remain."""
    agree(player, random_games(rng, TIMED, [None, 1, 2.5, 6], [PLENTY]))


@pytest.mark.group("ages")
@pytest.mark.clause("LIFE", "METHODS")
@pytest.mark.advice(
    "Replay the calls shown. In put, remove all expired entries first, wherever they are in the order; evict only "
    "if no place is free then."
)
def test_any_sequence_in_time_and_little_room(player, rng):
    """Expired entries make room before a live one has to leave.

    A cache that lets the wrong entries leave while time stands still is judged for that elsewhere, not here.
    """
    games = random_games(rng, TIMED, [None, 1, 2.5, 6], range(1, 6))
    if all(game.without_time().difference(player) is None for game in games):
        agree(player, games)
