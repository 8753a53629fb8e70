"""`evalforge evaluate`, as a user runs it: exit statuses, JSON on stdout alone, words on stderr, no traceback ever."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evalforge.cli.formats import schema_of
from tests.command_line import Ended
from tests.command_line import run as run_command
from tests.conftest import REPOSITORY
from tests.evaluate.item_server import ItemServer, element
from tests.messages_server import error_answer, start_servers

Serve = Callable[..., ItemServer]
SPEC = "items: items.jsonl\njudge:\n  rubric: Rate each text 1-5.\n"


@pytest.fixture
def serve() -> Iterator[Serve]:
    yield from start_servers(ItemServer)


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    lines = (json.dumps({"item_id": f"i{n}", "text": f"text {n}"}) + "\n" for n in range(12))
    (tmp_path / "items.jsonl").write_text("".join(lines))
    (tmp_path / "tidy.yaml").write_text(SPEC)
    return tmp_path / "tidy.yaml"


def run(*arguments: object) -> Ended:
    return run_command("evaluate", *arguments)


def at(server: ItemServer) -> list[str]:
    return ["--model", "m", "--base-url", server.url]


def meets(data: object, name: str) -> None:
    """Holds data against what `evalforge schema` prints."""
    Draft202012Validator(schema_of(name)).validate(data)


def test_a_spec_is_judged_kept_and_compared(serve: Serve, spec: Path) -> None:
    server = serve()
    first = run(spec, *at(server), "--json")
    found = json.loads(first.stdout)
    assert (first.returncode, found["outcome"], found["id"], len(found["items"])) == (0, "judged", "tidy-1", 10)
    assert "10 of 10 scored" in first.stderr
    meets(found, "evaluation")
    again = run(spec, *at(server))
    assert "tidy-1  JUDGED" in again.stdout
    assert "mean_score" in again.stdout
    assert "no model is asked" in again.stderr
    assert len(server.questions) == 2
    server.judge = lambda question: json.dumps([element(i, score=5) for i in question.ids])
    run(spec, *at(server), "--fresh")
    compared = run("compare", "tidy-1", "tidy-2", "--json")
    assert (json.loads(compared.stdout)["verdict"], compared.returncode) == ("improved", 0)
    meets(json.loads(compared.stdout), "evaluation-comparison")
    back = run("compare", "tidy-2", "tidy-1")
    assert "REGRESSED" in back.stdout
    assert back.returncode == 1


def test_a_dry_run_prints_calls_and_price_and_asks_nobody(serve: Serve, spec: Path) -> None:
    server = serve()
    told = run(spec, *at(server), "--dry-run")
    assert (told.returncode, server.questions) == (0, [])
    for words in (
        "mean_score on a scale from 1 to 5: more is better",
        "sample: 10 of 12",
        "call i00001",
        "characters, about",
        "2 calls, about $0.0000",
    ):
        assert words in told.stdout
    data = json.loads(run(spec, *at(server), "--dry-run", "--json").stdout)
    assert sum(len(batch["item_ids"]) for batch in data["batches"]) == 10
    assert (data["primary"], data["scale"], data["direction"]) == ("mean_score", [1.0, 5.0], "maximize")
    meets(data, "evaluation-preview")


def test_a_scale_that_is_unclear_stops_before_the_first_call(serve: Serve, spec: Path) -> None:
    spec.write_text(SPEC.replace("1-5", "from 1 to 5; brevity counts 0 to 3 points"))
    server = serve()
    ended = run(spec, *at(server))
    assert (ended.returncode, server.questions) == (2, [])
    assert "tidy.yaml:3: several scales could be meant: 0 to 3 and 1 to 5." in ended.stderr
    assert "judge.scale: [1, 5]" in ended.stderr


def test_a_failing_gate_is_status_1_and_words_on_stderr(serve: Serve, spec: Path) -> None:
    spec.write_text(SPEC + 'degenerate_gates:\n  - {name: n, check: ">= 5"}\n')
    ended = run(spec, *at(serve()))
    assert ended.returncode == 1
    assert "degenerate: A gate fails: n is missing, wanted >= 5." in ended.stderr


def test_a_server_that_will_not_is_status_3(serve: Serve, spec: Path) -> None:
    ended = run(spec, *at(serve(lambda _: error_answer(401))), "--json")
    assert ended.returncode == 3
    assert json.loads(ended.stdout)["outcome"] == "error"
    assert "did not accept the key" in ended.stderr


def test_message_batches_are_another_way_to_the_same(serve: Serve, spec: Path) -> None:
    ended = run(spec, *at(serve()), "--engine", "message-batches", "--json")
    assert (ended.returncode, json.loads(ended.stdout)["coverage"]) == (0, 1.0)
    assert "as a message batch" in ended.stderr


def test_items_may_be_named_on_the_command_line(serve: Serve, spec: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text('[{"item_id": "only", "text": "one"}]')
    found = json.loads(run(spec, *at(serve()), "--items", other, "--json").stdout)
    assert [item["item_id"] for item in found["items"]] == ["only"]


@pytest.mark.parametrize(
    ("spec_text", "arguments", "words"),
    [
        ("judge:\n  rubric: ''\n", [], "tidy.yaml:2: judge.rubric"),
        ("judge:\n  rubric: Rate 1-5.\n  batch_size: 0\n", [], "tidy.yaml:3: judge.batch_size"),
        ("judge:\n  rubric: Rate 1-5.\n", [], "There is nothing to judge"),
        ("judge:\n  rubric: Rate 1-5.\nitems: gone.jsonl\n", [], "gone.jsonl: this file is missing"),
        ("judge:\n  rubric: Rate 1-5.\nitems: []\n", [], "no items to judge"),
        (SPEC + "  max_total_cost_usd: null\n", [], "--uncapped"),
        (SPEC, ["--model", "a,b"], "asks one model"),
        (SPEC, ["--concurrency", "0"], "At least one call"),
    ],
)
def test_what_cannot_be_used_is_status_2_with_the_line(
    spec: Path, spec_text: str, arguments: list[str], words: str
) -> None:
    spec.write_text(spec_text)
    ended = run(spec, "--model", "m", "--base-url", "http://127.0.0.1:9", *arguments)
    assert ended.returncode == 2
    assert words in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["/nowhere.yaml"], "this file is missing"),
        (["one.yaml", "two.yaml"], "Name one spec"),
        (["compare", "one"], "Name two evaluations"),
        (["compare", "one", "two"], "There is no evaluation called 'one'"),
    ],
)
def test_what_is_not_there_is_told(arguments: list[str], words: str) -> None:
    ended = run(*arguments)
    assert (ended.returncode, words in ended.stderr) == (2, True)


def test_without_a_key_or_a_model_nobody_is_asked(spec: Path) -> None:
    assert "No model can be asked: no key" in run(spec).stderr
    assert "No model is named for http://127.0.0.1:9" in run(spec, "--base-url", "http://127.0.0.1:9").stderr


def test_hostile_words_are_shown_and_never_interpreted(serve: Serve, spec: Path, tmp_path: Path) -> None:
    items = [{"item_id": "\x1b[2J\u202eid", "text": "x"}]
    (tmp_path / "items.jsonl").write_text(json.dumps(items[0]))
    server = serve(lambda question: json.dumps([element("other", note="\x1b]0;x\x07") for _ in question.ids]))
    for form in ([], ["--json"], ["--dry-run"]):
        ended = run(spec, *at(server), *form)
        assert not {"\x1b", "\x07", "\u202e"} & set(ended.stdout + ended.stderr)


def test_looking_ahead_loads_no_sdk(spec: Path) -> None:
    arguments = ["evaluate", str(spec), "--dry-run", "--model", "m", "--base-url", "http://127.0.0.1:9"]
    code = f"import sys; from evalforge.cli.main import main; main({arguments!r}); "
    code += "print('LOADED', 'anthropic' in sys.modules)"
    environment: dict[str, Any] = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd="/", env=environment)
    assert "LOADED False" in ended.stdout, ended.stderr
