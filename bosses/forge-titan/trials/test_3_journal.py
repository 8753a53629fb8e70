"""The bytes of the journal, and what is known after it was closed, cut or damaged."""

import json
import string

import pytest

pytestmark = pytest.mark.clause("THE JOURNAL")

LIFE = [
    ("add", [{"id": "melt", "attempts": 2, "backoff": 5}, {"id": "cast", "after": ["melt"]}], "monday"),
    ("take", 10, 20),
    ("fail", "melt", 1, 12),
    ("take", 100, 20),
    ("done", "melt", 2, 103),
    ("add", [{"id": "weld", "attempts": 1}]),
    ("take", 130, 5),
    ("take", 131, 100),
    ("fail", "weld", 1, 132),
]
MAX_GROWTH = 2_500_000
END = [("melt", "done", 2, None), ("cast", "running", 1, 135), ("weld", "failed", 1, None)]


def live(steps):
    """Play steps on a new book; return the journal and the status after opening and after each step."""
    import os

    os.fsync = lambda handle: None
    import titan

    def look(now):
        content = b""
        if os.path.exists("journal"):
            with open("journal", "rb") as file:
                content = file.read()
        return [content, book.status(now)["jobs"], now]

    if os.path.exists("journal"):
        os.remove("journal")
    book = titan.Titan("journal")
    told, now = [look(0)], 0
    for name, *args in steps:
        try:
            getattr(book, name)(*args)
        except Exception as error:
            told.append([type(error).__name__, [], now])
            continue
        now = args[0] if name == "take" else args[-1] if name in ("done", "fail") else now
        told.append(look(now))
    book.close()
    told.append(look(now)[:1])
    return told


def read_and_go_on(cases):
    """Open a book on each content; return the status then, after adding a job, and after opening once more.

    A refused journal is shown by the error's class and line, and whether the file is as it was.
    """
    import os

    os.fsync = lambda handle: None
    import titan

    found = []
    for content, now in cases:
        with open("torn", "wb") as file:
            file.write(content)
        seen = []
        try:
            book = titan.Titan("torn")
            seen.append(book.status(now)["jobs"])
            book.add([{"id": "new"}])
            seen.append(book.status(now)["jobs"])
            book.close()
            book = titan.Titan("torn")
            seen.append(book.status(now)["jobs"])
            book.close()
        except Exception as error:
            with open("torn", "rb") as file:
                same = file.read() == content
            seen.append(
                {
                    "raised": [kind.__name__ for kind in type(error).__mro__],
                    "line": getattr(error, "line", None),
                    "same": same,
                }
            )
        found.append(seen)
    return found


def short(thing):
    """A thing as it is written, its middle left out if it is long."""
    text = repr(thing)
    return text if len(text) <= 170 else f"{text[:110]} ... {text[-50:]}"


def same(got, due, what):
    """Fail unless something is what the contract says."""
    assert got == due, f"expected {short(due)} for {what}; got {short(got)}"


def as_rows(listed):
    """Jobs of a status as tuples."""
    return [(job["id"], job["state"], job["attempts"], job["due"]) for job in listed]


NEW = {"id": "new", "state": "ready", "attempts": 0, "due": None}


def check(player, cases, damage):
    """Open each content and go on; fail in words that name the damage. A case is (content, jobs, now)."""
    found = player.drive(read_and_go_on, [[content, now] for content, _, now in cases])
    for seen, (_, listed, _) in zip(found, cases, strict=True):
        raised = seen[-1]["raised"][0] if isinstance(seen[-1], dict) else ""
        assert len(seen) == 3, f"expected a journal to open and be writable {damage}; got {raised}"
        due = as_rows(listed)
        same(as_rows(seen[0]), due, f"the jobs {damage}")
        same(as_rows(seen[1]), [*due, *as_rows([NEW])], f"the jobs {damage}, and add([{{'id': 'new'}}])")
        same(as_rows(seen[2]), [*due, *as_rows([NEW])], f"the jobs {damage}, add([{{'id': 'new'}}]) and reopening")


