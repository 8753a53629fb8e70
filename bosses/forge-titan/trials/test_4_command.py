"""The command line: answers, exit statuses, refusals, and the report."""

import json

import pytest

BATCH = '[{"id": "melt", "attempts": 2, "backoff": 5}, {"id": "cast", "after": ["melt"]}]'


@pytest.fixture
def titan(cli):
    """Runs commands one after the other, the files of each handed on to the next."""

    class Commands:
        def __init__(self):
            self.files = {"batch.json": BATCH}

        def __call__(self, *args):
            run = cli(*args, files=self.files)
            assert not run.traceback, "No call may end in a traceback."
            self.files.update(run.files)
            return run

        def answer(self, *args):
            """The JSON that a command prints, and its exit status."""
            run = self(*args)
            try:
                return json.loads(run.stdout), run.exit_code
            except ValueError:
                raise AssertionError("Standard output is one JSON document.") from None

        def refused(self, status, words, *args, naming=""):
            """A call that is refused: exit status, silence, and the journal as it was. Gives the message."""
            before = self.files.get("journal")
            run = self(*args)
            assert run.exit_code == status, f"{words} ends with exit status {status}, not {run.exit_code}."
            assert run.stdout == "", f"{words} prints nothing on standard output."
            assert naming in run.stderr, f"{words}: the message does not name what is at fault."
            assert self.files.get("journal") == before, f"{words} leaves the journal as it was."
            return run.stderr

    return Commands()


@pytest.mark.group("commands")
def test_a_day_at_the_forge(titan):
    """Each command answers in JSON with exit status 0, and the journal carries everything to the next."""
    assert titan.answer("add", "journal", "batch.json") == ({"added": 2}, 0), "add prints how many jobs were added."
    assert titan.answer("take", "journal", "--now", "10") == ({"job": "melt", "attempt": 1}, 0), (
        "take prints job and attempt."
    )
    assert titan.answer("fail", "journal", "melt", "1", "--now", "11") == ({"counted": True}, 0), (
        "fail prints that it counts."
    )
    taken = titan.answer("take", "journal", "--now", "100", "--lease", "4")
    assert taken == ({"job": "melt", "attempt": 2}, 0), "What one command did is known to the next."
    told, status = titan.answer("status", "journal", "--now", "103")
    assert status == 0, "status ends with exit status 0."
    assert set(told) == {"now", "counts", "jobs"}, "status prints exactly now, counts and jobs."
    assert told["now"] == 103, "status prints the time that --now says."
    assert (told["counts"]["waiting"], told["counts"]["running"]) == (1, 1), (
        "status prints how many jobs are in a state."
    )
    assert sorted(told["jobs"], key=lambda job: job["id"]) == [
        {"id": "cast", "state": "waiting", "attempts": 0, "due": None},
        {"id": "melt", "state": "running", "attempts": 2, "due": 104},
    ], "status prints every job with id, state, attempts and due."
    assert titan.answer("done", "journal", "melt", "2", "--now", "103") == ({"counted": True}, 0), (
        "done prints that it counts."
    )
    repeat = titan.answer("done", "journal", "melt", "2", "--now", "110")
    assert repeat == ({"counted": False}, 0), "A repeat prints false, and is no failure."


@pytest.mark.group("commands")
def test_nothing_is_ready(titan):
    """take without a ready job prints null and ends with exit status 3."""
    assert titan.answer("take", "journal", "--now", "0") == ({"job": None}, 3), (
        "In an empty book nothing is ready: status 3."
    )
    assert "journal" not in titan.files, "Only a change makes a journal."
    titan.answer("add", "journal", "batch.json", "--key", "k")
    titan.answer("take", "journal", "--now", "0")
    assert titan.answer("take", "journal", "--now", "0") == ({"job": None}, 3), "While nothing is ready: status 3."


