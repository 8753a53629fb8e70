"""Which batches are added, and which are refused."""

import pytest


def play(steps):
    """Play steps on a new book; tell each answer, or an error's classes and path, and the journal's size then."""
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
                answer = None
            else:
                answer = getattr(book, name)(*args)
        except Exception as error:
            path = getattr(error, "path", None)
            answer = {"raised": [kind.__name__ for kind in type(error).__mro__], "path": path}
        told.append([answer, os.path.getsize("journal") if os.path.exists("journal") else 0])
    return told


def refused(answer, name):
    """Whether an answer is an error of this class, below TitanError."""
    return isinstance(answer, dict) and {name, "TitanError", "Exception"} <= set(answer.get("raised", []))


GOOD = [{"id": "melt"}, {"id": "cast", "after": ["melt"], "attempts": 1, "backoff": 0}]


@pytest.mark.group("batches")
def test_a_good_batch(player):
    """A batch is added whole, in its order, with defaults where nothing was said, whatever its ids hold."""
    odd = [{"id": " "}, {"id": "Ⅷ → ünlit", "after": [" "]}, {"id": 'a "quoted"\nline\\', "after": []}, {"id": "\0"}]
    told = player.drive(play, [("add", GOOD), ("add", odd), ("status", 5), ("take", 5)])
    assert [told[0][0], told[1][0]] == [2, 4], "add returns how many jobs were added."
    listed = [job["id"] for job in told[2][0]["jobs"]]
    assert listed == ["melt", "cast", *(job["id"] for job in odd)], (
        "Any text that is not empty is an id, and comes back as it was."
    )
    assert told[3][0] and told[3][0][0] in listed, "What was added can be taken."


BAD = {
    "no list": {"id": "x"},
    "an empty list": [],
    "a job that is no object": ["x"],
    "a job without an id": [{"after": []}],
    "an empty id": [{"id": ""}],
    "an id that is no text": [{"id": 7}],
    "an unknown key": [{"id": "x", "retries": 3}],
    "after that is no list": [{"id": "x", "after": "melt"}],
    "after with something that is no text": [{"id": "x", "after": ["melt", 3]}],
    "after that is null": [{"id": "x", "after": None}],
    "no attempts": [{"id": "x", "attempts": 0}],
    "attempts that are no int": [{"id": "x", "attempts": 2.0}],
    "attempts of true": [{"id": "x", "attempts": True}],
    "a backoff below zero": [{"id": "x", "backoff": -1}],
    "a backoff that is text": [{"id": "x", "backoff": "60"}],
    "a backoff of false": [{"id": "x", "backoff": False}],
    "the same id twice": [{"id": "x"}, {"id": "x"}],
    "an id that is taken": [{"id": "x"}, {"id": "melt"}],
    "an id in after that is nowhere": [{"id": "x"}, {"id": "y", "after": ["x", "nowhere"]}],
}


KINDS = {
    "shape": ["no list", "an empty list", "a job that is no object", "a job without an id", "an unknown key"],
    "ids": ["an empty id", "an id that is no text", "the same id twice", "an id that is taken"],
    "after": [what for what in BAD if "after" in what],
    "numbers": [what for what in BAD if "attempts" in what or "backoff" in what],
}


@pytest.mark.group("batches")
@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_that_makes_no_sense(player, kind):
    """A batch that makes no sense is a BatchError, and none of it is added."""
    for what in KINDS[kind]:
        told = player.drive(play, [("add", GOOD), ("add", BAD[what]), ("status", 5), ("add", [{"id": "x"}])])
        assert refused(told[1][0], "BatchError"), f"A batch with {what} is refused with a BatchError."
        assert [job["id"] for job in told[2][0]["jobs"]] == ["melt", "cast"], "Of a refused batch nothing is added."
        assert told[1][1] == told[0][1], "A refused batch leaves the journal as it was."
        assert told[3][0] == 1, "After a refused batch, the book goes on, and its ids are free."


def goes_round(path, batch):
    """Whether a path leads round in a circle of a batch."""
    waits = {job["id"]: job.get("after", []) for job in batch}
    return (
        isinstance(path, list | tuple)
        and len(path) >= 2
        and path[0] == path[-1]
        and len(set(path)) == len(path) - 1
        and all(following in waits.get(one, []) for one, following in zip(path, path[1:], strict=False))
    )


@pytest.mark.group("circles")
def test_jobs_in_a_circle(player, rng):
    """Jobs that wait for one another are refused, and the path round is told."""
    itself = [{"id": "a", "after": ["a"]}]
    pair = [{"id": "z"}, {"id": "a", "after": ["z", "b"]}, {"id": "b", "after": ["a"]}]
    tail = [{"id": "x", "after": ["a"]}, *({"id": one, "after": [other]} for one, other in ("ab", "bc", "cd", "db"))]
    names = [f"n{number}" for number in range(40)]
    rng.shuffle(names)
    graph = [{"id": name, "after": rng.sample(names[:at], min(at, 3))} for at, name in enumerate(names)]
    graph[5] = {"id": names[5], "after": [*graph[5]["after"], names[30]]}
    graph[30] = {"id": names[30], "after": [names[17]]}
    graph[17] = {"id": names[17], "after": [names[5]]}
    rng.shuffle(graph)
    for batch in (itself, pair, tail, graph):
        told = player.drive(play, [("add", GOOD), ("add", batch), ("status", 5)])
        assert refused(told[1][0], "CycleError"), "Jobs that wait for one another are refused with a CycleError."
        assert "BatchError" in told[1][0]["raised"], "A CycleError is a BatchError."
        assert goes_round(told[1][0]["path"], batch), (
            "path is a list of ids: each waits for the next, none but the first comes twice, and it is also the last."
        )
        assert len(told[2][0]["jobs"]) == 2, "Of a batch with a circle nothing is added."
        assert told[1][1] == told[0][1], "A refused batch leaves the journal as it was."


