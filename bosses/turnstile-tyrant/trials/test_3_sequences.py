"""Random sequences of calls, beside a slow and obvious limiter."""

import pytest

pytestmark = pytest.mark.clause("THE RULE", "METHODS")

ROUNDS = 10


class Obvious:
    """A list of [time, key, cost], never cleaned. Slow, and easy to believe."""

    def __init__(self, limit, period, now):
        self.limit, self.period, self.now = limit, period, now
        self.own = {}
        self.grants = []

    def in_use(self, key, at):
        """The units that will still be in use at some time if nobody takes any."""
        return sum(cost for time, name, cost in self.grants if name == key and at < time + self.period)

    def free(self, key, at=None):
        """The units that are, or will be, free."""
        return self.own.get(key, self.limit) - self.in_use(key, self.now if at is None else at)

    def tick(self, amount):
        """Let time pass."""
        self.now += amount

    def take(self, key, cost):
        """What try_acquire should answer."""
        if cost > self.own.get(key, self.limit):
            return "refused"
        if cost > self.free(key):
            return False
        self.grants.append((self.now, key, cost))
        return True

    def wait(self, key, cost):
        """What retry_after should answer."""
        if cost > self.own.get(key, self.limit):
            return "refused"
        moments = [self.now, *(time + self.period for time, _, _ in self.grants if time + self.period > self.now)]
        return min(at for at in moments if cost <= self.free(key, at)) - self.now

    def look(self, key):
        """What available should answer."""
        return max(0, self.free(key))

    def allow(self, key, limit):
        """Set a limit, or take it away."""
        self.own[key] = limit
        if limit is None:
            del self.own[key]

    def count(self):
        """What len should answer."""
        return len({key for time, key, _ in self.grants if self.now < time + self.period})


def play(limit, period, now, moves, with_taken=False):
    """Play the moves on a new limiter, on a clock of our own, and list every answer; of takes also the units taken."""
    import limiter

    time = [now]
    gate = limiter.RateLimiter(limit, period, lambda: time[0])
    answers = []
    for name, *args in moves:
        answer = None
        try:
            if name == "tick":
                time[0] += args[0]
            elif name == "take":
                free = gate.available(args[0])
                answer = gate.try_acquire(*args)
                taken = free - gate.available(args[0])
            elif name == "wait":
                answer = gate.retry_after(*args)
            elif name == "look":
                answer = gate.available(*args)
            elif name == "allow":
                gate.set_limit(*args)
            else:
                answer = len(gate)
        except ValueError:
            answer = "refused"
        answers.append((answer, taken) if with_taken and name == "take" and answer != "refused" else answer)
    return answers


def random_moves(rng, names, count, number):
    """Random calls on a few keys, so that they meet often; each round has its own, for state may be shared."""
    moves = []
    for _ in range(count):
        name, key = rng.choice(names), rng.choice([f"ox{number}", f"cart{number}", 7 + number, (number, "a")])
        rest = {
            "take": (key, rng.choice([1, 1, 1, 2, 3, 5])),
            "wait": (key, rng.choice([1, 1, 2, 3])),
            "look": (key,),
            "allow": (key, rng.choice([None, 1, 2, 4, 6])),
            "tick": (rng.choice([0.25, 0.5, 1, 2, 5]),),
        }
        moves.append((name, *rest.get(name, ())))
    return moves


CALLED = {"take": "try_acquire", "wait": "retry_after", "look": "available", "count": "len", "allow": "set_limit"}


def shown(move):
    """A move as it is written."""
    return f"{CALLED.get(move[0], 'wait')}({', '.join(map(repr, move[1:]))})"


def difference(player, setting, moves):
    """The first move with another answer than an obvious limiter gives, what was expected, and what it gave."""
    answers = player.drive(play, *setting, moves)
    model = Obvious(*setting)
    for number, (name, *args) in enumerate(moves):
        due = getattr(model, name)(*args)
        if answers[number] != due:
            return number, due, answers[number]
    return None


def shortest(player, setting, moves, found):
    """The moves up to the one that differs, less those that it also differs without; and the difference."""
    moves = moves[: found[0] + 1]
    for number in reversed(range(len(moves) - 1)):
        fewer = moves[:number] + moves[number + 1 :]
        if again := difference(player, setting, fewer):
            moves, found = fewer[: again[0] + 1], again
    return moves, found


# Time goes on from round to round: in a limiter that shares its state, everything of the rounds before has ended.
ROUND_SECONDS = 1000


@pytest.mark.group("sequences")
@pytest.mark.advice(
    "Replay the calls shown, and before the last add up the costs of the key's grants with now < end. Mind limits "
    "set midway, and costs above them."
)
def test_any_sequence_of_calls(player, rng):
    """After any sequence of calls and pauses, exactly what is free is let through."""
    names = ["take"] * 6 + ["look", "look", "count", "allow", "tick", "tick", "tick"]
    start = rng.choice([-6, -3006, 250.5])
    for number in range(ROUNDS):
        setting = 1 + number % 5, rng.choice([0.5, 2, 3.25, 8]), start + number * ROUND_SECONDS
        moves = random_moves(rng, names, 80, number)
        if found := difference(player, setting, moves):
            moves, (_, due, got) = shortest(player, setting, moves, found)
            calls = "; ".join(map(shown, moves))
            raise AssertionError(
                f"expected {due!r} from the last of: {calls}, limit {setting[0]}, period {setting[1]}; got {got!r}"
            )


def slides(player):
    """Whether units are free exactly one period after they were taken; if not, it is reported with counting."""
    now = [-50]
    gate = player.module("limiter").RateLimiter(2, 10, lambda: now[0])
    gate.try_acquire("mule")
    seen = []
    for later in (4, 5.75, 0.25, 3.75, 0.25):
        now[0] += later
        seen.append(gate.try_acquire("mule"))
    return seen == [True, False, True, False, True]


@pytest.mark.group("punctual")
@pytest.mark.clause("METHODS")
@pytest.mark.advice(
    "Add up the key's grants from the oldest until cost fits under its own limit, and return that end - now, "
    "unrounded. Return 0 if it fits already."
)
def test_any_wait_foretold(player, rng):
    """After any sequence of calls, retry_after says exactly when units are free."""
    if not slides(player):
        return
    names = ["take"] * 5 + ["wait", "wait", "wait", "tick", "tick"]
    start = rng.choice([1000, 1250.5])
    for number in range(ROUNDS):
        limit, period, now = 1 + number % 5, rng.choice([1.25, 2, 3.25, 8]), start + number * ROUND_SECONDS
        moves = random_moves(rng, names, 80, number)
        answers = player.drive(play, limit, period, now, moves, True)
        model = Obvious(limit, period, now)
        for place, ((name, *args), answer) in enumerate(zip(moves, answers, strict=True)):
            # What is let through, and what is refused with an error, is for the trials of counting to say.
            if name == "take" and answer != "refused":
                model.grants.append((model.now, args[0], answer[1]))
            elif name == "wait" and "refused" not in (answer, due := model.wait(*args)):
                before = [move for move in moves[:place] if move[0] == "tick" or move[1] == args[0]][-6:]
                assert answer == due, (
                    f"expected {due} for {shown(moves[place])} after ... {'; '.join(map(shown, before))}, "
                    f"limit {limit}, period {period}; got {answer!r}"
                )
            elif name == "tick":
                model.tick(*args)
