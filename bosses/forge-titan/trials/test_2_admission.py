"""Which batches are added, and which are refused."""

import pytest

pytestmark = pytest.mark.clause("A BATCH")


def play(steps):
    """Play steps on a new book; return each answer, or an error's classes and path, and the journal's size, if any."""
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
        told.append([answer, os.path.getsize("journal") if os.path.exists("journal") else None])
    return told


def short(thing):
    """A thing as it is written, its middle left out if it is long."""
    text = repr(thing)
    return text if len(text) <= 170 else f"{text[:110]} ... {text[-50:]}"


def same(got, due, what):
    """Fail unless something is what the contract says."""
    assert got == due, f"expected {short(due)} for {what}; got {short(got)}"


def refused(answer, name):
    """Whether an answer is an error of this class, below TitanError."""
    return isinstance(answer, dict) and {name, "TitanError", "Exception"} <= set(answer.get("raised", []))


GOOD = [{"id": "melt"}, {"id": "cast", "after": ["melt"], "attempts": 1, "backoff": 0}]


@pytest.mark.group("batches")
@pytest.mark.advice(
    "Accept any str but the empty one as an id, without strip() or a pattern, and write it with json.dumps."
    " Add the jobs in the batch's order."
)
def test_a_good_batch(player):
    """A batch is added whole, in its order, with defaults, whatever its ids hold."""
    odd = [{"id": " "}, {"id": "Ⅷ → ünlit", "after": [" "]}, {"id": 'a "quoted"\nline\\', "after": []}, {"id": "\0"}]
    told = player.drive(play, [("add", GOOD), ("add", odd), ("status", 5), ("take", 5)])
    same([told[0][0], told[1][0]], [2, 4], f"add of two jobs, and of four: {odd}")
    listed = [job["id"] for job in told[2][0]["jobs"]]
    same(listed, ["melt", "cast", *(job["id"] for job in odd)], "the ids in status(5)")
    assert told[3][0] and told[3][0][0] in listed, f"expected a job from take(5) when six were added; got {told[3][0]}"


BAD = {
    "not a list": {"id": "x"},
    "an empty list": [],
    "a job that isn't an object": ["x"],
    "a job without an id": [{"after": []}],
    "an empty id": [{"id": ""}],
    "an id that isn't text": [{"id": 7}],
    "an unknown key": [{"id": "x", "retries": 3}],
    "after that isn't a list": [{"id": "x", "after": "melt"}],
    "after with something that isn't text": [{"id": "x", "after": ["melt", 3]}],
    "after that is null": [{"id": "x", "after": None}],
    "after that spells ids": [{"id": "o"}, {"id": "x", "after": "o"}],
    "after that is empty text": [{"id": "x", "after": ""}],
    "after that is an empty object": [{"id": "x", "after": {}}],
    "after that is an object of ids": [{"id": "x", "after": {"melt": 1}}],
    "no attempts": [{"id": "x", "attempts": 0}],
    "attempts that aren't an int": [{"id": "x", "attempts": 2.0}],
    "attempts of true": [{"id": "x", "attempts": True}],
    "a backoff below zero": [{"id": "x", "backoff": -1}],
    "a backoff that is text": [{"id": "x", "backoff": "60"}],
    "a backoff of false": [{"id": "x", "backoff": False}],
    "the same id twice": [{"id": "x"}, {"id": "x"}],
    "an id that is taken": [{"id": "x"}, {"id": "melt"}],
    "an id in after that doesn't exist": [{"id": "x"}, {"id": "y", "after": ["x", "nowhere"]}],
}


KINDS = {
    "shape": ["not a list", "an empty list", "a job that isn't an object", "a job without an id", "an unknown key"],
    "ids": ["an empty id", "an id that isn't text", "the same id twice", "an id that is taken"],
    "after": [what for what in BAD if "after" in what],
    "numbers": [what for what in BAD if "attempts" in what or "backoff" in what],
}


