"""Which job is taken when, and what its state is."""

import pytest

pytestmark = pytest.mark.clause("A JOB")

STATES = {"waiting", "blocked", "ready", "running", "resting", "done", "failed"}
# Steps: the name of a method and its arguments, or ("reopen",). A status is told as {job: (state, attempts, due)}.


def play(steps):
    """Play steps on a new book; return each answer, or the names of the error's classes."""
    import os

    os.fsync = lambda handle: None
    import titan

    if os.path.exists("journal"):
        os.remove("journal")
    book, told = titan.Titan("journal"), []
    for name, *args in steps:
        try:
            if name == "reopen":
                book.close()
                book = titan.Titan("journal")
                told.append(None)
            else:
                told.append(getattr(book, name)(*args))
        except Exception as error:
            told.append({"raised": [kind.__name__ for kind in type(error).__mro__]})
    return told


def short(thing):
    """A thing as it is written, its middle left out if it is long."""
    text = repr(thing)
    return text if len(text) <= 170 else f"{text[:110]} ... {text[-50:]}"


def same(got, due, what):
    """Fail unless something is what the contract says."""
    assert got == due, f"expected {short(due)} for {what}; got {short(got)}"


def jobs(status):
    """A status by job."""
    assert isinstance(status, dict), f"expected a dict from status(now); got {short(status)}"
    same(sorted(status), ["counts", "jobs", "now"], "the keys of status(now)")
    for job in status["jobs"]:
        same(sorted(job), ["attempts", "due", "id", "state"], "the keys of a job in status(now)")
    found = {job["id"]: (job["state"], job["attempts"], job["due"]) for job in status["jobs"]}
    counts = {state: sum(one[0] == state for one in found.values()) for state in STATES}
    same(
        dict(sorted(status["counts"].items())), dict(sorted(counts.items())), f"counts in the status of {short(found)}"
    )
    return found


def is_stale(answer):
    """Whether an answer is a StaleError."""
    return isinstance(answer, dict) and "StaleError" in answer.get("raised", [])


def order(*names, **settings):
    """A batch of jobs that wait for nothing."""
    return [{"id": name, **settings} for name in names]


def pair(answer):
    """What take gave, as a tuple."""
    return tuple(answer) if isinstance(answer, list | tuple) else answer


def stale(answer, call):
    """Fail unless an answer is a StaleError."""
    assert is_stale(answer), f"expected StaleError for {call}; got {short(answer)}"


@pytest.mark.group("queue")
@pytest.mark.advice(
    "Keep jobs in a dict in the order of adding."
    " Let `take` begin the first ready one in it, which is then running, and return (job, attempt) or None."
)
def test_first_in_first_out(player):
    """Ready jobs are taken in the order they were added, each of them once."""
    takes = [("take", 10)] * 4
    told = player.drive(play, [("add", order("melt", "cast")), ("add", order("bore")), *takes])
    same(told[:2], [2, 1], "add of 'melt' and 'cast', and of 'bore'")
    due = [("melt", 1), ("cast", 1), ("bore", 1), None]
    same([pair(one) for one in told[2:]], due, "4 times take(10) after 'melt', 'cast' and 'bore' were added")


