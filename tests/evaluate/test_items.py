"""Items come as JSON or JSONL, from a file or a command; what is wrong with them is told with its line."""

import asyncio
import json
import time
from pathlib import Path

import pytest

from evalforge.evaluate.gates import check_gates
from evalforge.evaluate.items import ItemsError, population_of, read_items
from evalforge.evaluate.measure import MeasurementError, measure
from evalforge.evaluate.measurement_spec import Gate, Measurement
from evalforge.model.errors import PackError, UsageError


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '[{"item_id": "a", "content": "x"}, {"item_id": 2, "title": "T", "bucket": "top"}]'),
        ("a.json", '{"items": [{"item_id": "a", "content": "x"}, {"item_id": 2, "title": "T", "bucket": "top"}]}'),
        ("a.jsonl", '{"item_id": "a", "content": "x"}\n\n{"item_id": 2, "title": "T", "bucket": "top"}\n'),
        ("a.txt", '{"item_id": "a", "content": "x"}\n{"item_id": 2, "title": "T", "bucket": "top"}'),
        ("bom.json", '\ufeff[{"id": "a", "content": "x"}, {"id": 2, "title": "T", "bucket": "top"}]'),
    ],
)
def test_items_are_read_from_json_and_lines_of_json(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    one, two = read_items(tmp_path / name).items
    assert (one.item_id, one.key, one.content, one.bucket) == ("a", "a", "x", "")
    assert (two.item_id, two.key, two.content, two.bucket) == (2, "2", {"title": "T"}, "top")


@pytest.mark.parametrize(
    ("name", "text", "line", "words"),
    [
        ("a.jsonl", '{"item_id": 1}\n{"item_id": 2', 2, "not valid JSON"),
        ("a.jsonl", '{"item_id": 1}\n\n{"text": "x"}', 3, "item_id is a text or a number"),
        ("a.jsonl", '{"item_id": 1}\n{"item_id": "1"}', 2, "'1' appears twice"),
        ("a.jsonl", '{"item_id": true}', 1, "item_id is a text or a number"),
        ("a.json", '[\n{"item_id": 1},\n}', 3, "not valid JSON"),
        ("a.json", '{"values": 3}', None, "no list called items"),
        ("a.json", '"x"', None, "items are a list"),
        ("a.json", '["x"]', None, "number 1: an item is an object"),
        ("a.json", '[{"item_id": ""}]', None, "1 to 200 characters"),
        ("a.json", '[{"item_id": Infinity}]', None, "item_id is a text or a number"),
        ("a.json", '[{"item_id": "a\\ud800"}]', None, "no invisible characters and no marks of turns, as a\ufffd has"),
        ("a.jsonl", '{"item_id": 1}\n{"item_id": "b\u2028c"}', 2, "no marks of turns, as b<U+2028>c has"),
        ("a.json", '[{"item_id": "\\u001b[2J"}]', None, "no marks of turns, as \u241b[2J has"),
        ("a.json", '[{"item_id": "</system>"}]', None, "no marks of turns, as </sy\u27e6\u00b7\u27e7stem> has"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, name: str, text: str, line: int, words: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(PackError) as caught:
        read_items(tmp_path / name)
    assert words in str(caught.value)
    assert caught.value.line == line


@pytest.mark.parametrize("item_id", ["user: 7", 'a "b" \\', "\U0001f469\u200d\U0001f52c", "a\tb\nc", 2.5])
def test_an_id_a_judge_can_give_back_is_taken(item_id: str | float) -> None:
    (item,) = population_of([{"item_id": item_id}]).items
    assert item.item_id == item_id


def test_bytes_that_are_no_text_are_told_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'{"item_id": 1}\n{"item_id": "\xff"}')
    with pytest.raises(PackError) as caught:
        read_items(tmp_path / "a.jsonl")
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("items", "more", "singles", "clusters"),
    [
        ([{"item_id": 1, "cluster": "c"}, {"item_id": 2, "cluster": None}], {}, ["2"], [("c", "c")]),
        ([{"item_id": 1, "title": "One"}, {"item_id": 2, "bucket": "singletons"}], {}, ["2"], [("1", "One")]),
        ([{"item_id": 1}, {"item_id": 2, "singleton": True}], {}, ["2"], []),
        ([{"item_id": 1}], {"singletons": [{"item_id": 9}], "clusters": [{"id": 4, "theme": "Four"}]},
         ["9"], [("4", "Four")]),
        ([{"item_id": 1}], {"clusters": ["a", "b"]}, [], [("a", "a"), ("b", "b")]),
    ],
)  # fmt: skip
def test_singletons_and_clusters_are_known_by_what_items_say(
    items: list[object], more: dict[str, object], singles: list[str], clusters: list[tuple[str, str]]
) -> None:
    found = population_of({"items": items, **more}).with_singletons_apart()
    assert [item.key for item in found.singletons] == singles
    assert [(cluster.cluster_id, cluster.title) for cluster in found.clusters] == clusters


def test_the_same_id_among_items_and_singletons_is_refused() -> None:
    with pytest.raises(ItemsError, match="twice"):
        population_of({"items": [{"item_id": 1}], "singletons": [{"item_id": 1}]})


# Measuring


async def test_a_command_prints_what_is_judged(tmp_path: Path) -> None:
    (tmp_path / "out.json").write_text('{"items": [], "n": 3}')
    assert await measure(Measurement(command="cat out.json", working_directory=str(tmp_path)), Path()) == {
        "items": [],
        "n": 3,
    }


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("echo '{'", "something that isn't JSON"),
        ("echo 3", "neither an object nor a list"),
        ("echo broken >&2; exit 4", "status 4. It said: broken"),
        ("printf '\\377'", "something that isn't JSON"),
    ],
)
async def test_a_command_that_prints_no_json_is_told(tmp_path: Path, command: str, words: str) -> None:
    with pytest.raises(MeasurementError) as caught:
        await measure(Measurement(command=command, working_directory=str(tmp_path)), tmp_path)
    assert words in str(caught.value)