@pytest.mark.group("commands")
def test_options_stand_anywhere(titan):
    """Options may stand before or after what they belong to."""
    assert titan.answer("add", "--key", "k", "journal", "batch.json") == ({"added": 2}, 0), "Options may come first."
    taken = titan.answer("take", "--lease", "5", "--now", "3", "journal")
    assert taken == ({"job": "melt", "attempt": 1}, 0), "Options may come first, in any order."
    told, _ = titan.answer("status", "--now", "3", "journal")
    assert {job["id"]: job["due"] for job in told["jobs"]} == {"melt": 8, "cast": None}, (
        "A lease is as long as --lease says."
    )


@pytest.mark.group("refusals")
def test_files_that_can_not_be_read(titan):
    """A batch that isn't there, or a journal that is a folder or can't be made, is refused by name with status 1."""
    told = titan.refused(1, "A BATCH that isn't there", "add", "journal", "absent.json", naming="absent.json")
    assert told.strip(), "A refusal is told on standard error."
    told = titan.refused(1, "A JOURNAL in a missing folder", "add", "attic/journal", "batch.json", naming="attic")
    assert told.strip(), "A refusal is told on standard error."
    titan.files["folder/file"] = "x"
    told = titan.refused(1, "A JOURNAL that is a folder", "status", "folder", "--now", "1", naming="folder")
    assert told.strip(), "A refusal is told on standard error."


@pytest.mark.group("refusals")
def test_a_wrong_command_line(titan):
    """What is no command line is refused with status 2."""
    titan.answer("add", "journal", "batch.json")
    for words, *args in (
        ("An unknown command", "forget", "journal"),
        ("A T that is no number", "take", "journal", "--now", "noon"),
        ("A T that is no whole number", "status", "journal", "--now", "1.5"),
        ("A T below 0", "status", "journal", "--now", "-1"),
        ("A lease of 0", "take", "journal", "--now", "1", "--lease", "0"),
        ("A lease that is no number", "take", "journal", "--now", "1", "--lease", "long"),
        ("An ATTEMPT that is no number", "done", "journal", "melt", "first", "--now", "1"),
    ):
        told = titan.refused(2, words, *args)
        assert told.strip(), "A refusal is told on standard error."


@pytest.mark.group("refusals")
def test_a_batch_is_refused(titan):
    """A batch that makes no sense, or is no JSON, is refused with status 4; a circle is told as its path."""
    titan.answer("add", "journal", "batch.json")
    for words, text in {
        "A batch that is no JSON": '[{"id": "x"}',
        "A batch that is no UTF-8": b'[{"id": "\xff"}]',
        "An empty batch file": "",
        "A batch that makes no sense": "[7]",
        "An id that is taken": '[{"id": "melt"}]',
    }.items():
        titan.files["batch.json"] = text
        told = titan.refused(4, words, "add", "journal", "batch.json")
        assert told.strip(), "A refusal is told on standard error."
    titan.files["batch.json"] = '[{"id":"x","after":["saw"]},{"id":"saw","after":["rod"]},{"id":"rod","after":["saw"]}]'
    told = titan.refused(4, "A circle", "add", "journal", "batch.json")
    assert told.strip(), "A refusal is told on standard error."
    assert "saw -> rod" in told or "rod -> saw" in told, 'A circle is told as its path, joined by " -> ".'


@pytest.mark.group("refusals")
def test_conflicts_and_stale_attempts(titan):
    """A key for another batch, and words about an attempt that is not under way, are refused with status 5."""
    titan.answer("add", "journal", "batch.json", "--key", "k")
    titan.files["batch.json"] = '[{"id": "saw"}]'
    told = titan.refused(5, "A key that was used for another batch", "add", "journal", "batch.json", "--key", "k")
    assert told.strip(), "A refusal is told on standard error."
    told = titan.refused(5, "done without a take", "done", "journal", "melt", "1", "--now", "3")
    assert told.strip(), "A refusal is told on standard error."
    told = titan.refused(5, "fail for a job that is nowhere", "fail", "journal", "saw", "1", "--now", "3")
    assert told.strip(), "A refusal is told on standard error."