@pytest.mark.group("circles")
def test_no_circle(player, rng):
    """Whatever waits without a circle is added, in any order: diamonds, ladders, random nets."""
    names = [f"n{number}" for number in range(120)]
    net = [{"id": name, "after": rng.sample(names[:at], min(at, 4))} for at, name in enumerate(names)]
    rng.shuffle(net)
    ladder = [{"id": f"{side}{step}", "after": [f"l{step + 1}", f"r{step + 1}"]} for step in range(40) for side in "lr"]
    ladder += [{"id": "l40"}, {"id": "r40"}]
    for batch in (net, ladder):
        told = player.drive(play, [("add", batch), ("status", 5)])
        assert told[0][0] == len(batch), "A batch without a circle is added, in whatever order its jobs stand."
        assert [job["id"] for job in told[1][0]["jobs"]] == [job["id"] for job in batch], (
            "Jobs stand in the order of adding."
        )


@pytest.mark.group("circles")
@pytest.mark.limits(seconds=5)
def test_long_chains(player):
    """Chains of thousands of jobs are added, blocked, and found out if they close."""
    chain = [{"id": f"link {number}", "after": [f"link {number + 1}"]} for number in range(2000)]
    open_end = [*chain, {"id": "link 2000", "attempts": 1}]
    steps = [("add", open_end), ("take", 1), ("fail", "link 2000", 1, 2), ("status", 3), ("reopen",), ("status", 4)]
    told = player.drive(play, steps)
    assert told[0][0] == 2001, "A chain of thousands of jobs is added like any other."
    assert tuple(told[1][0] or ()) == ("link 2000", 1), "Of a chain its end is ready."
    for status in (told[3][0], told[5][0]):
        assert isinstance(status, dict), "status gives a dict."
        assert len(status.get("jobs", [])) == 2001, "When the end of a long chain has failed, all of it is still there."
    closed = [*chain, {"id": "link 2000", "after": ["link 0"]}]
    ((answer, _),) = player.drive(play, [("add", closed)])
    assert refused(answer, "CycleError"), "A long circle is a CycleError like a short one."
    assert goes_round(answer["path"], closed), "The path of a long circle goes all the way round."


@pytest.mark.group("keys")
def test_the_same_again(player):
    """The same batch under the same key adds nothing, also in other words, and after opening again."""
    words = [
        {"id": "melt", "after": [], "backoff": 60, "attempts": 3},
        {"backoff": 0, "id": "cast", "attempts": 1, "after": ["melt"] * 2},
    ]
    steps = [
        ("add", GOOD, "monday"),
        ("add", GOOD, "monday"),
        ("add", words, "monday"),
        ("reopen",),
        ("add", GOOD, "monday"),
    ]
    told = player.drive(play, [*steps, ("take", 1), ("done", "melt", 1, 2), ("add", words, "monday"), ("status", 3)])
    assert told[0][0] == 2, "The first batch under a key is added."
    for number, when in ((1, "at once"), (2, "in other words"), (4, "after opening again"), (7, "when work has begun")):
        assert told[number][0] == 0, f"The same batch under the same key, {when}, gives 0: its ids are taken by itself."
    sizes = [size for _, size in told]
    assert (sizes[1:3], sizes[4]) == (sizes[:1] * 2, sizes[3]), "A repeat adds nothing to the journal."
    assert told[8][0]["counts"]["done"] == 1, "A repeat changes nothing about jobs that are under way or done."


@pytest.mark.group("keys")
def test_after_is_a_set(player):
    """A repeat may name the jobs in after in another order, and more than once."""
    first = [*GOOD, {"id": "fit", "after": ["cast", "melt"]}]
    for after in (["melt", "cast"], ["cast", "melt", "cast"]):
        again = [*GOOD, {"id": "fit", "after": after}]
        told = player.drive(
            play, [("add", first, "monday"), ("add", again, "monday"), ("reopen",), ("add", again, "monday")]
        )
        answers = [answer for answer, _ in told]
        assert answers == [3, 0, None, 0], "after is compared as a set: a repeat that says it in another order gives 0."


@pytest.mark.group("keys")
def test_a_key_for_another_batch(player):
    """Another batch under a key that is taken is refused; without a key, or under another, ids are merely taken."""
    others = {
        "one more job": [*GOOD, {"id": "bore"}],
        "one job less": GOOD[:1],
        "another order": GOOD[::-1],
        "another setting": [GOOD[0], {**GOOD[1], "attempts": 2}],
        "other ids": [{"id": "saw"}],
    }
    for what, batch in others.items():
        told = player.drive(play, [("add", GOOD, "monday"), ("reopen",), ("add", batch, "monday"), ("status", 3)])
        assert refused(told[2][0], "ConflictError"), f"A key that is taken, with {what}: ConflictError."
        assert told[2][1] == told[1][1], "A conflict leaves the journal as it was."
        assert len(told[3][0]["jobs"]) == 2, "Of a batch in conflict nothing is added."
    told = player.drive(
        play, [("add", GOOD, "monday"), ("add", GOOD), ("add", GOOD, "tuesday"), ("add", [{"id": "x"}], "tuesday")]
    )
    assert refused(told[1][0], "BatchError"), "Without a key there are no repeats: the ids are taken."
    assert refused(told[2][0], "BatchError"), "Under another key there are no repeats: the ids are taken."
    assert told[3][0] == 1, "The key of a refused batch stays free."