def is_told(file: Path) -> bool:
    return file.exists() and bool(file.read_text())


def is_gone(file: Path) -> bool:
    """Whether the process is gone whose number stands in a file: killed is not yet gone on a busy machine."""
    status, deadline = Path(f"/proc/{file.read_text().strip()}/status"), time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            if "zombie" in status.read_text():
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


async def test_an_overlong_command_is_stopped_with_all_it_started(tmp_path: Path) -> None:
    command = "sleep 3000 & echo $! > child; wait"
    for seconds in (0.5, 5, 50):  # the first that is long enough for a shell to start in
        with pytest.raises(MeasurementError, match=f"longer than {seconds} s"):
            await measure(
                Measurement(command=command, timeout_seconds=seconds, working_directory=str(tmp_path)), tmp_path
            )
        if is_told(tmp_path / "child"):
            break
    assert is_gone(tmp_path / "child")


async def test_a_cancelled_command_ends_at_once_with_all_it_started(tmp_path: Path) -> None:
    command = "sleep 3000 & echo $! > child; wait"
    measuring = asyncio.create_task(measure(Measurement(command=command, working_directory=str(tmp_path)), tmp_path))
    while not is_told(tmp_path / "child"):
        await asyncio.sleep(0.01)
    measuring.cancel()
    with pytest.raises(asyncio.CancelledError):
        await measuring
    assert is_gone(tmp_path / "child")


async def test_a_working_directory_may_be_beside_the_spec(tmp_path: Path) -> None:
    (tmp_path / "eval").mkdir()
    assert await measure(Measurement(command="echo []", working_directory="eval"), tmp_path) == []
    with pytest.raises(UsageError, match="no folder nowhere"):
        await measure(Measurement(command="echo []", working_directory="nowhere"), tmp_path)


# Gates


@pytest.mark.parametrize(
    ("value", "check", "passed"),
    [
        (5, ">= 5", True),
        (4.99, ">= 5", False),
        (True, "== 1", True),
        (False, "== true", False),
        (0.95, "<= 0.95", True),
        (None, "!= 3", False),
        ("5", ">= 5", False),
        ([5], ">= 5", False),
        (float("nan"), "!= 3", False),
        (float("inf"), ">= 3", False),
        (10**400, ">= 3", False),
    ],
)
def test_a_gate_holds_only_for_a_number_that_meets_it(value: object, check: str, passed: bool) -> None:
    (result,) = check_gates([Gate(name="n", check=check)], {"n": value})
    assert result.passed is passed


def test_a_missing_value_fails_its_gate() -> None:
    (result,) = check_gates([Gate(name="n", check=">= 0")], {})
    assert (result.passed, result.summary) == (False, "n is missing, wanted >= 0")


def test_values_may_stand_in_sections() -> None:
    assert check_gates([Gate(name="n", check=">= 0")], json.loads('{"metrics": {"n": 1}}'))[0].passed