@pytest.mark.group("batches")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.advice(
    "Check all before you store any: a non-empty list of dicts, known keys, ints (no bools) in range."
    " `after` is a list of existing ids, each id is new."
)
def test_a_batch_that_makes_no_sense(player, kind):
    """An invalid batch is a BatchError, and none of it is added."""
    for what in KINDS[kind]:
        told = player.drive(play, [("add", GOOD), ("add", BAD[what]), ("status", 5), ("add", [{"id": "x"}])])
        call = f"add({BAD[what]})"
        assert refused(told[1][0], "BatchError"), (
            f"expected BatchError, a TitanError, for {call}; got {short(told[1][0])}"
        )
        same([job["id"] for job in told[2][0]["jobs"]], ["melt", "cast"], f"the jobs after {call} was refused")
        same(told[1][1], told[0][1], f"the journal's size after {call} was refused")
        same(told[3][0], 1, f"add([{{'id': 'x'}}]) after {call} was refused")


@pytest.mark.group("batches")
@pytest.mark.clause("LIBRARY", "A BATCH")
@pytest.mark.advice("Check the whole batch before the journal is opened for writing.")
def test_a_refused_batch_makes_no_journal(player):
    """A refused batch creates no journal."""
    for batch in ([7], [{"id": "x", "after": ["nowhere"]}]):
        ((answer, size),) = player.drive(play, [("add", batch)])
        got = "none" if size is None else f"one of {size} bytes"
        assert not refused(answer, "BatchError") or size is None, (
            f"expected no journal after add({batch}) was refused, where there was none before; got {got}"
        )


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
@pytest.mark.advice(
    "Search depth-first with a path list, before anything is stored."
    " At a job that is on it, raise CycleError(BatchError) with path[path.index(job):] + [job]."
)
def test_jobs_in_a_circle(player, rng):
    """Jobs that wait for one another are refused, and the cycle is reported."""
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
        call = f"add({short(batch)})"
        is_right = refused(told[1][0], "CycleError") and "BatchError" in told[1][0]["raised"]
        assert is_right, f"expected CycleError, a BatchError, for {call}; got {short(told[1][0])}"
        path = told[1][0]["path"]
        assert goes_round(path, batch), f"expected a path of ids around the cycle once for {call}; got {short(path)}"
        same(len(told[2][0]["jobs"]), 2, f"the number of jobs after {call} was refused")
        same(told[1][1], told[0][1], f"the journal's size after {call} was refused")


@pytest.mark.group("circles")
@pytest.mark.advice(
    "Put a job into a set of finished ones when all it waits for has been followed, and skip it from then on."
    " Only a job on the current path is a cycle."
)
def test_no_circle(player, rng):
    """Any jobs without a cycle are added, in any order: diamonds, ladders, nets."""
    names = [f"n{number}" for number in range(120)]
    net = [{"id": name, "after": rng.sample(names[:at], min(at, 4))} for at, name in enumerate(names)]
    rng.shuffle(net)
    ladder = [{"id": f"{side}{step}", "after": [f"l{step + 1}", f"r{step + 1}"]} for step in range(40) for side in "lr"]
    ladder += [{"id": "l40"}, {"id": "r40"}]
    for batch, what in ((net, "a net of 120 jobs, each after up to 4 others"), (ladder, "a ladder of 41 rungs")):
        # What status and take make of it is asked where scheduling is.
        ((answer, _),) = player.drive(play, [("add", batch)])
        same(answer, len(batch), f"add of {what}, without a cycle, in any order")


@pytest.mark.group("circles")
@pytest.mark.limits(seconds=5)
@pytest.mark.advice(
    "Follow `after` in a loop with a list as stack, not by recursion, and skip finished jobs."
    " The path of a cycle ends with the id it began with."
)
def test_long_chains(player):
    """Chains of thousands of jobs are added, or refused if they form a cycle."""
    chain = [{"id": f"link {number}", "after": [f"link {number + 1}"]} for number in range(2000)]
    for batch, order in (
        ([*chain, {"id": "link 2000"}], "first to last"),
        ([{"id": "link 2000"}, *chain[::-1]], "last to first"),
    ):
        ((answer, _),) = player.drive(play, [("add", batch)])
        same(answer, 2001, f"add of a chain of 2001 jobs, from {order}")
    closed = [*chain, {"id": "link 2000", "after": ["link 0"]}]
    ((answer, _),) = player.drive(play, [("add", closed)])
    assert refused(answer, "CycleError"), f"expected CycleError for a cycle of 2001 jobs; got {short(answer)}"
    assert goes_round(answer["path"], closed), (
        f"expected a path of 2002 ids that ends where it begins; got {short(answer['path'])}"
    )


