"""Random logs, beside a slow and obvious count."""

import json

import pytest

pytestmark = [pytest.mark.group("random"), pytest.mark.clause("SUMMARY")]

LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]
BROKEN = ["cut", "2031-02-30T05:00:00.000Z INFO gate words", "2031-02-03T05:00:00.000Z INFO gate"]


def random_line(rng):
    """The parts of a random well-formed line; durations often meet."""
    day, clock = rng.randint(1, 28), [rng.randint(0, top) for top in (23, 59, 59, 999)]
    time = "{}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z".format(rng.choice([2029, 2031]), rng.randint(1, 12), day, *clock)
    entry = {"time": time, "level": rng.choice(LEVELS), "component": rng.choice(["gate", "Gate", "pump.3", "x-_9"])}
    if rng.random() < 0.6:
        entry |= {"request": f"{rng.choice(['GET', 'PUT'])} /{rng.randint(1, 99)}", "status": rng.randint(100, 599)}
        entry["ms"] = rng.choice([7, 9000, 9001, rng.randint(0, 9999)])
    return entry


def written(entry):
    """An entry as its line."""
    message = f"{entry['request']} {entry['status']} {entry['ms']}ms" if "ms" in entry else "all is calm"
    return f"{entry['time']} {entry['level']} {entry['component']} {message}"


def expected(entries, top):
    """What the contract says, computed the slow way."""
    bad = [entry for entry in entries if entry["level"] in ("ERROR", "CRITICAL")]
    requests = sorted((entry for entry in entries if "ms" in entry), key=lambda entry: -entry["ms"])
    times = sorted(entry["time"] for entry in entries)
    return {
        "first": times[0],
        "last": times[-1],
        "levels": {level: sum(entry["level"] == level for entry in entries) for level in LEVELS},
        "components": {
            name: {
                "lines": sum(entry["component"] == name for entry in entries),
                "errors": sum(entry["component"] == name for entry in bad),
            }
            for name in {entry["component"] for entry in entries}
        },
        "requests": len(requests),
        "slowest": [
            {key: entry[key] for key in ("ms", "time", "component", "request", "status")} for entry in requests[:top]
        ],
    }


def parsed(run, call):
    """The summary that a run printed."""
    assert run.exit_code == 0, f"expected exit status 0 for {call}; got {run.exit_code}"
    try:
        # What stands before the summary is for the trials of counts.
        document = json.loads(run.stdout[max(0, run.stdout.find("{")) :])
    except ValueError:
        raise AssertionError(f"expected one JSON document for {call}; got {run.stdout[:80]!r}") from None
    assert isinstance(document, dict), f"expected a JSON object for {call}; got {run.stdout[:80]!r}"
    return document


def summary(cli, text, top):
    """The summary of a log in a file."""
    return parsed(cli("--top", str(top), "harbour.log", files={"harbour.log": text}), "a random log")


def differences(cli, entries, top):
    """By key, what was expected and what the summary of these entries says; only where that differs."""
    document = summary(cli, "".join(f"{written(entry)}\n" for entry in entries), top)
    wanted = {"lines": len(entries), **expected(entries, top)}
    return {key: (value, document.get(key)) for key, value in wanted.items() if document.get(key) != value}


MAX_DROPS = 20


def shortened(cli, entries, top):
    """Fewer entries that still show a difference: halves first, then single ones, in few runs."""
    size, runs = max(1, len(entries) // 2), 0
    while runs < MAX_DROPS:
        for start in range(0, len(entries), size):
            rest = [*entries[:start], *entries[start + size :]]
            runs += 1
            if rest and differences(cli, rest, top):
                entries = rest
                break
            if runs >= MAX_DROPS:
                break
        else:
            if size == 1:
                break
            size //= 2
    return entries


@pytest.mark.advice(
    "Run the lines shown, and work out the key named by hand. Here times come in any order, durations meet, "
    "requests have any level, and N may be 0."
)
def test_any_sound_log(cli, rng):
    """On random logs, every part of the summary matches a slow count."""
    for top in (0, 1, 2, 3, 5, 8):
        entries = [random_line(rng) for _ in range(rng.randint(5, 60))]
        if differences(cli, entries, top):
            entries = shortened(cli, entries, top)
            key, (wanted, got) = next(iter(differences(cli, entries, top).items()))
            lines = "; ".join(written(entry) for entry in entries)
            raise AssertionError(f"expected {key} {wanted} with --top {top}; got {got}. The log: {lines}")


@pytest.mark.clause("A LINE")
@pytest.mark.advice("Take the line end off first, and skip the line before anything is counted if not line.strip(' ').")
def test_blank_lines_anywhere(cli, rng):
    """Blank lines between the lines of a random log change nothing."""
    lines = [f"{written(random_line(rng))}\n" for _ in range(30)]
    blanks = ["\n" * rng.choice([0, 0, 1, 2]) + rng.choice(["", "", "  \n"]) for _ in lines]
    whole = summary(cli, "".join(lines), 5)
    spaced = summary(cli, "".join(blank + line for blank, line in zip(blanks, lines, strict=True)), 5)
    changed = {key: (whole[key], spaced.get(key)) for key in whole if spaced.get(key) != whole[key]}
    assert not changed, (
        f"expected the same summary with blank lines between 30 lines; changed (without, with): {changed}"
    )


@pytest.mark.group("damage")
@pytest.mark.clause("A LINE", "SUMMARY")
@pytest.mark.advice(
    "Match the whole line and check its date first. If either fails, count it in lines and malformed, and go on "
    "before any other count or TIME changes."
)
def test_damage_changes_nothing_else(cli, rng):
    """Malformed lines in a random log change lines and malformed, nothing else."""
    entries = [random_line(rng) for _ in range(40)]
    lines = [written(entry) for entry in entries]
    strewn = [rng.choice(BROKEN) for _ in range(25)]
    for bad in strewn:
        lines.insert(rng.randint(0, len(lines)), bad)
    found = summary(cli, "".join(f"{line}\n" for line in lines), 4)
    sound = summary(cli, "".join(f"{written(entry)}\n" for entry in entries), 4)
    got = (found.get("lines"), found.get("malformed"))
    assert got == (65, 25), f"expected lines 65, malformed 25 of 40 valid and 25 malformed lines; got {got}"
    changed = [key for key in found if key not in ("lines", "malformed") and found[key] != sound.get(key)]
    assert not changed, f"expected malformed lines to change lines and malformed alone; changed: {', '.join(changed)}"


@pytest.mark.clause("RUN")
@pytest.mark.advice(
    "Loop over all FILEs in the order given with one set of counts, times and requests, and write the summary "
    "after the last."
)
def test_a_log_may_be_cut_anywhere(cli, rng):
    """A log split into several files gives the same summary."""
    lines = [written(random_line(rng)) + "\n" for _ in range(60)]
    places = sorted(rng.sample(range(1, 60), 3))
    parts = ["".join(lines[start:end]) for start, end in zip([0, *places], [*places, 60], strict=True)]
    files = {f"{number}.log": part for number, part in enumerate(parts)}
    several = parsed(cli(*files, "--top", "9", files=files), "four valid files")
    whole = summary(cli, "".join(lines), 9)
    changed = [key for key in whole if several.get(key) != whole[key]]
    assert not changed, f"expected one summary for a log in one file and in four; these differ: {', '.join(changed)}"
