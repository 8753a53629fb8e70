"""The command line: answers, exit statuses, refusals, and the report."""

import json

import pytest

pytestmark = pytest.mark.clause("ERRORS")

BATCH = '[{"id": "melt", "attempts": 2, "backoff": 5}, {"id": "cast", "after": ["melt"]}]'


def short(thing):
    """A thing as it is written, its middle left out if it is long."""
    text = repr(thing)
    return text if len(text) <= 170 else f"{text[:110]} ... {text[-50:]}"


def same(got, due, what):
    """Fail unless something is what the contract says."""
    assert got == due, f"expected {short(due)} for {what}; got {short(got)}"


@pytest.fixture
def titan(cli):
    """Runs commands one after the other, the files of each handed on to the next."""

    class Commands:
        def __init__(self):
            self.files = {"batch.json": BATCH}

        def __call__(self, *args):
            run = cli(*args, files=self.files)
            assert not run.traceback, f"expected no traceback from `{' '.join(args)}`; got one: {run.stderr[-120:]}"
            self.files.update(run.files)
            return run

        def answer(self, *args):
            """The JSON that a command prints, and its exit status."""
            run = self(*args)
            try:
                return json.loads(run.stdout), run.exit_code
            except ValueError:
                raise AssertionError(
                    f"expected one JSON document from `{' '.join(args)}`; got {short(run.stdout)}"
                ) from None

        def prints(self, due, status, *args):
            """A command that prints this JSON and ends with this exit status."""
            same(self.answer(*args), (due, status), f"`{' '.join(args)}`")

    return Commands()


def refused(titan, status, words, *args, naming=""):
    """A call that is refused: exit status, a message, silence, and the journal as it was. Gives the message."""
    before = titan.files.get("journal")
    run = titan(*args)
    call = f"`{' '.join(args)}`, {words}"
    assert run.exit_code == status, f"expected exit status {status} for {call}; got {run.exit_code}"
    same(run.stdout, "", f"standard output of {call}")
    is_named = run.stderr.strip() and naming in run.stderr
    assert is_named, f"expected a message that names {naming} for {call}; got {short(run.stderr)}"
    assert titan.files.get("journal") == before, f"expected the journal as it was after {call}; it changed"
    return run.stderr


def carries(titan):
    """Whether the next command knows the jobs of the last; not, though they are in the journal, is judged elsewhere.

    What the journal's reader makes of a journal is for the trials of durability to say.
    """
    told, _ = titan.answer("status", "journal", "--now", "0")
    return bool(told.get("jobs")) or not titan.files.get("journal")


@pytest.mark.group("commands")
@pytest.mark.clause("RUN", "LIBRARY")
@pytest.mark.advice(
    "In each command open Titan(journal), pass all options to one method, and print its answer with json.dumps."
    " Add lines at the journal's end, and flush."
)
def test_a_day_at_the_forge(titan):
    """Each command answers in JSON with exit status 0, and the journal keeps all."""
    titan.prints({"added": 2}, 0, "add", "journal", "batch.json")
    if not carries(titan):
        return
    titan.prints({"job": "melt", "attempt": 1}, 0, "take", "journal", "--now", "10")
    titan.prints({"counted": True}, 0, "fail", "journal", "melt", "1", "--now", "11")
    titan.prints({"job": "melt", "attempt": 2}, 0, "take", "journal", "--now", "100", "--lease", "4")
    told, status = titan.answer("status", "journal", "--now", "103")
    same(status, 0, "the exit status of `status journal --now 103`")
    same(sorted(told), ["counts", "jobs", "now"], "the keys that `status journal --now 103` prints")
    same(told["now"], 103, "now in what `status journal --now 103` prints")
    counts = [told["counts"].get(state) for state in ("waiting", "running")]
    same(counts, [1, 1], "waiting and running in what `status journal --now 103` prints")
    listed = sorted(told["jobs"], key=lambda job: job["id"])
    same(listed[0], {"id": "cast", "state": "waiting", "attempts": 0, "due": None}, "'cast' in what status prints")
    same(listed[1], {"id": "melt", "state": "running", "attempts": 2, "due": 104}, "'melt' in what status prints")
    titan.prints({"counted": True}, 0, "done", "journal", "melt", "2", "--now", "103")
    titan.prints({"counted": False}, 0, "done", "journal", "melt", "2", "--now", "110")


@pytest.mark.group("commands")
@pytest.mark.clause("RUN", "ERRORS")
@pytest.mark.advice(
    "If `take` returns None, print json.dumps of {'job': None} and exit with 3."
    " Create the journal only when its first line is written."
)
def test_nothing_is_ready(titan):
    """take without a ready job prints null and exits with status 3."""
    titan.prints({"job": None}, 3, "take", "journal", "--now", "0")
    assert "journal" not in titan.files, "expected `take` to make no journal where there is none; it made one"
    titan.answer("add", "journal", "batch.json", "--key", "k")
    if carries(titan):
        titan.answer("take", "journal", "--now", "0")
    titan.prints({"job": None}, 3, "take", "journal", "--now", "0")


