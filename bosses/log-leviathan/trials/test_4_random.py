"""Random logs, beside a slow and obvious count."""

import json

import pytest

pytestmark = pytest.mark.group("random")

LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]
BROKEN = ["cut", "2031-02-30T05:00:00.000Z INFO gate words", "2031-02-03T05:00:00.000Z INFO gate"]


def random_line(rng):
    """The parts of a random well-formed line; durations often meet."""
    day, clock = rng.randint(1, 28), [rng.randint(0, top) for top in (23, 59, 59, 999)]
    time = "{}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z".format(rng.choice([2029, 2031]), rng.randint(1, 12), day, *clock)
    entry = {"time": time, "level": rng.choice(LEVELS), "component": rng.choice(["gate", "Gate", "pump.3", "x-_9"])}
    if rng.random() < 0.6:
        entry |= {"request": f"{rng.choice(['GET', 'PUT'])} /{rng.randint(1, 99)}", "status": rng.randint(100, 599)}
        entry["ms"] = rng.choice([7, 70, 71, rng.randint(0, 9999)])
    return entry


def written(entry):
    """An entry as its line."""
    message = f"{entry['request']} {entry['status']} {entry['ms']}ms" if "ms" in entry else "all is calm"
    return f"{entry['time']} {entry['level']} {entry['component']} {message}"


def expected(entries, top):
    """What the contract says, reckoned the slow way."""
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


def told(cli, text, top):
    """The summary of a log on standard input."""
    run = cli("--top", str(top), stdin=text)
    assert run.exit_code == 0, "A random log must end with exit status 0."
    try:
        found = json.loads(run.stdout)
    except ValueError:
        raise AssertionError("Standard output must hold one JSON document and nothing else.") from None
    assert isinstance(found, dict), "The summary is a JSON object."
    return found


def test_any_sound_log(cli, rng):
    """On random logs every part of the summary is what a slow count says."""
    for top in (0, 1, 2, 3, 5, 8):
        entries = [random_line(rng) for _ in range(rng.randint(5, 60))]
        blanks = ["\n" * rng.choice([1, 1, 1, 2, 3]) + rng.choice(["", "", "  \n"]) for _ in entries]
        text = "".join(blank + written(entry) for blank, entry in zip(blanks, entries, strict=True))
        found = told(cli, text, top)
        assert found.get("lines") == len(entries), "On a random log, lines must count all lines but the blank ones."
        for key, value in expected(entries, top).items():
            assert found.get(key) == value, f"On a random log {key} differs from a slow and obvious count."


@pytest.mark.group("damage")
def test_damage_changes_nothing_else(cli, rng):
    """Malformed lines strewn into a random log change lines and malformed, and nothing else."""
    entries = [random_line(rng) for _ in range(40)]
    lines = [written(entry) for entry in entries]
    strewn = [rng.choice(BROKEN) for _ in range(25)]
    for bad in strewn:
        lines.insert(rng.randint(0, len(lines)), bad)
    found = told(cli, "".join(f"{line}\n" for line in lines), 4)
    sound = told(cli, "".join(f"{written(entry)}\n" for entry in entries), 4)
    assert found.get("malformed") == len(strewn), "Each malformed line counts once."
    assert found.get("lines") == len(strewn) + len(entries), "lines counts sound and malformed lines."
    same = [key for key in found if key not in ("lines", "malformed") and found[key] != sound.get(key)]
    assert not same, f"Malformed lines must not change {', '.join(same)}."


def test_a_log_may_be_cut_anywhere(cli, rng):
    """One log in several files is the same log."""
    lines = [written(random_line(rng)) + "\n" for _ in range(60)]
    places = sorted(rng.sample(range(1, 60), 3))
    parts = ["".join(lines[start:end]) for start, end in zip([0, *places], [*places, 60], strict=True)]
    files = {f"{number}.log": part for number, part in enumerate(parts)}
    run = cli(*files, "--top", "9", files=files)
    assert run.exit_code == 0, "Several sound files must end with exit status 0."
    whole = cli("--top", "9", stdin="".join(lines))
    try:
        same = json.loads(run.stdout) == json.loads(whole.stdout)
    except ValueError:
        raise AssertionError("Standard output must hold one JSON document and nothing else.") from None
    assert same, "A log cut into several files has another summary than the whole."