@pytest.mark.group("refusals")
def test_a_damaged_journal(titan):
    """A damaged journal is refused with status 6 by every command, and the message says the line."""
    titan.answer("add", "journal", "batch.json")
    titan.answer("take", "journal", "--now", "1", "--lease", "900")
    titan.answer("done", "journal", "melt", "1", "--now", "2")
    content = titan.files["journal"]
    lines = content.splitlines(keepends=True)
    assert len(lines) == 3, "Each call that changes something adds one line."
    titan.files["journal"] = content[: len(lines[0]) + 3] + b"\x7f" + content[len(lines[0]) + 4 :]
    for command, *args in (["status", "--now", "200"], ["take", "--now", "200"], ["done", "cast", "1", "--now", "200"]):
        told = titan.refused(6, "A damaged journal", command, "journal", *args, naming="2")
        assert told.strip(), "A refusal is told on standard error."


@pytest.mark.group("report")
def test_a_report(titan):
    """With --report the status goes to a file, in place of what was there, and nothing is printed."""
    titan.answer("add", "journal", "batch.json")
    told, _ = titan.answer("status", "journal", "--now", "7")
    titan.files["told.json"] = '{"old": "and longer than what comes"}' * 99
    run = titan("status", "journal", "--now", "7", "--report", "told.json")
    assert run.exit_code == 0, "status with --report ends with exit status 0."
    assert run.stdout == "", "With --report nothing is printed."
    assert run.json("told.json") == told, "The report holds what status prints, and nothing of before."
    others = set(run.files) - {"told.json", "journal"}
    assert not others, "Beside the report no other file is left."
    told = titan.refused(
        1,
        "A report in a missing folder",
        "status",
        "journal",
        "--now",
        "7",
        "--report",
        "attic/told.json",
        naming="attic",
    )
    assert told.strip(), "A refusal is told on standard error."


def swap(how):
    """Write two reports, the second with a witness at the swap; tell what was there, raised, and left in the folder."""
    import os

    os.fsync = lambda handle: None
    import titan

    os.mkdir("desk")
    book = titan.Titan("journal")
    book.add([{"id": "melt"}])
    book.report("desk/told", 1)
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

    before = content("desk/told")
    os.replace, os.rename = witness("replace"), witness("rename")
    raised = None
    try:
        book.report("desk/told", 2)
    except OSError:
        raised = "OSError"
    except Exception as error:
        raised = type(error).__name__
    os.replace, os.rename = real["replace"], real["rename"]
    for one in seen:
        one[2] = one[2] == os.path.realpath("desk")
    left = [content("desk/told"), sorted(os.listdir("desk"))]
    again = book.report("desk/told", 3)
    return [raised, seen, before, left, content("desk/told"), sorted(os.listdir("desk")), again]


@pytest.mark.group("report")
def test_the_report_is_whole_at_every_moment(player):
    """The report is written to a new file in the same folder, and swapped in when it is finished."""
    raised, seen, before, _, after, folder, again = player.drive(swap, "see")
    assert raised is None, f"report itself failed: {raised}."
    assert len(seen) == 1, "The report takes its place by one os.replace or os.rename."
    new, old, beside = seen[0]
    assert old == before, "Until the swap, the old report stands at its place as it was."
    assert json.loads(new or b"null") is not None, (
        "At the swap the new file is complete: write, flush and close it first."
    )
    assert json.loads(new)["now"] == 2, "The new file holds the status."
    assert beside, "The new file is written in the folder of the report, so that the swap is one step."
    assert (json.loads(after)["now"], folder, again) == (3, ["told"], None), (
        "A later report replaces the earlier, and none but it is left."
    )


@pytest.mark.group("report")
def test_a_swap_that_fails(player):
    """If the swap fails, the error passes, the old report stays, and the new file is removed."""
    raised, seen, before, left, after, folder, _ = player.drive(swap, "fail")
    assert seen, "The report takes its place by one os.replace or os.rename."
    assert raised == "OSError", "The OSError of a failed swap passes."
    assert seen[0][1] == before, "Until the swap, the old report stands at its place as it was."
    assert left == [before, ["told"]], (
        "After a swap that failed, the new file is removed, and the old report as it was."
    )
    assert folder == ["told"], "After the next report, none but it is left."
    assert json.loads(after)["now"] == 3, "After a swap that failed, the next report is written as ever."
