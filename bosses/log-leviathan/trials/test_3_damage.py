"""Damaged lines are counted and passed over; bad calls are refused."""

import json

import pytest

SOUND = "2031-04-02T05:00:00.125Z INFO gate GET /valves/7 200 31ms\n"


def counts(cli, text):
    """Lines, malformed, and what else shows in the summary, for a damaged log."""
    run = cli("harbour.log", files={"harbour.log": text})
    assert not run.traceback, "A damaged line must not end the run in a traceback."
    assert run.exit_code == 0, "A damaged log is no reason to fail: exit status 0."
    try:
        told = json.loads(run.stdout)
        return told["lines"], told["malformed"], told
    except (ValueError, TypeError, KeyError):
        raise AssertionError("A damaged log ends in a summary with lines and malformed like any other.") from None


def all_malformed(cli, lines, words):
    """Each of these lines, and none of the sound ones around them, is malformed."""
    _, malformed, told = counts(cli, SOUND + "".join(f"{bad}\n{SOUND}" for bad in lines))
    assert malformed == len(lines), words
    levels = told.get("levels")
    assert isinstance(levels, dict), "A damaged log ends in a summary with levels like any other."
    assert levels.get("INFO") == len(lines) + 1, "Sound lines around a malformed one count as ever."


@pytest.mark.group("damage")
def test_lines_that_are_cut(cli):
    """Lines that are cut short or are no log lines at all are malformed."""
    cut = ["2031-04-02T05:00:00.125Z INFO gate", "2031-04-02T05:00:00.125Z INFO", "2031-04-", "    at valve.open(7)"]
    cut += ["2031-04-02T05:00:00.125Z INFO gate ", "2031-04-02T05:00:00.125Z"]
    all_malformed(cli, cut, "A line without all of TIME, LEVEL, COMPONENT and MESSAGE is malformed.")


@pytest.mark.group("damage")
def test_unknown_levels_and_odd_components(cli):
    """A level that does not exist, or a component with other characters, makes a line malformed."""
    bad = [f"2031-04-02T05:00:00.125Z {level} gate words" for level in ("FATAL", "info", "INFORMATION")]
    all_malformed(cli, bad, "LEVEL is one of the five, in capitals.")
    bad = [f"2031-04-02T05:00:00.125Z INFO {name} words" for name in ("pump/3", "[gate]", "größe", "a:b")]
    all_malformed(cli, bad, "COMPONENT is made of letters a to z, digits and . - _ alone.")


@pytest.mark.group("damage")
def test_form_of_time(cli):
    """A time in another form makes a line malformed."""
    other = [
        "2031-04-02T05:00:00Z",
        "2031-04-02T05:00:00.1Z",
        "2031-04-02T05:00:00.125000Z",
        "2031-4-2T5:00:00.125Z",
        "2031-04-02T05:00:00.125",
        "2031-04-02T05:00:00.125+00:00",
        "20310402T050000.125Z",
    ]
    all_malformed(cli, [f"{time} INFO gate words" for time in other], "TIME has one form only; any other is malformed.")


@pytest.mark.group("damage")
def test_moments_that_do_not_exist(cli):
    """A moment that does not exist makes a line malformed; the 29th of February of a leap year exists."""
    never = ["2031-02-29T05:00:00", "2031-04-31T05:00:00", "2031-13-01T05:00:00", "2031-00-01T05:00:00"]
    never += ["2031-04-02T24:00:00", "2031-04-02T05:60:00", "2031-04-02T05:00:60", "2031-04-00T05:00:00"]
    never += ["2100-02-29T05:00:00"]
    all_malformed(cli, [f"{time}.000Z INFO gate words" for time in never], "A moment that can't be is malformed.")
    leap = "2032-02-29T05:00:00.000Z INFO gate words\n2000-02-29T23:59:59.999Z INFO gate words\n"
    _, malformed, _ = counts(cli, leap)
    assert malformed == 0, "Leap years have a 29th of February."


@pytest.mark.group("damage")
def test_spaces_in_the_wrong_place(cli):
    """One space stands between the parts, and none before the first."""
    bad = [
        " 2031-04-02T05:00:00.125Z INFO gate words",
        "2031-04-02T05:00:00.125Z  INFO gate words",
        "2031-04-02T05:00:00.125Z INFO  gate words",
        "2031-04-02T05:00:00.125Z INFO gate  words",
    ]
    all_malformed(cli, bad, "Exactly one space stands between the parts; anything else is malformed.")


