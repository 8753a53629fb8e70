"""Which job is taken when, and what its state is."""

import pytest

STATES = {"waiting", "blocked", "ready", "running", "resting", "done", "failed"}
# Steps: the name of a method and its arguments, or ("reopen",). A status is told as {job: (state, attempts, due)}.


def play(steps):
    """Play steps on a new book; tell each answer, or the names of the error's classes."""
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


def jobs(status):
    """A status by job."""
    assert isinstance(status, dict), "status gives a dict."
    assert set(status) == {"now", "counts", "jobs"}, "A status has exactly now, counts and jobs."
    for job in status["jobs"]:
        assert set(job) == {"id", "state", "attempts", "due"}, (
            "A job of a status has exactly id, state, attempts and due."
        )
    found = {job["id"]: (job["state"], job["attempts"], job["due"]) for job in status["jobs"]}
    counts = {state: sum(one[0] == state for one in found.values()) for state in STATES}
    assert status["counts"] == counts, "counts has all seven states, each with how many jobs are in it."
    return found


def is_stale(answer):
    """Whether an answer is a StaleError."""
    return isinstance(answer, dict) and "StaleError" in answer.get("raised", [])


def order(*names, **settings):
    """A batch of jobs that wait for nothing."""
    return [{"id": name, **settings} for name in names]


@pytest.mark.group("queue")
def test_first_in_first_out(player):
    """Ready jobs are taken in the order they were added, each once, until none is left."""
    takes = [("take", 10)] * 4
    told = player.drive(play, [("add", order("melt", "cast")), ("add", order("bore")), *takes])
    assert told[:2] == [2, 1], "add returns how many jobs were added."
    taken = [tuple(one) if isinstance(one, list | tuple) else one for one in told[2:]]
    assert taken[:3] == [("melt", 1), ("cast", 1), ("bore", 1)], (
        "take gives (job, attempt) of the ready job that was added first; attempts count from 1."
    )
    assert taken[3] is None, "When no job is ready, take gives None."


@pytest.mark.group("queue")
def test_jobs_wait_for_others(player):
    """A job is ready when all it waits for are done, also if they stand behind it in the batch."""
    batch = [{"id": "fit", "after": ["cast", "bore", "cast"]}, *order("cast"), {"id": "bore", "after": ["cast"]}]
    steps = [("add", batch), ("take", 1), ("take", 1), ("status", 1), ("done", "cast", 1, 2), ("take", 3), ("take", 3)]
    steps += [("done", "bore", 1, 4), ("add", [{"id": "ship", "after": ["fit", "cast"]}]), ("status", 4), ("take", 5)]
    told = player.drive(play, steps)
    assert tuple(told[1] or ()) == ("cast", 1), "A job that waits for others is not taken, wherever it stands."
    assert told[2] is None, "A job is not ready while one that it waits for is not done."
    assert jobs(told[3]) == {"fit": ("waiting", 0, None), "cast": ("running", 1, 61), "bore": ("waiting", 0, None)}, (
        "A job is waiting while those it waits for are not done; a running one is due at the end of its lease."
    )
    assert told[4] is True, "done gives True if it counts."
    assert tuple(told[5] or ()) == ("bore", 1), "When what it waits for is done, a job is ready."
    assert told[6] is None, "A job is ready only when all that it waits for are done."
    assert jobs(told[9]) == {
        "fit": ("ready", 0, None),
        "cast": ("done", 1, None),
        "bore": ("done", 1, None),
        "ship": ("waiting", 0, None),
    }, "States are told for every job, and jobs may wait for those of earlier batches."
    assert [job["id"] for job in told[9]["jobs"]] == ["fit", "cast", "bore", "ship"], (
        "Jobs stand in the order of adding."
    )
    assert tuple(told[10] or ()) == ("fit", 1), "When what it waits for is done, a job is ready."


@pytest.mark.group("queue")
def test_jobs_are_listed_by_age(player):
    """A status lists jobs in the order they were added, whatever became of them."""
    steps = [("add", order("melt", "cast", "bore")), ("take", 1), ("take", 1), ("fail", "melt", 1, 2)]
    for status in player.drive(play, [*steps, ("status", 3), ("done", "cast", 1, 4), ("status", 5)])[4::2]:
        assert [job["id"] for job in status["jobs"]] == ["melt", "cast", "bore"], (
            "Jobs stand in the order they were added, whatever became of them."
        )