@pytest.mark.group("commands")
@pytest.mark.clause("RUN")
@pytest.mark.advice(
    "Give each command a subparser of argparse, which takes options anywhere."
    " Pass --key on to `add`, and --lease, as an int, to `take`."
)
def test_options_stand_anywhere(titan):
    """Options may come before or after the arguments."""
    titan.prints({"added": 2}, 0, "add", "--key", "k", "journal", "batch.json")
    if not carries(titan):
        return
    titan.prints({"job": "melt", "attempt": 1}, 0, "take", "--lease", "5", "--now", "3", "journal")
    told, _ = titan.answer("status", "--now", "3", "journal")
    due = {job["id"]: job["due"] for job in told["jobs"]}
    same(due, {"melt": 8, "cast": None}, "due of each job after `take --lease 5 --now 3 journal`")


@pytest.mark.group("refusals")
@pytest.mark.advice(
    "Catch OSError once, in main: print it to sys.stderr, where its text names the file, and return 1."
    " Ignore only a journal that is missing on opening."
)
def test_files_that_can_not_be_read(titan):
    """A missing batch or an unusable journal is refused with status 1, by name."""
    refused(titan, 1, "a BATCH that isn't there", "add", "journal", "absent.json", naming="absent.json")
    refused(titan, 1, "a JOURNAL in a missing folder", "add", "attic/journal", "batch.json", naming="attic")
    titan.files["folder/file"] = "x"
    refused(titan, 1, "a JOURNAL that is a folder", "status", "folder", "--now", "1", naming="folder")


@pytest.mark.group("refusals")
@pytest.mark.advice(
    "Give argparse a type function for T, S and ATTEMPT that accepts digits only and checks the minimum: 0 for T,"
    " 1 for S. It then exits with 2."
)
def test_a_wrong_command_line(titan):
    """An invalid command line is refused with status 2."""
    titan.answer("add", "journal", "batch.json")
    for words, *args in (
        ("an unknown command", "forget", "journal"),
        ("a T that isn't a number", "take", "journal", "--now", "noon"),
        ("a T that isn't a whole number", "status", "journal", "--now", "1.5"),
        ("a T below 0", "status", "journal", "--now", "-1"),
        ("a lease of 0", "take", "journal", "--now", "1", "--lease", "0"),
        ("a lease that isn't a number", "take", "journal", "--now", "1", "--lease", "long"),
        ("an ATTEMPT that isn't a number", "done", "journal", "melt", "first", "--now", "1"),
    ):
        refused(titan, 2, words, *args)


@pytest.mark.group("refusals")
@pytest.mark.advice(
    "Read BATCH as bytes; make ValueError of decode() and json.loads() a BatchError."
    " In main print errors to sys.stderr, a cycle as ' -> '.join(path), and return 4."
)
def test_a_batch_is_refused(titan):
    """An invalid batch is refused with status 4, and a cycle is reported as a path."""
    titan.answer("add", "journal", "batch.json")
    for words, text in {
        "a batch that isn't JSON": '[{"id": "x"}',
        "a batch that isn't UTF-8": b'[{"id": "\xff"}]',
        "an empty batch file": "",
        "an invalid batch": "[7]",
        "a batch with an empty id": '[{"id": ""}]',
    }.items():
        titan.files["batch.json"] = text
        refused(titan, 4, f"{words}: {text!r}", "add", "journal", "batch.json")
    titan.files["batch.json"] = '[{"id":"x","after":["saw"]},{"id":"saw","after":["rod"]},{"id":"rod","after":["saw"]}]'
    told = refused(titan, 4, "a cycle", "add", "journal", "batch.json")
    is_told = "saw -> rod" in told or "rod -> saw" in told
    assert is_told, f'expected the path of a cycle of saw and rod, joined by " -> ", in the message; got {short(told)}'


@pytest.mark.group("refusals")
@pytest.mark.advice(
    "Pass --key on to `add`, and read keys back from the journal."
    " In main print ConflictError and StaleError to sys.stderr, and return 5 for both."
)
def test_conflicts_and_stale_attempts(titan):
    """A key used by another batch, or a stale attempt, is refused with status 5."""
    titan.answer("add", "journal", "batch.json", "--key", "k")
    titan.files["batch.json"] = '[{"id": "saw"}]'
    refused(titan, 5, "a key that was used for another batch", "add", "journal", "batch.json", "--key", "k")
    refused(titan, 5, "done without a take", "done", "journal", "melt", "1", "--now", "3")
    refused(titan, 5, "fail for a job that doesn't exist", "fail", "journal", "weld", "1", "--now", "3")