@pytest.mark.group("queue")
@pytest.mark.clause("A BATCH", "A JOB")
@pytest.mark.advice(
    "Make a job ready only when all jobs in its `after` are done, in whatever order they were added."
    " Begin counts with dict.fromkeys of all seven states."
)
def test_jobs_wait_for_others(player):
    """A job is ready when all jobs it waits for are done, even later ones."""
    batch = [{"id": "fit", "after": ["cast", "bore", "cast"]}, *order("cast"), {"id": "bore", "after": ["cast"]}]
    steps = [("add", batch), ("take", 1), ("take", 1), ("status", 1), ("done", "cast", 1, 2), ("take", 3), ("take", 3)]
    steps += [("done", "bore", 1, 4), ("add", [{"id": "ship", "after": ["fit", "cast"]}]), ("status", 4), ("take", 5)]
    told = player.drive(play, steps)
    words = "'fit' after 'cast' and 'bore', 'bore' after 'cast'"
    same([pair(told[1]), told[2]], [("cast", 1), None], f"2 times take(1): {words}")
    due = {"fit": ("waiting", 0, None), "cast": ("running", 1, 61), "bore": ("waiting", 0, None)}
    same(jobs(told[3]), due, f"status(1) with 'cast' taken at 1: {words}")
    same(told[4], True, "done('cast', 1, 2), taken at 1")
    same([pair(told[5]), told[6]], [("bore", 1), None], f"2 times take(3) with 'cast' done: {words}")
    done = {"cast": ("done", 1, None), "bore": ("done", 1, None)}
    due = {"fit": ("ready", 0, None), **done, "ship": ("waiting", 0, None)}
    same(jobs(told[9]), due, "status(4) with 'cast' and 'bore' done, and 'ship' added after 'fit' and 'cast'")
    same([job["id"] for job in told[9]["jobs"]], ["fit", "cast", "bore", "ship"], "the order of jobs in status(4)")
    same(pair(told[10]), ("fit", 1), f"take(5) with 'cast' and 'bore' done: {words}")


@pytest.mark.group("queue")
@pytest.mark.clause("STATUS")
@pytest.mark.advice(
    "List status from one dict to which only `add` adds."
    " Change a job in place: never sort, and never take one out to put it back."
)
def test_jobs_are_listed_by_age(player):
    """A status lists jobs in the order they were added, whatever their states."""
    steps = [("add", order("melt", "cast", "bore")), ("take", 1), ("take", 1), ("fail", "melt", 1, 2)]
    for status in player.drive(play, [*steps, ("status", 3), ("done", "cast", 1, 4), ("status", 5)])[4::2]:
        listed = [job["id"] for job in status["jobs"]]
        same(listed, ["melt", "cast", "bore"], "the order of jobs in status(now), one failed, one taken, one ready")


@pytest.mark.group("queue")
@pytest.mark.advice(
    "In each status, walk from the jobs failed for good to all that wait for them, with a list as stack: these are"
    " blocked. Count all seven states."
)
def test_what_can_never_be(player):
    """When a job has failed for good, all that wait for it, directly or not, block."""
    batch = [
        *order("melt", attempts=1),
        {"id": "cast", "after": ["melt"]},
        {"id": "fit", "after": ["cast", "saw"]},
        *order("saw"),
    ]
    steps = [("add", batch), ("take", 1), ("fail", "melt", 1, 2), ("status", 2), ("take", 3), ("take", 3)]
    told = player.drive(play, [*steps, ("add", [{"id": "late", "after": ["fit"]}]), ("status", 4)])
    same(told[2], True, "fail('melt', 1, 2), taken at 1")
    due = {
        "melt": ("failed", 1, None),
        "cast": ("blocked", 0, None),
        "fit": ("blocked", 0, None),
        "saw": ("ready", 0, None),
    }
    same(jobs(told[3]), due, "status(2), 'melt' failed for good, 'cast' after 'melt', 'fit' after 'cast' and 'saw'")
    same([pair(told[4]), told[5]], [("saw", 1), None], "2 times take(3), all but 'saw' failed or blocked")
    same(jobs(told[7]).get("late"), ("blocked", 0, None), "'late' in status(4), added after 'fit', which is blocked")