@pytest.mark.group("queue")
def test_what_can_never_be(player):
    """When a job has failed for good, all that wait for it, directly or not, are blocked; others go on."""
    batch = [
        *order("melt", attempts=1),
        {"id": "cast", "after": ["melt"]},
        {"id": "fit", "after": ["cast", "saw"]},
        *order("saw"),
    ]
    steps = [("add", batch), ("take", 1), ("fail", "melt", 1, 2), ("status", 2), ("take", 3), ("take", 3)]
    told = player.drive(play, [*steps, ("add", [{"id": "late", "after": ["fit"]}]), ("status", 4)])
    assert told[2] is True, "fail gives True if it counts."
    assert jobs(told[3]) == {
        "melt": ("failed", 1, None),
        "cast": ("blocked", 0, None),
        "fit": ("blocked", 0, None),
        "saw": ("ready", 0, None),
    }, "What waits for a failed job, or for one that waits for it, is blocked; what does not is not."
    assert tuple(told[4] or ()) == ("saw", 1), "Jobs that do not wait for a failed one go on."
    assert told[5] is None, "A failed job, and one that is blocked, is not taken."
    assert jobs(told[7])["late"] == ("blocked", 0, None), "A job that is added behind a blocked one is blocked."


@pytest.mark.group("timing")
def test_rests_double(player):
    """After each failed attempt a job rests twice as long, at most an hour, to the second."""
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
        assert tuple(taken or ()) == ("cast", attempt), "When its rest is over, a job is ready for the next attempt."
        assert jobs(resting)["cast"] == ("resting", attempt, due), (
            "After the n-th failed attempt a job rests for min(3600, backoff * 2**(n-1)) seconds; due is the end of it."
        )
        assert early is None, "One second before the end of its rest, a job is not ready."
        assert jobs(ready)["cast"] == ("ready", attempt, None), "At the end of its rest, a job is ready."


@pytest.mark.group("timing")
def test_settings_that_nobody_gave(player):
    """Unless told otherwise there are three attempts, a rest of a minute, and a lease of one."""
    steps = [("add", order("cast")), ("take", 5), ("status", 5), ("fail", "cast", 1, 6), ("status", 6), ("take", 66)]
    steps += [("fail", "cast", 2, 70), ("take", 190), ("fail", "cast", 3, 191), ("status", 191)]
    told = player.drive(play, steps)
    assert jobs(told[2])["cast"] == ("running", 1, 65), "Unless told otherwise a lease takes sixty seconds."
    assert jobs(told[4])["cast"] == ("resting", 1, 66), "Unless told otherwise the first rest takes sixty seconds."
    assert jobs(told[9])["cast"] == ("failed", 3, None), "Unless told otherwise a job has three attempts."
    told = player.drive(play, [("add", order("saw", backoff=0)), ("take", 5), ("fail", "saw", 1, 6), ("take", 6)])
    assert tuple(told[3] or ()) == ("saw", 2), "With a backoff of 0 a job is ready again at once."


@pytest.mark.group("timing")
def test_a_lease_is_over(player):
    """At the end of its lease an attempt has failed, at that very time, whenever somebody looks."""
    steps = [("add", order("cast", attempts=2, backoff=10)), ("take", 100, 30), ("status", 129), ("status", 130)]
    steps += [("take", 139), ("done", "cast", 1, 139), ("take", 140, 5), ("status", 999)]
    told = player.drive(play, [*steps, ("done", "cast", 2, 999), ("take", 1000)])
    assert jobs(told[2])["cast"] == ("running", 1, 130), "Until its lease is over, an attempt is under way."
    assert jobs(told[3])["cast"] == ("resting", 1, 140), (
        "At take plus lease the attempt has failed, and the rest counts from then, not from when somebody looks."
    )
    assert told[4] is None, "The rest after a lease that ended counts from its end."
    assert is_stale(told[5]), "done for an attempt whose lease is over is a StaleError."
    assert tuple(told[6] or ()) == ("cast", 2), "After the rest the next attempt can be taken."
    assert jobs(told[7])["cast"] == ("failed", 2, None), "If the lease of the last attempt ends, the job has failed."
    assert is_stale(told[8]), "done for an attempt whose lease is over is a StaleError."
    assert told[9] is None, "A job that has failed for good is not taken."
    told = player.drive(play, [("add", order("saw", backoff=10)), ("take", 100, 30), ("status", 137), ("take", 140)])
    assert jobs(told[2])["saw"] == ("resting", 1, 140), (
        "The rest after a lease that ended counts from its end, also if nobody looked until later."
    )
    assert tuple(told[3] or ()) == ("saw", 2), "After the rest the next attempt can be taken."