@pytest.fixture
def told(player):
    """A life of a book, as far as its last step; each as content of the journal, status and time."""
    told = player.drive(live, LIFE)
    for call, step in zip(["Titan", *LIFE], told, strict=False):
        assert isinstance(step[0], bytes), (
            f"expected no error for {short(call)} in a plain sequence of calls; got {step[0]}"
        )
    return told


@pytest.mark.group("reopened")
@pytest.mark.advice(
    "For each change write one line that ends in LF at the end of the file, in binary, and flush() before the call"
    " returns. Write nothing else, no header."
)
def test_every_call_is_one_line(player, told):
    """Each change adds one line at once, and changes no existing byte."""
    contents = [step[0] for step in told]
    same(contents[0], b"", "the journal of a new book")
    for before, after in zip(contents[:-2], contents[1:-1], strict=True):
        assert after.startswith(before), (
            f"expected a call to add to {len(before)} bytes of the journal; it changed some"
        )
        added = after[len(before) :]
        is_line = added.endswith(b"\n") and added.count(b"\n") == 1
        assert is_line, f"expected one line with its LF in the journal when a call returns; got {short(added)}"
    same(contents[-1], contents[-2], "the journal after close()")


QUIET = [("status", 140), ("take", 140, 9), ("status", 141), ("take", 141, 9)]


@pytest.mark.group("reopened")
@pytest.mark.advice(
    "Write and flush a line only for an `add`, `take`, `done` or `fail` that changes something."
    " Work out ended leases from times, without a line."
)
def test_what_changes_nothing_writes_nothing(player):
    """Reading, and a take that finds nothing, leave the journal as it is."""
    told = player.drive(live, [*LIFE, *QUIET])
    if as_rows(told[len(LIFE)][1]) != END:
        return  # Then take may find something, which is asked where scheduling is.
    for call, step in zip([*QUIET, "close()"], told[len(LIFE) + 1 :], strict=True):
        same(step[0], told[len(LIFE)][0], f"the journal after {call}, which changes nothing")


@pytest.mark.group("reopened")
@pytest.mark.advice(
    "Apply each line on opening with the function that the call itself uses, with its times."
    " Write behind it (mode ab or r+b, not wb), and flush each line."
)
def test_opened_again(player, told):
    """Reopened after any call, the book is as it was, and goes on."""
    check(player, told[:-1], "after reopening")


@pytest.mark.group("reopened")
@pytest.mark.advice(
    "Write records as json.dumps(record).encode() to a file in mode ab or r+b: escapes keep line feeds and letters"
    " safe. Flush each line."
)
def test_any_id_is_kept(player):
    """Reopened, the book knows every id as it was, in any alphabet."""
    names = ["ünlit", "Ⅷ", "炉", "🔥", "a\nb", '"', "\\"]
    told = player.drive(live, [("add", [{"id": name} for name in names])])
    check(player, told[1:2], f"after reopening with the ids {names}")
    same([job["id"] for job in told[1][1]], names, "the ids in status of a book with ids of any alphabet")


@pytest.mark.group("cuts")
@pytest.mark.advice(
    "Trust only lines with their LF and a right checksum."
    " Keep the offset where the last of them ends, and truncate the file there before you write."
)
def test_cut_at_any_byte(player, told):
    """Cut at any byte, the journal opens with all complete lines, and goes on."""
    content = told[-2][0]
    sizes = [len(step[0]) for step in told[:-1]]
    cases = []
    near = {size + beside for size in sizes for beside in (-2, -1, 0, 1, 2)}
    for cut in sorted({*range(0, len(content), 9), *near} & {*range(len(content))}):
        _, listed, now = told[max(number for number, size in enumerate(sizes) if size <= cut)]
        cases.append((content[:cut], listed, now))
    check(player, cases, "after a cut at any byte")