@pytest.mark.group("refusals")
@pytest.mark.advice(
    "Put the line's number into the text of JournalError."
    " In main print it to sys.stderr, and return 6 for every command; write nothing to the journal."
)
def test_a_damaged_journal(titan):
    """A damaged journal is refused with status 6, and the message names the line."""
    titan.answer("add", "journal", "batch.json")
    titan.answer("take", "journal", "--now", "1", "--lease", "900")
    titan.answer("done", "journal", "melt", "1", "--now", "2")
    content = titan.files["journal"]
    lines = content.splitlines(keepends=True)
    if len(lines) != 3 or not lines[1].strip():
        return  # Whether each call adds one line is asked where durability is.
    damaged = content[: len(lines[0]) + 3] + b"\x7f" + content[len(lines[0]) + 4 :]
    titan.files["journal"] = damaged
    if titan("status", "journal", "--now", "200").exit_code == 0:
        return  # Whether damage is noticed is asked where durability is.
    titan.files["journal"] = damaged
    for command, *args in (["status", "--now", "200"], ["take", "--now", "200"], ["done", "cast", "1", "--now", "200"]):
        words = "a journal whose second of three lines is damaged"
        told = refused(titan, 6, words, command, "journal", *args)
        # Which line it is, is asked where durability is.
        named = any(digit in told for digit in "123")
        assert named, f"expected the number of a line in the message about {words}; got {short(told)}"


@pytest.mark.group("report")
@pytest.mark.clause("REPORT")
@pytest.mark.advice(
    "With --report write the status by os.replace and print nothing."
    " Let an OSError out of report reach main, which prints it to sys.stderr and returns 1."
)
def test_a_report(titan):
    """With --report, the status replaces the file, and nothing is printed."""
    titan.answer("add", "journal", "batch.json")
    told, _ = titan.answer("status", "journal", "--now", "7")
    titan.files["report.json"] = '{"old": "and longer than what comes"}' * 99
    run = titan("status", "journal", "--now", "7", "--report", "report.json")
    call = "`status journal --now 7 --report report.json`"
    same((run.exit_code, run.stdout), (0, ""), f"exit status and standard output of {call}")
    same(run.json("report.json"), told, f"the report that {call} writes, beside what status prints")
    same(sorted(set(run.files) - {"report.json", "journal"}), [], f"other files after {call}")
    refused(
        titan,
        1,
        "a report in a missing folder",
        "status",
        "journal",
        "--now",
        "7",
        "--report",
        "attic/report.json",
        naming="attic",
    )


def swap(how):
    """Write two reports, the second with a witness at the swap; return what was there, raised and left behind."""
    import os

    os.fsync = lambda handle: None
    import titan

    os.mkdir("desk")
    book = titan.Titan("journal")
    book.add([{"id": "melt"}])
    book.report("desk/report", 1)
    real = {"replace": os.replace, "rename": os.rename}
    seen = []

    def content(name):
        with open(name, "rb") as file:
            return file.read()

    def witness(name):
        def swap(old, new, **others):
            seen.append([content(old), content(new), os.path.realpath(os.path.dirname(os.path.abspath(old)))])
            if how == "fail":
                raise OSError(28, "no room", str(new))
            return real[name](old, new, **others)

        return swap

    before = content("desk/report")
    os.replace, os.rename = witness("replace"), witness("rename")
    raised = None
    try:
        book.report("desk/report", 2)
    except OSError:
        raised = "OSError"
    except Exception as error:
        raised = type(error).__name__
    os.replace, os.rename = real["replace"], real["rename"]
    for one in seen:
        one[2] = one[2] == os.path.realpath("desk")
    left = [content("desk/report"), sorted(os.listdir("desk"))]
    again = book.report("desk/report", 3)
    return [raised, seen, before, left, content("desk/report"), sorted(os.listdir("desk")), again]


@pytest.mark.group("report")
@pytest.mark.clause("REPORT")
@pytest.mark.advice(
    "Write the JSON to a new file in os.path.dirname(path), close it, and then call os.replace(new, path) once."
    " Never open path itself."
)
def test_the_report_is_whole_at_every_moment(player):
    """The report is written to a new file in the same folder, then swapped in."""
    raised, seen, before, _, after, folder, again = player.drive(swap, "see")
    same(raised, None, "the error out of report('desk/report', 2)")
    assert len(seen) == 1, f"expected one call of os.replace or os.rename in report; got {len(seen)}"
    new, old, beside = seen[0]
    same(old, before, "the old report at the moment of the swap")
    try:
        now = json.loads(new)["now"]
    except ValueError:
        now = new
    same(now, 2, "now in the new file at the moment of the swap of report('desk/report', 2)")
    assert beside is True, "expected the new file in the folder of the report; it is elsewhere"
    same((json.loads(after)["now"], folder, again), (3, ["report"], None), "now, folder and answer of the next report")


@pytest.mark.group("report")
@pytest.mark.clause("REPORT")
@pytest.mark.advice(
    "Write a new file beside the report, and catch OSError around os.replace: remove the new file with os.remove,"
    " then raise again."
)
def test_a_swap_that_fails(player):
    """If the swap fails, the error is raised, and only the old report remains."""
    raised, seen, before, left, after, folder, _ = player.drive(swap, "fail")
    assert seen, "expected one os.replace or os.rename of a new file to the report's place; got none"
    same(raised, "OSError", "the error out of report when the swap raises OSError")
    same(seen[0][1], before, "the old report at the moment of the swap")
    same(left[0], before, "the report after a swap that failed")
    same(left[1], ["report"], "the files in the report's folder after a swap that failed")
    same(folder, ["report"], "the files in the report's folder after the next report")
    same(json.loads(after)["now"], 3, "now in the next report after a swap that failed")
