"""Damaged lines are counted and skipped; bad calls are refused."""

import json

import pytest

pytestmark = pytest.mark.clause("A LINE")

SOUND = "2031-04-02T05:00:00.125Z INFO gate GET /valves/7 200 31ms\n"


def from_its_brace(stdout):
    """What a program prints from the first brace on; what comes before the summary is for the trials of counts."""
    return stdout[max(0, stdout.find("{")) :]


def counts(cli, text):
    """Lines, malformed, and what else shows in the summary, for a damaged log."""
    run = cli("harbour.log", files={"harbour.log": text})
    assert not run.traceback, "expected a summary of a damaged log; got a traceback"
    assert run.exit_code == 0, f"expected exit status 0 for a damaged log; got {run.exit_code}"
    try:
        document = json.loads(from_its_brace(run.stdout))
        return document["lines"], document["malformed"], document
    except (ValueError, TypeError, KeyError):
        raise AssertionError(f"expected a summary with lines and malformed; got {run.stdout[:80]!r}") from None


def is_malformed(cli, bad):
    """Whether this line between two sound ones is counted as malformed, and nothing else is."""
    try:
        count, malformed, document = counts(cli, f"{SOUND}{bad}\n{SOUND}")
    except AssertionError:
        return False
    return (count, malformed, document.get("requests")) == (3, 1, 2)


def all_malformed(cli, lines):
    """Each of these lines, and none of the sound ones around them, is malformed."""
    try:
        _, malformed, document = counts(cli, SOUND + "".join(f"{bad}\n{SOUND}" for bad in lines))
        levels = document.get("levels") or {}
        if (malformed, levels.get("INFO")) == (len(lines), len(lines) + 1):
            return
    except (AssertionError, AttributeError):
        pass
    wrong = [bad for bad in lines if not is_malformed(cli, bad)]
    raise AssertionError(f"expected 1 malformed line and 2 valid ones around it; got otherwise for {wrong or lines}")


@pytest.mark.group("damage")
@pytest.mark.advice("Match the whole line with one pattern of all four parts; the message begins with no space.")
def test_lines_that_are_cut(cli):
    """Truncated lines, and lines that aren't log lines at all, are malformed."""
    cut = ["2031-04-02T05:00:00.125Z INFO gate", "2031-04-02T05:00:00.125Z INFO", "2031-04-", "    at valve.open(7)"]
    cut += ["2031-04-02T05:00:00.125Z INFO gate ", "2031-04-02T05:00:00.125Z"]
    all_malformed(cli, cut)


@pytest.mark.group("damage")
@pytest.mark.advice("Name the five levels in the pattern, and the signs of a component: [A-Za-z0-9._-]+.")
def test_unknown_levels_and_odd_components(cli):
    """An unknown level, or a component with other characters, makes a line malformed."""
    bad = [f"2031-04-02T05:00:00.125Z {level} gate words" for level in ("FATAL", "info", "INFORMATION")]
    all_malformed(cli, bad)
    bad = [f"2031-04-02T05:00:00.125Z INFO {name} words" for name in ("pump/3", "[gate]", "größe", "a:b")]
    all_malformed(cli, bad)


@pytest.mark.group("damage")
@pytest.mark.advice("Spell the digits of TIME out in the pattern, milliseconds and Z included, and match all of it.")
def test_form_of_time(cli):
    """A time in another format makes a line malformed."""
    other = [
        "2031-04-02T05:00:00Z",
        "2031-04-02T05:00:00.1Z",
        "2031-04-02T05:00:00.125000Z",
        "2031-4-2T5:00:00.125Z",
        "2031-04-02T05:00:00.125",
        "2031-04-02T05:00:00.125+00:00",
        "20310402T050000.125Z",
    ]
    all_malformed(cli, [f"{time} INFO gate words" for time in other])


@pytest.mark.group("damage")
@pytest.mark.advice("Hand the parts of TIME to datetime(): a ValueError makes the line malformed.")
def test_moments_that_do_not_exist(cli):
    """An impossible moment makes a line malformed; a real 29 February does not."""
    never = ["2031-02-29T05:00:00", "2031-04-31T05:00:00", "2031-13-01T05:00:00", "2031-00-01T05:00:00"]
    never += ["2031-04-02T24:00:00", "2031-04-02T05:60:00", "2031-04-02T05:00:60", "2031-04-00T05:00:00"]
    never += ["2100-02-29T05:00:00"]
    all_malformed(cli, [f"{time}.000Z INFO gate words" for time in never])
    leap = "2032-02-29T05:00:00.000Z INFO gate words\n2000-02-29T23:59:59.999Z INFO gate words\n"
    _, malformed, _ = counts(cli, leap)
    assert malformed == 0, f"expected no malformed line on the 29th of February of 2032 and 2000; got {malformed}"