@pytest.mark.group("timing")
def test_said_once_and_again(player):
    """The same said of the latest attempt again counts for nothing; anything else of an ended one is stale."""
    steps = [("add", order("cast", attempts=3, backoff=10)), ("done", "cast", 0, 1), ("fail", "cast", 1, 1)]
    steps += [
        ("take", 1),
        ("done", "cast", 2, 2),
        ("fail", "cast", 1, 2),
        ("fail", "cast", 1, 5),
        ("done", "cast", 1, 5),
    ]
    steps += [("status", 5), ("take", 12), ("fail", "cast", 1, 13), ("done", "cast", 2, 14), ("done", "cast", 2, 900)]
    told = player.drive(play, [*steps, ("fail", "cast", 2, 900), ("done", "nobody", 1, 900), ("status", 900)])
    assert is_stale(told[1]), "Of a job that was never taken nothing can be said: StaleError."
    assert is_stale(told[2]), "Of a job that was never taken nothing can be said: StaleError."
    assert is_stale(told[4]), "Of an attempt that has not begun nothing can be said: StaleError."
    assert told[5:7] == [True, False], "fail said again of the latest attempt gives False."
    assert is_stale(told[7]), "done after fail of the same attempt is a StaleError."
    assert jobs(told[8])["cast"] == ("resting", 1, 12), "What was said again moves no rest."
    assert tuple(told[9] or ()) == ("cast", 2), "After the rest the next attempt can be taken."
    assert is_stale(told[10]), "Of an attempt that is not the latest nothing more can be said: StaleError."
    assert told[11:13] == [True, False], "done said again of the latest attempt gives False, however late."
    assert is_stale(told[13]), "fail after done of the same attempt is a StaleError."
    assert is_stale(told[14]), "Of a job that is nowhere nothing can be said: StaleError."
    assert jobs(told[15])["cast"] == ("done", 2, None), "A job that is done stays done."
    told = player.drive(play, [("add", order("saw")), ("take", 1, 10), ("fail", "saw", 1, 11), ("status", 11)])
    # "As if fail had been said then": by that it is a repeat, and yet nobody has said it.
    assert told[2] is False or is_stale(told[2]), "fail for an attempt whose lease is over counts for nothing."


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


@pytest.mark.group("histories")
@pytest.mark.parametrize("life", range(4), ids=["first", "second", "third", "fourth"])
def test_random_lives(player, rng, life):
    """Through random batches, takes, ends and leases, every answer and every status is the contract's."""
    steps, answers = some_steps(rng)
    for step, answer, expected in zip(steps, player.drive(play, steps), answers, strict=True):
        if step[0] == "status":
            told = {name: (state, due, begun) for name, (state, begun, due) in jobs(answer).items()}
            assert told == expected, "In a random life of the book, a status was not that of the contract."
        elif expected == "stale or a repeat":
            assert answer is False or is_stale(answer), "In a random life, fail after the end of a lease counted."
        elif expected == "stale":
            assert is_stale(answer), f"In a random life of the book, a stale {step[0]} was not refused."
        else:
            given = list(answer) if isinstance(answer, tuple) else answer
            assert given == expected, f"In a random life of the book, {step[0]} gave something else than the contract."
    assert any(expected is True for expected in answers), "A random life has something in it."


@pytest.mark.group("histories")
def test_a_rested_job_keeps_its_turn(player):
    """A job that has rested is taken before those that were added after it, tried or not."""
    steps = [("add", order("melt", "cast", "bore", backoff=1)), ("take", 1), ("take", 1), ("fail", "melt", 1, 2)]
    told = player.drive(play, [*steps, ("take", 30), ("take", 30), ("take", 30)])
    taken = [tuple(one) if isinstance(one, list | tuple) else one for one in told[4:]]
    assert taken == [("melt", 2), ("bore", 1), None], (
        "take gives the ready job that was added first, also if it was tried before and others were not."
    )


def side_by_side():
    """Work with two books at once; tell what each of them knows."""
    import titan

    one, other = titan.Titan("one"), titan.Titan("other")
    told = [one.add([{"id": "melt"}], "monday"), other.add([{"id": "melt"}, {"id": "cast"}], "monday")]
    told += [one.take(1), other.take(1), other.take(1), one.take(1)]
    told += [[job["id"] for job in book.status(1)["jobs"]] for book in (one, other)]
    one.close()
    other.close()
    return told


@pytest.mark.group("apart")
def test_two_books(player):
    """Two books over two journals know nothing of each other."""
    told = [list(one) if isinstance(one, tuple) else one for one in player.drive(side_by_side)]
    words = "Two books with journals of their own must not share jobs, keys or anything else."
    assert told[:2] == [1, 2], words
    assert told[2:6] == [["melt", 1], ["melt", 1], ["cast", 1], None], words
    assert told[6:] == [["melt"], ["melt", "cast"]], words