@pytest.mark.group("cuts")
@pytest.mark.advice(
    "Read in binary, and drop a last line without LF, whatever it holds."
    " Before the next line is written, truncate the file behind the last sound one."
)
def test_a_tail_without_an_end(player, told, rng):
    """Garbage without a line end after the last line is ignored."""
    content, listed, now = told[-2]
    tails = [b"\0" * 512, b"{", b"[]", b"0", b"\xff\xfe", b" " * 40, content[: content.index(b"\n")]]
    tails += [rng.randbytes(rng.randint(1, 60)).replace(b"\n", b"") + b"." for _ in range(8)]
    check(player, [(content + tail, listed, now) for tail in tails], "with garbage without an LF after the last line")
    check(player, [(tail, [], 0) for tail in tails], "with garbage without an LF in an otherwise empty journal")


def flipped(content, start, end, step):
    """The content with one byte changed at a time, no line end made or lost."""
    for at in range(start, end, step):
        changed = bytearray(content)
        changed[at] ^= 2 if changed[at] ^ 2 != 10 else 4
        if content[at] != 10:
            yield bytes(changed)


@pytest.mark.group("damage")
@pytest.mark.advice(
    "Drop a last line unless all its bytes are as your format gives them, with zlib.crc32 of a record that isn't"
    " empty. Truncate it before you write."
)
def test_a_changed_byte_in_the_last_line(player, told):
    """A last line with a changed byte, or of garbage, is dropped; the book goes on."""
    content, (before, listed, now) = told[-2][0], told[-3]
    cases = [(changed, listed, now) for changed in flipped(content, len(before), len(content), 1)]
    check(player, cases, "after a byte of the last line changed")
    content = told[-2][0]
    swapped = {
        content[:at] + content[at : at + 2][::-1] + content[at + 2 :]
        for at in range(len(before), len(content) - 2)
        if content[at] != content[at + 1]
    }
    check(player, [(one, listed, now) for one in sorted(swapped)], "after two bytes of the last line changed places")
    whole, listed, now = told[-2]
    rubbish = [
        b"\n",
        b"\0\0\0\0\n",
        b"{}\n",
        b"null\n",
        whole[: whole.index(b"\n")][:-1] + b"\n",
        b"00000000 \n",
        b"\xff" * 9 + b"\n",
    ]
    check(player, [(whole + line, listed, now) for line in rubbish], "with a last line of garbage")


@pytest.mark.group("damage")
@pytest.mark.advice(
    "Check each line as it is read. If one is not sound and any byte follows it, raise JournalError, with line"
    " counted from 1, before anything is written."
)
def test_a_changed_byte_further_up(player, told):
    """An invalid line with anything after it is damage: the journal is refused."""
    content = told[-2][0]
    starts = [len(step[0]) for step in told[:-1]]
    for number in range(len(LIFE) - 1):
        cases = [[changed, 99] for changed in flipped(content, starts[number], starts[number + 1], 7)]
        cases.append(
            [content[: starts[number + 1] - 2] + content[starts[number + 1] - 1 : starts[number + 1]] + b"x", 99]
        )
        for seen in player.drive(read_and_go_on, cases):
            answer = seen[0] if isinstance(seen[0], dict) else {"raised": ["no error"]}
            words = f"a journal of {len(LIFE)} lines with a changed byte in line {number + 1}"
            is_right = {"JournalError", "TitanError"} <= set(answer["raised"])
            assert is_right, f"expected JournalError, a TitanError, for {words}; got {answer['raised'][0]}"
            same(answer["line"], number + 1, f"the line of the JournalError for {words}")
            assert answer["same"] is True, f"expected an unchanged file: {words}; it was changed"


@pytest.mark.group("damage")
@pytest.mark.advice(
    "While reading, add up the bytes of sound lines only."
    " At the first change truncate the file to that offset, seek there, and write."
)
def test_torn_again_and_again(player, rng):
    """After many cuts and reopenings, everything that was complete is kept."""
    told = player.drive(tear, [(rng.randint(1, 25), rng.choice([b"", b"\0\0\0", b"x"])) for _ in range(40)])
    kept = []
    for number, (listed, size, left) in enumerate(told):
        kept = [one for one in kept if one[1] <= left]
        same(listed, [name for name, _ in kept], f"the jobs after cut {number} of 40")
        kept.append((f"job {number}", size))
    same(len(told), 40, "the number of openings after 40 cuts")
    assert len(kept) > 1, f"expected lines that were complete before a cut to be kept; got {kept}"