@pytest.mark.group("timing")
@pytest.mark.advice(
    "When the n-th attempt fails at t, the job rests until t + min(3600, backoff * 2**(n - 1)), and is ready then."
    " Begin counts with all seven states."
)
def test_rests_double(player):
    """After each failed attempt a job rests twice as long, at most an hour."""
    steps, now, expected = [("add", order("cast", attempts=9, backoff=50))], 100, []
    for attempt in range(1, 9):
        rest = min(3600, 50 * 2 ** (attempt - 1))
        steps += [("take", now), ("fail", "cast", attempt, now + 7), ("status", now + 7)]
        steps += [("take", now + 7 + rest - 1), ("status", now + 7 + rest)]
        expected.append((attempt, now + 7 + rest))
        now += 7 + rest
    told = player.drive(play, steps)[1:]
    for number, (attempt, due) in enumerate(expected):
        taken, _, resting, early, ready = told[number * 5 : number * 5 + 5]
        words = f"after attempt {attempt} failed, backoff 50, its rest ending at {due}"
        same(pair(taken), ("cast", attempt), f"take when the rest before attempt {attempt} is over")
        same(jobs(resting).get("cast"), ("resting", attempt, due), f"the state {words}")
        same(early, None, f"take({due - 1}) {words}")
        same(jobs(ready).get("cast"), ("ready", attempt, None), f"the state at {due} {words}")


@pytest.mark.group("timing")
@pytest.mark.clause("LIBRARY", "A BATCH")
@pytest.mark.advice(
    "Fill in attempts=3 and backoff=60 only where the key is missing (0 is a value), and lease=60."
    " The first rest is backoff * 2**0, over once now >= due."
)
def test_settings_that_nobody_gave(player):
    """By default there are three attempts, with 60 s of rest and 60 s of lease."""
    steps = [("add", order("cast")), ("take", 5), ("status", 5), ("fail", "cast", 1, 6), ("status", 6), ("take", 66)]
    steps += [("fail", "cast", 2, 70), ("take", 190), ("fail", "cast", 3, 191), ("status", 191)]
    told = player.drive(play, steps)
    same(jobs(told[2]).get("cast"), ("running", 1, 65), "the state at 5 of a job taken at 5, no lease given")
    same(jobs(told[4]).get("cast"), ("resting", 1, 66), "the state at 6 of a job that failed at 6, no backoff given")
    same(
        jobs(told[9]).get("cast"), ("failed", 3, None), "the state of a job that failed three times, no attempts given"
    )
    told = player.drive(play, [("add", order("saw", backoff=0)), ("take", 5), ("fail", "saw", 1, 6), ("take", 6)])
    same(pair(told[3]), ("saw", 2), "take(6) of a job that failed at 6, backoff 0")


@pytest.mark.group("timing")
@pytest.mark.advice(
    "First end every running attempt with due <= now: it failed at due, not at now, and rests or has failed for good."
    " For it, `done` is a StaleError."
)
def test_a_lease_is_over(player):
    """An attempt fails at the end of its lease, however late somebody looks."""
    steps = [("add", order("cast", attempts=2, backoff=10)), ("take", 100, 30), ("status", 129), ("status", 130)]
    steps += [("take", 139), ("done", "cast", 1, 139), ("take", 140, 5), ("status", 999)]
    told = player.drive(play, [*steps, ("done", "cast", 2, 999), ("take", 1000)])
    lease = "after take(100, 30), attempts 2, backoff 10"
    same(jobs(told[2]).get("cast"), ("running", 1, 130), f"the state at 129 {lease}")
    same(jobs(told[3]).get("cast"), ("resting", 1, 140), f"the state at 130 {lease}")
    same(told[4], None, f"take(139) {lease}")
    stale(told[5], f"done('cast', 1, 139) {lease}")
    same(pair(told[6]), ("cast", 2), f"take(140) {lease}")
    same(jobs(told[7]).get("cast"), ("failed", 2, None), f"the state at 999 {lease}, and take(140, 5)")
    stale(told[8], f"done('cast', 2, 999) {lease}, and take(140, 5)")
    same(told[9], None, f"take(1000) {lease}, and take(140, 5)")
    told = player.drive(play, [("add", order("saw", backoff=10)), ("take", 100, 30), ("status", 137), ("take", 140)])
    lease = "after take(100, 30), backoff 10, if nobody looked until 137"
    same(jobs(told[2]).get("saw"), ("resting", 1, 140), f"the state at 137 {lease}")
    same(pair(told[3]), ("saw", 2), f"take(140) {lease}")


