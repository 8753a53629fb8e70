"""Random sequences of calls, beside a slow and obvious limiter."""

import pytest

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

    def believe(self, answer, key, cost):
        """Note what a program that was asked to take has taken, whether or not it should have."""
        if answer is True:
            self.grants.append((self.now, key, cost))

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


def play(limit, period, now, moves):
    """Play the moves on a new limiter, on a clock of our own, and list every answer."""
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
                answer = gate.try_acquire(*args)
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
        answers.append(answer)
    return answers


def random_moves(rng, names, count):
    """Random calls on a few keys, so that they meet often."""
    moves = []
    for _ in range(count):
        name, key = rng.choice(names), rng.choice(["ox", "cart", 7, (1, "a")])
        rest = {
            "take": (key, rng.choice([1, 1, 1, 2, 3, 5])),
            "wait": (key, rng.choice([1, 1, 2, 3])),
            "look": (key,),
            "allow": (key, rng.choice([None, 1, 2, 4, 6])),
            "tick": (rng.choice([0.25, 0.5, 1, 2, 5]),),
        }
        moves.append((name, *rest.get(name, ())))
    return moves


def agree(player, rng, names, words):
    """Play random moves on limiters of all sizes, and fail with these words at the first different answer."""
    called = {"take": "try_acquire", "wait": "retry_after", "look": "available", "count": "len"}
    for number in range(ROUNDS):
        limit, period, now = 1 + number % 5, rng.choice([0.5, 2, 3.25, 8]), rng.choice([-6, 0, 250.5])
        moves = random_moves(rng, names, 80)
        answers = player.drive(play, limit, period, now, moves)
        model = Obvious(limit, period, now)
        expected = [getattr(model, name)(*args) for name, *args in moves]
        assert len(answers) == len(expected), "Every call gets an answer."
        wrong = next((i for i in range(len(moves)) if answers[i] != expected[i]), None)
        assert wrong is None, (
            f"{words} The first wrong answer came from {called.get(moves[wrong][0], moves[wrong][0])}."
        )


@pytest.mark.group("sequences")
def test_any_sequence_of_calls(player, rng):
    """After any sequence of calls and pauses, exactly what is free is let through."""
    names = ["take"] * 6 + ["look", "look", "count", "allow", "tick", "tick", "tick"]
    agree(player, rng, names, "Random calls and a slow, obvious limiter gave different answers.")


@pytest.mark.group("punctual")
def test_any_wait_foretold(player, rng):
    """After any sequence of calls, retry_after tells exactly when the units will be free."""
    names = ["take"] * 5 + ["wait", "wait", "wait", "allow", "tick", "tick"]
    for number in range(ROUNDS):
        limit, period, now = 1 + number % 5, rng.choice([1.25, 2, 3.25, 8]), rng.choice([0, 250.5])
        moves = random_moves(rng, names, 80)
        answers = player.drive(play, limit, period, now, moves)
        model = Obvious(limit, period, now)
        assert len(answers) == len(moves), "Every call gets an answer."
        for (name, *args), answer in zip(moves, answers, strict=True):
            # What is let through, and what is refused with an error, is for the trials of counting to say.
            if name == "take":
                model.believe(answer, *args)
            elif name == "wait" and "refused" not in (answer, model.wait(*args)):
                assert answer == model.wait(*args), (
                    f"expected {model.wait(*args)} s from retry_after for a cost of {args[1]}; got {answer}"
                )
            elif name in ("tick", "allow"):
                getattr(model, name)(*args)