@pytest.mark.group("damage")
@pytest.mark.advice("Put exactly one space between the parts of the pattern, and strip nothing before the match.")
def test_spaces_in_the_wrong_place(cli):
    """Exactly one space separates the parts, and none comes before the first."""
    bad = [
        " 2031-04-02T05:00:00.125Z INFO gate words",
        "2031-04-02T05:00:00.125Z  INFO gate words",
        "2031-04-02T05:00:00.125Z INFO  gate words",
        "2031-04-02T05:00:00.125Z INFO gate  words",
    ]
    all_malformed(cli, bad)


@pytest.mark.group("damage")
@pytest.mark.advice(
    "Read bytes, from sys.stdin.buffer too, and decode line by line: a UnicodeDecodeError makes one line malformed."
)
def test_bytes_that_are_no_text(cli):
    """A line that isn't UTF-8 is malformed; on standard input, too."""
    bad = b"2031-04-02T05:00:01.000Z ERROR gate tem\xffp\xe9rature\n\x80\x81\xfe\n"
    count, malformed, document = counts(cli, SOUND.encode() + bad + SOUND.encode())
    got = (count, malformed, document.get("error_rate"))
    assert got == (4, 2, 0), (
        f"expected lines 4, malformed 2, error_rate 0 of two valid lines and two not UTF-8; got {got}"
    )
    if read_from_standard_input(cli, SOUND.encode()) == (1, 0):
        got = read_from_standard_input(cli, bad + SOUND.encode())
        assert got == (3, 2), f"expected lines 3, malformed 2 of two lines not UTF-8 on standard input; got {got}"


def read_from_standard_input(cli, text):
    """Lines and malformed of a log on standard input; None where there is no summary."""
    try:
        document = json.loads(from_its_brace(cli(stdin=text).stdout))
        return document["lines"], document["malformed"]
    except (ValueError, TypeError, KeyError):
        return None


@pytest.mark.group("damage")
@pytest.mark.clause("A LINE", "SUMMARY")
@pytest.mark.advice("Where every line is malformed, let first, last and error_rate be null.")
def test_nothing_but_damage(cli):
    """A log of malformed lines alone gives a summary without times or components.

    A program that can't say anything about an empty log is judged for that elsewhere.
    """
    if cli("harbour.log", files={"harbour.log": ""}).exit_code:
        return
    text = "2031-04-02T05:00:61.000Z ERROR gate GET /a 200 9ms\nERROR\n2031-04-02T05:00:00.000Z error gate x\n"
    count, malformed, document = counts(cli, text)
    assert (count, malformed) == (3, 3), f"expected lines 3, malformed 3; got {count}, {malformed}"
    got = [document.get(key, 0) for key in ("components", "slowest", "first")]
    assert got == [{}, [], None], f"expected no components, slowest, first of malformed lines alone; got {got}"
    rate = document.get("error_rate")
    assert not rate, f"expected error_rate null of malformed lines alone; got {rate}"


@pytest.mark.group("damage")
@pytest.mark.clause("SUMMARY")
@pytest.mark.advice("Divide the errors by the well-formed lines alone.")
def test_the_rate_beside_damage(cli):
    """error_rate is a share of the well-formed lines."""
    _, _, document = counts(cli, SOUND + "cut\ncut\n" + SOUND.replace("INFO", "ERROR"))
    rate = document.get("error_rate")
    _, _, sound = counts(cli, SOUND + SOUND.replace("INFO", "ERROR"))
    expected = sound.get("error_rate")
    assert rate == expected, f"expected error_rate {expected} of 1 INFO, 1 ERROR and 2 malformed lines; got {rate}"


def rejected(run, call):
    """The least of a refusal: no traceback, and an exit status that is not 0."""
    assert not run.traceback, f"expected a message for {call}; got a traceback"
    assert run.exit_code, f"expected an exit status other than 0 for {call}; got 0"