@pytest.mark.group("timing")
@pytest.mark.clause("LIBRARY")
@pytest.mark.advice(
    "End leases first. Then raise StaleError unless attempt is the job's latest, above 0, and is running (True) or"
    " has ended in the same way (False)."
)
def test_said_once_and_again(player):
    """A repeated report counts for nothing; any other on an ended attempt is stale."""
    steps = [
        ("add", order("cast", attempts=3, backoff=10)),
        ("done", "cast", 0, 1),
        ("fail", "cast", 1, 1),
        ("take", 1),
    ]
    steps += [("done", "cast", 2, 2), ("fail", "cast", 1, 2), ("fail", "cast", 1, 5), ("done", "cast", 1, 5)]
    steps += [("status", 5), ("take", 12), ("fail", "cast", 1, 13), ("done", "cast", 2, 14), ("done", "cast", 2, 900)]
    told = player.drive(play, [*steps, ("fail", "cast", 2, 900), ("done", "nobody", 1, 900), ("status", 900)])
    stale(told[1], "done('cast', 0, 1), 'cast' never taken")
    stale(told[2], "fail('cast', 1, 1), 'cast' never taken")
    stale(told[4], "done('cast', 2, 2) in the first attempt")
    same(told[5:7], [True, False], "fail('cast', 1, 2) and fail('cast', 1, 5) of the latest attempt")
    stale(told[7], "done('cast', 1, 5) after fail('cast', 1, 2)")
    same(jobs(told[8]).get("cast"), ("resting", 1, 12), "the state at 5 after fail at 2 and again at 5, backoff 10")
    same(pair(told[9]), ("cast", 2), "take(12) after fail at 2, backoff 10")
    stale(told[10], "fail('cast', 1, 13) in the second attempt")
    same(told[11:13], [True, False], "done('cast', 2, 14) and done('cast', 2, 900) of the latest attempt")
    stale(told[13], "fail('cast', 2, 900) after done('cast', 2, 14)")
    stale(told[14], "done('nobody', 1, 900) of a job that doesn't exist")
    same(jobs(told[15]).get("cast"), ("done", 2, None), "the state at 900 after done('cast', 2, 14)")
    told = player.drive(play, [("add", order("saw")), ("take", 1, 10), ("fail", "saw", 1, 11), ("status", 11)])
    # "As if fail had been said then": by that it is a repeat, and yet nobody has said it.
    assert told[2] is False or is_stale(told[2]), (
        f"expected False or StaleError for fail('saw', 1, 11) after take(1, 10); got {short(told[2])}"
    )


class Model:
    """The contract, played slowly."""

    def __init__(self):
        self.jobs = {}

    def add(self, batch):
        for job in batch:
            self.jobs[job["id"]] = {**job, "begun": 0, "how": "", "due": 0}
        return len(batch)

    def look(self, name, now):
        job = self.jobs[name]
        if job["how"] == "running" and job["due"] <= now:
            self.end(job, "lost", job["due"])
        if job["how"] in ("fail", "lost") and job["begun"] >= job["attempts"]:
            return "failed", None
        if job["how"] in ("done", "running"):
            return job["how"], job["due"] if job["how"] == "running" else None
        others = [self.look(other, now)[0] for other in job["after"]]
        if {"failed", "blocked"} & set(others):
            return "blocked", None
        if set(others) - {"done"}:
            return "waiting", None
        return ("resting", job["due"]) if job["due"] > now else ("ready", None)

    def end(self, job, how, now):
        job["how"] = how
        job["due"] = now + min(3600, job["backoff"] * 2 ** (job["begun"] - 1))

    def take(self, now, lease):
        for name, job in self.jobs.items():
            if self.look(name, now)[0] == "ready":
                job.update(begun=job["begun"] + 1, how="running", due=now + lease)
                return [name, job["begun"]]
        return None

    def say(self, how, name, attempt, now):
        job = self.jobs[name]
        self.look(name, now)
        if attempt == job["begun"] and (job["how"], how) == ("lost", "fail"):
            return "stale or a repeat"
        if attempt != job["begun"] or job["how"] not in ("running", how):
            return "stale"
        if job["how"] == how:
            return False
        self.end(job, how, now)
        return True

    def status(self, now):
        return {name: (*self.look(name, now), job["begun"]) for name, job in self.jobs.items()}