@pytest.mark.group("damage")
def test_bytes_that_are_no_text(cli):
    """A line that is not UTF-8 is malformed, and costs only itself; on standard input as well."""
    bad = b"2031-04-02T05:00:01.000Z ERROR gate tem\xffp\xe9rature\n\x80\x81\xfe\n"
    count, malformed, told = counts(cli, SOUND.encode() + bad + SOUND.encode())
    assert (count, malformed) == (4, 2), "A line whose bytes are not UTF-8 is malformed, and the next one is not."
    assert told.get("error_rate") == 0, "A malformed line has no level that counts."
    run = cli(stdin=bad + SOUND.encode())
    assert run.exit_code == 0, "Bytes that are no text on standard input are damage like any other."
    assert '"malformed": 2' in " ".join(run.stdout.replace(":", ": ").split()), "Both such lines are malformed."


@pytest.mark.group("damage")
def test_nothing_but_damage(cli):
    """A log of malformed lines alone ends in a summary that knows nothing of times or components."""
    text = "2031-04-02T05:00:61.000Z ERROR gate GET /a 200 9ms\nERROR\n2031-04-02T05:00:00.000Z error gate x\n"
    count, malformed, told = counts(cli, text)
    assert (count, malformed) == (3, 3), "Each of these lines is malformed."
    assert (told.get("components"), told.get("slowest")) == ({}, []), "Nothing of a malformed line is counted."
    assert told.get("first", 0) is None, "The time of a malformed line does not count."
    assert not told.get("error_rate"), "The level of a malformed line does not count."


def refused(run, status, what):
    """The promises about a refused call, but for what its message names."""
    assert not run.traceback, f"{what}: a traceback escaped."
    assert run.exit_code == status, f"{what}: the exit status must be {status}."
    assert run.stderr.strip(), f"{what}: say on standard error what is wrong."
    assert not run.stdout.strip(), f"{what}: nothing may stand on standard output."
    assert not run.files, f"{what}: no file may be created or changed."


@pytest.mark.group("refusals")
def test_a_file_that_is_not_there(cli):
    """A file that does not exist is refused, also after a sound one; an earlier summary survives."""
    refused(cli("lost.log"), 1, "A file that does not exist")
    files = {"harbour.log": SOUND, "told.json": "yesterday"}
    for options in ((), ("--output", "told.json")):
        run = cli("harbour.log", "lost.log", *options, files=files)
        refused(run, 1, "A file that does not exist after one that does")


@pytest.mark.group("refusals")
def test_a_directory(cli):
    """A directory in place of a file is refused."""
    run = cli("archive", "--output", "told.json", files={"archive/harbour.log": SOUND})
    refused(run, 1, "A directory in place of a log")


@pytest.mark.group("refusals")
def test_nowhere_to_write(cli):
    """A summary that can't be written is refused."""
    run = cli("harbour.log", "--output", "nowhere/told.json", files={"harbour.log": SOUND})
    refused(run, 1, "A PATH in a folder that does not exist")


@pytest.mark.group("refusals")
def test_a_senseless_top(cli):
    """An N that is no whole number of 0 or more is refused with status 2, and the message names --top."""
    for number in ("-1", "many", "2.5"):
        run = cli("harbour.log", "--top", number, files={"harbour.log": SOUND})
        refused(run, 2, "An N that makes no sense")
        assert "--top" in run.stderr, "The message about a senseless N must name --top."


@pytest.mark.group("refusals")
def test_the_message_names_the_file(cli):
    """The message about a file, a directory or a PATH names it."""
    files = {"harbour.log": SOUND, "archive/harbour.log": SOUND}
    for name, args in {
        "lost.log": ["harbour.log", "lost.log"],
        "archive": ["archive"],
        "nowhere": ["harbour.log", "--output", "nowhere/told.json"],
    }.items():
        run = cli(*args, files=files)
        assert run.exit_code, f"{name} can't be used: the exit status must not be 0."
        assert name in run.stderr, "The message on standard error must name the file or PATH at fault."