def tear(tears):
    """Add a job, tear the journal, open it again, and so on; return jobs at each opening, sizes, and what is left."""
    import os

    os.fsync = lambda handle: None
    import titan

    told, left = [], 0
    for number, (cut, rubbish) in enumerate(tears):
        book = titan.Titan("journal")
        listed = [job["id"] for job in book.status(0)["jobs"]]
        book.add([{"id": f"job {number}"}])
        book.close()
        size = os.path.getsize("journal")
        told.append([listed, size, left])
        left = size - cut if number % 3 == 0 else size
        with open("journal", "r+b") as file:
            file.truncate(left)
            file.seek(left)
            file.write(rubbish)
    return told


def work(ids, rounds):
    """Take and fail jobs in turn many times, open the journal anew, and return what is known then.

    A job comes again when two dozen others have been taken: what compresses looks less far back.
    """
    import os

    os.fsync = lambda handle: None
    import titan

    book = titan.Titan("long")
    book.add([{"id": name, "attempts": 10**6, "backoff": 0} for name in ids])
    now = 0
    for start in range(0, rounds, len(ids)):
        # Which job comes next, and when, is for the trials of scheduling to say.
        for job, attempt in [book.take(now, 5) for _ in range(min(len(ids), rounds - start))]:
            book.fail(job, attempt, now)
        now += 150
    book.close()
    book = titan.Titan("long")
    listed = {job["id"]: job["attempts"] for job in book.status(now)["jobs"]}
    job, attempt = book.take(now, 5)
    book.close()
    return sum(listed.values()), listed[job], attempt


@pytest.mark.group("flat")
@pytest.mark.limits(seconds=4)
@pytest.mark.advice(
    "Read with `for line in file`, and keep no line or record once it is applied."
    " Store each job's latest attempt alone, not a list of all."
)
def test_a_long_journal(player, rng):
    """A long journal is written and opened without holding it in memory."""
    ids = ["".join(rng.choices(string.ascii_letters + string.digits, k=1450)) for _ in range(26)]
    short, long = (player.measure(work, ids, rounds) for rounds in (50, 5_000))
    attempts, known, following = long.answer
    same(attempts, 5_000, "the sum of attempts in a reopened journal of 10 001 lines")
    same(following, known + 1, f"the attempt of a job that take gives after opening, {known} having begun")
    growth = long.peak_memory_bytes - short.peak_memory_bytes
    assert growth <= MAX_GROWTH, (
        f"expected at most 2.5 MB more for 5 000 attempts than for 50, on 26 jobs; it took {growth / 1e6:.1f} MB more"
    )


@pytest.mark.group("reopened")
@pytest.mark.clause("LIBRARY", "THE JOURNAL")
@pytest.mark.advice(
    "Treat FileNotFoundError on opening as an empty journal."
    " Create the file only when the first line is written, not in __init__, `take` or status."
)
def test_a_journal_that_is_not_there(player):
    """Reading a journal that isn't there creates none; an empty one acts the same."""
    seen = player.drive(peep)
    words = (
        "status, take and whether a file is made, of no journal; status of an empty one; add, and whether it is made"
    )
    same(json.dumps(seen), "[[], null, false, [], 1, true]", words)


def peep():
    """Look at a journal that isn't there, then at an empty one."""
    import os

    import titan

    book = titan.Titan("none")
    told = [book.status(3)["jobs"], book.take(3), os.path.exists("none")]
    book.close()
    with open("empty", "wb"):
        pass
    book = titan.Titan("empty")
    told.append(book.status(3)["jobs"])
    book.close()
    book = titan.Titan("none")
    told.append(book.add([{"id": "a"}]))
    book.close()
    return [*told, os.path.exists("none")]