def some_steps(rng):
    """A random life of a book, and what the contract answers."""
    model, steps, answers, now, names = Model(), [], [], 0, []
    for _ in range(160):
        choice = rng.random()
        now += rng.choice([0, 1, 1, 3, 10, 40])
        if choice < 0.12 or not names:
            fresh = [f"job {len(names) + number}" for number in range(rng.randint(1, 4))]
            batch = []
            for name in fresh:
                after = rng.sample(names, min(len(names), rng.choice([0, 0, 1, 2])))
                batch.append(
                    {"id": name, "after": after, "attempts": rng.randint(1, 3), "backoff": rng.choice([0, 5, 40])}
                )
            names += fresh
            steps.append(("add", batch))
            answers.append(model.add(batch))
        elif choice < 0.5:
            lease = rng.choice([1, 10, 60])
            steps.append(("take", now, lease))
            answers.append(model.take(now, lease))
        elif choice < 0.85:
            running = [name for name in names if model.look(name, now)[0] == "running"]
            name = rng.choice(running or names)
            attempt = max(0, model.jobs[name]["begun"] - (rng.random() < 0.1))
            how = rng.choice(["done", "done", "fail"])
            steps.append((how, name, attempt, now))
            answers.append(model.say(how, name, attempt, now))
        else:
            steps.append(("status", now))
            answers.append(model.status(now))
    return steps, answers


def matches(step, got, due):
    """Whether an answer is the contract's."""
    if step[0] == "status":
        return {name: (state, due, begun) for name, (state, begun, due) in jobs(got).items()} == due
    if due == "stale or a repeat":
        return got is False or is_stale(got)
    if due == "stale":
        return is_stale(got)
    return (list(got) if isinstance(got, tuple) else got) == due


def expected_of(steps):
    """The contract's answers, or None if a step names a job that was never added."""
    model, answers = Model(), []
    for name, *args in steps:
        known = set(model.jobs)
        others = {other for job in args[0] for other in job["after"]} if name == "add" else set()
        if others - known or (name in ("done", "fail") and args[0] not in known):
            return None
        answers.append(model.say(name, *args) if name in ("done", "fail") else getattr(model, name)(*args))
    return answers


def difference(player, steps):
    """The first step with another answer than the contract's, that answer, and what the book gave."""
    answers = expected_of(steps)
    if answers is None:
        return None
    for number, got in enumerate(player.drive(play, steps)):
        if not matches(steps[number], got, answers[number]):
            return number, answers[number], got
    return None


def shortest(player, steps, found):
    """The steps up to the one that differs, less those that it also differs without; and the difference."""
    steps = steps[: found[0] + 1]
    for size in (32, 8, 2, 1):
        number = len(steps) - 1 - size
        while number >= 0:
            fewer = steps[:number] + steps[number + size :]
            if again := difference(player, fewer):
                steps, found = fewer[: again[0] + 1], again
            number = min(number, len(steps) - 1) - size
    return steps, found