def refused(run, status, call):
    """The promises about a refused call, but for what its message names."""
    rejected(run, call)
    assert run.exit_code == status, f"expected exit status {status} for {call}; got {run.exit_code}"
    assert run.stderr.strip(), f"expected a message on standard error for {call}; got none"
    assert not run.stdout.strip(), f"expected nothing on standard output for {call}; got {run.stdout[:60]!r}"
    assert not run.files, f"expected no file created or changed for {call}; got {', '.join(run.files)}"


FILES = {"harbour.log": SOUND, "archive/harbour.log": SOUND}
BAD_CALLS = {
    "missing": ["lost.log"],
    "directory": ["archive"],
    "nowhere": ["harbour.log", "--output", "nowhere/report.json"],
    "top": ["harbour.log", "--top", "many"],
}


@pytest.mark.group("rejections")
@pytest.mark.parametrize("name", BAD_CALLS, ids=list(BAD_CALLS))
@pytest.mark.clause("REFUSALS")
@pytest.mark.advice(
    "Catch OSError around all reading and around opening PATH, report it and return 1. Skip and create nothing; "
    "let argparse refuse --top."
)
def test_a_bad_call_is_no_success(cli, name):
    """A bad call ends with a nonzero exit status and without a traceback."""
    rejected(cli(*BAD_CALLS[name], files=FILES), " ".join(BAD_CALLS[name]))


@pytest.mark.group("refusals")
@pytest.mark.clause("REFUSALS")
@pytest.mark.advice(
    "Catch OSError around all reading, print it to standard error, return 1, and write the summary after the last file."
)
def test_a_file_that_is_not_there(cli):
    """A missing file is refused, even after a valid one; an old summary survives.

    A program that does not read a second file is judged for that elsewhere.
    """
    refused(cli("lost.log"), 1, "lost.log, which does not exist")
    files = {"harbour.log": SOUND, "report.json": "yesterday"}
    if read_from_two_files(cli) != 2:
        return
    for options in ((), ("--output", "report.json")):
        run = cli("harbour.log", "lost.log", *options, files=files)
        refused(run, 1, " ".join(["harbour.log lost.log", *options]))


def read_from_two_files(cli):
    """How many lines are read from two files of one line each."""
    try:
        run = cli("a.log", "b.log", files={"a.log": SOUND, "b.log": SOUND})
        return json.loads(from_its_brace(run.stdout))["lines"]
    except (ValueError, TypeError, KeyError):
        return None


@pytest.mark.group("refusals")
@pytest.mark.clause("REFUSALS")
@pytest.mark.advice("Catch OSError around all reading: a directory raises IsADirectoryError, which is one.")
def test_a_directory(cli):
    """A directory in place of a file is refused."""
    run = cli("archive", "--output", "report.json", files={"archive/harbour.log": SOUND})
    refused(run, 1, "archive --output report.json, where archive is a directory")


@pytest.mark.group("refusals")
@pytest.mark.clause("REFUSALS")
@pytest.mark.advice("Catch OSError around the opening of PATH as well, and return 1.")
def test_nowhere_to_write(cli):
    """A summary that can't be written is refused."""
    run = cli("harbour.log", "--output", "nowhere/report.json", files={"harbour.log": SOUND})
    refused(run, 1, "--output nowhere/report.json, where no folder nowhere is")


@pytest.mark.group("refusals")
@pytest.mark.clause("REFUSALS")
@pytest.mark.advice(
    "Give --top a type that raises argparse.ArgumentTypeError for a negative N: argparse names the option."
)
def test_a_senseless_top(cli):
    """An N that isn't a whole number of 0 or more is refused: status 2, --top named."""
    for number in ("-1", "many", "2.5"):
        run = cli("harbour.log", "--top", number, files={"harbour.log": SOUND})
        refused(run, 2, f"--top {number}")
        assert "--top" in run.stderr, f"expected --top in the message about --top {number}; got {run.stderr[-80:]!r}"


@pytest.mark.group("refusals")
@pytest.mark.clause("REFUSALS")
@pytest.mark.advice("Print the name of the file or PATH in the message; str(error) of an OSError holds it.")
def test_the_message_names_the_file(cli):
    """The message about a file, a directory or a PATH names it."""
    for name, args in {
        "lost.log": BAD_CALLS["missing"],
        "archive": BAD_CALLS["directory"],
        "nowhere": BAD_CALLS["nowhere"],
    }.items():
        run = cli(*args, files=FILES)
        rejected(run, " ".join(args))
        assert name in run.stderr, f"expected {name} in the message about {' '.join(args)}; got {run.stderr[-80:]!r}"