@pytest.mark.group("keys")
@pytest.mark.clause("KEYS")
@pytest.mark.advice(
    "Look the key up before ids are checked, and return 0 if the batch is equal, with defaults filled in and"
    " `after` as a set. Write key and jobs into the line."
)
def test_the_same_again(player):
    """The same batch under the same key adds nothing, even if written differently."""
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
    same(told[0][0], 2, f"add({GOOD}, 'monday')")
    for number, when in (
        (1, "at once"),
        (2, "written differently"),
        (4, "after reopening"),
        (7, "when work has begun"),
    ):
        same(told[number][0], 0, f"add({short(GOOD)}, 'monday') again, {when}")
    sizes = [size for _, size in told]
    same((sizes[1:3], sizes[4]), (sizes[:1] * 2, sizes[3]), "the journal's sizes after repeats")
    same(told[8][0]["counts"]["done"], 1, "the number of done jobs after one was done and the batch was added again")


@pytest.mark.group("keys")
@pytest.mark.clause("KEYS")
@pytest.mark.advice(
    "Compare frozenset(after) of each job: in the batch kept under the key, in the new one, and in what is read"
    " from the journal."
)
def test_after_is_a_set(player):
    """A repeat may list the jobs in after in another order, and more than once."""
    first = [*GOOD, {"id": "fit", "after": ["cast", "melt"]}]
    for number, after in enumerate((["melt", "cast"], ["cast", "melt", "cast"])):
        key = f"key {number}"  # What books share is told where state is.
        again = [*GOOD, {"id": "fit", "after": after}]
        told = player.drive(play, [("add", first, key), ("add", again, key), ("reopen",), ("add", again, key)])
        answers = [answer for answer, _ in told]
        words = f"add with after ['cast', 'melt'], with {after}, and again after reopening, under one key"
        same([answers[0], answers[1], answers[3]], [3, 0, 0], words)


@pytest.mark.group("keys")
@pytest.mark.clause("KEYS")
@pytest.mark.advice(
    "Keep each key's jobs as a list, all four fields, from the journal too."
    " Raise ConflictError if they differ; store a key only once its batch is added."
)
def test_a_key_for_another_batch(player):
    """A different batch under a used key is a conflict; under another key, ids clash."""
    others = {
        "one more job": [*GOOD, {"id": "bore"}],
        "one job less": GOOD[:1],
        "another order": GOOD[::-1],
        "other attempts": [GOOD[0], {**GOOD[1], "attempts": 2}],
        "another backoff": [GOOD[0], {**GOOD[1], "backoff": 61}],
        "other ids": [{"id": "saw"}],
    }
    for number, (what, batch) in enumerate(others.items()):
        key = f"key {number}"  # What books share is told where state is.
        told = player.drive(play, [("add", GOOD, key), ("reopen",), ("add", batch, key), ("status", 3)])
        call = f"add({short(batch)}, {key!r}), {what} than is stored under it"
        assert refused(told[2][0], "ConflictError"), f"expected ConflictError for {call}; got {short(told[2][0])}"
        same(told[2][1], told[1][1], f"the journal's size after {call}")
        same(len(told[3][0]["jobs"]), 2, f"the number of jobs after {call}")
    told = player.drive(
        play, [("add", GOOD, "monday"), ("add", GOOD), ("add", GOOD, "tuesday"), ("add", [{"id": "x"}], "tuesday")]
    )
    for number, key in ((1, "no key"), (2, "the key 'tuesday'")):
        got = told[number][0]
        assert refused(got, "BatchError"), (
            f"expected BatchError for the batch of 'monday' again with {key}; got {short(got)}"
        )
    same(told[3][0], 1, "add([{'id': 'x'}], 'tuesday') after another batch under 'tuesday' was refused")