@pytest.mark.group("histories")
@pytest.mark.parametrize("life", range(4), ids=["first", "second", "third", "fourth"])
@pytest.mark.clause("A JOB", "STATUS")
@pytest.mark.advice(
    "Repeat the calls shown, and step through the last."
    " Leases run out there before anybody looks: end them, at their own times, before each answer."
)
def test_random_lives(player, rng, life):
    """With random batches, takes and leases, every answer is the contract's."""
    steps, _ = some_steps(rng)
    if found := difference(player, steps):
        steps, (_, due, got) = shortest(player, steps, found)
        if steps[-1][0] == "status":
            got = {name: (state, due, begun) for name, (state, begun, due) in jobs(got).items()}
            due, got = (
                {name: one for name, one in side.items() if due.get(name) != got.get(name)} for side in (due, got)
            )
        calls = "; ".join(f"{name}({', '.join(map(repr, args))})" for name, *args in steps)
        raise AssertionError(f"expected {short(due)} from the last of: {calls}; got {short(got)}")


@pytest.mark.group("histories")
@pytest.mark.limits(seconds=5)
@pytest.mark.clause("A BATCH", "A JOB")
@pytest.mark.advice(
    "Build a dict from each job to those that wait for it, and mark blocked ones with a list as stack."
    " Use no recursion, and visit each job once."
)
def test_a_long_chain_is_worked(player):
    """In a chain of thousands of jobs, the end is ready, or all are blocked."""
    chain = [{"id": f"link {number}", "after": [f"link {number + 1}"]} for number in range(1200)]
    chain.append({"id": "link 1200", "attempts": 1})
    steps = [("take", 1), ("fail", "link 1200", 1, 2), ("status", 3), ("reopen",), ("status", 4)]
    told = player.drive(play, [("add", chain), *steps])
    if told[0] != 1201:
        return  # Whether long chains are added is asked where admission is.
    same(pair(told[1]), ("link 1200", 1), "take(1) of a chain of 1201 jobs that ends in 'link 1200'")
    for status, when in ((told[3], "status(3)"), (told[5], "status(4) after reopening")):
        assert isinstance(status, dict), f"expected a dict for {when} of a chain of 1201 jobs; got {short(status)}"
        counts = {state: status["counts"].get(state) for state in ("blocked", "failed")}
        same(counts, {"blocked": 1200, "failed": 1}, f"counts in {when} of a chain of 1201 jobs whose end has failed")


@pytest.mark.group("histories")
@pytest.mark.advice(
    "Let each `take` go through the jobs in the order of adding."
    " Don't move a job to the end of a queue, or sort by attempts or id."
)
def test_a_rested_job_keeps_its_turn(player):
    """A rested job is taken before those that were added after it."""
    steps = [("add", order("melt", "cast", "bore", backoff=1)), ("take", 1), ("take", 1), ("fail", "melt", 1, 2)]
    told = player.drive(play, [*steps, ("take", 30), ("take", 30), ("take", 30)])
    due = [("melt", 2), ("bore", 1), None]
    same([pair(one) for one in told[4:]], due, "3 times take(30) of 'melt', rested, 'cast', under way, and 'bore'")


def side_by_side():
    """Work with two books at once; return what each of them knows."""
    import titan

    one, other = titan.Titan("one"), titan.Titan("other")
    told = [one.add([{"id": "melt"}], "monday"), other.add([{"id": "melt"}, {"id": "cast"}], "monday")]
    told += [one.take(1), other.take(1), other.take(1), one.take(1)]
    told += [[job["id"] for job in book.status(1)["jobs"]] for book in (one, other)]
    one.close()
    other.close()
    return told


@pytest.mark.group("apart")
@pytest.mark.clause("LIBRARY")
@pytest.mark.advice(
    "Set jobs, keys and journal in __init__, on self."
    " Keep none of them in the class, in the module or as a default argument."
)
def test_two_books(player):
    """Two books over two journals are independent of each other."""
    told = [list(one) if isinstance(one, tuple) else one for one in player.drive(side_by_side)]
    words = "of two books with separate journals"
    same(told[:2], [1, 2], f"add({{'melt'}}, 'monday') and add({{'melt', 'cast'}}, 'monday') {words}")
    same(told[2:6], [["melt", 1], ["melt", 1], ["cast", 1], None], f"take(1) {words}")
    same(told[6:], [["melt"], ["melt", "cast"]], f"the jobs {words}")
