"""What the skill's specification names besides the rubric: stability, its own template, CSV; and hopeless judges."""

import json
from pathlib import Path

import pytest

from evalforge.evaluate.compare import ComparisonVerdict, compare
from evalforge.evaluate.evaluate import evaluate
from evalforge.evaluate.evaluation import EvaluationOutcome
from evalforge.evaluate.items import read_items
from evalforge.evaluate.measurement_spec import Gate, Measurement
from evalforge.evaluate.spec import Spec
from evalforge.llm.retry import RetryPolicy
from evalforge.model.errors import PackError
from tests.evaluate.conftest import Serve, evaluated, make_options, make_spec, population, priced, scores
from tests.evaluate.item_server import Question, Reply, element, honest, score_of
from tests.messages_server import error_answer

COUNTING = """
import json, pathlib
path = pathlib.Path("runs")
run = int(path.read_text()) + 1 if path.exists() else 1
path.write_text(str(run))
print(json.dumps({"items": [{"item_id": "a", "text": f"run {run}"}], "speed": [0, 9, 1, 5, 3, 2][run],
                  "gates": {"count": run}, "name": "x"}))
"""


def measured(folder: Path, script: str = COUNTING, **stability: object) -> Spec:
    (folder / "measure.py").write_text(script)
    measurement = Measurement.model_validate({"command": "python3 measure.py", "stability": stability})
    gates = (Gate(name="speed", check=">= 2"), Gate(name="count", check="<= 4"))
    spec = make_spec()
    return Spec("straw", spec.judge, gates, ("speed",), measurement=measurement, folder=folder)


@pytest.mark.parametrize(
    ("aggregation", "speed", "count"), [("median", 3, 3), ("mean", 4, 3), ("max", 9, 5), ("min", 1, 1)]
)
async def test_a_measurement_is_repeated_and_aggregated(
    serve: Serve, own_home: Path, monkeypatch: pytest.MonkeyPatch, aggregation: str, speed: float, count: float
) -> None:
    monkeypatch.chdir(own_home)
    spec = measured(own_home, mode="repeat", repeat_count=5, aggregation=aggregation)
    found = await evaluate(spec, make_options(serve()))
    assert (own_home / "runs").read_text() == "5"
    assert found.diagnostics == {"speed": speed}
    assert [(gate.name, gate.value) for gate in found.gates] == [("speed", speed), ("count", count)]
    is_degenerate = speed < 2 or count > 4
    assert (found.outcome is EvaluationOutcome.DEGENERATE) == is_degenerate


async def test_a_number_measured_in_some_runs_only_is_an_error(
    serve: Serve, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(own_home)
    script = COUNTING.replace('"name": "x"}', '"name": "x", **({"odd": 1} if run == 1 else {})}')
    found = await evaluate(measured(own_home, script, mode="repeat", repeat_count=3), make_options(serve()))
    assert found.outcome is EvaluationOutcome.ERROR
    assert "odd was measured in some runs, but not in all." in found.reason


async def test_a_change_must_exceed_the_noise_threshold(serve: Serve, own_home: Path) -> None:
    better = lambda question: json.dumps([element(i, score=min(5, score_of(i) + 1)) for i in question.ids])  # noqa: E731
    items = population(0, items=[{"item_id": f"i{n}", "text": "t"} for n in range(30) if score_of(f"i{n}") < 5])
    spec = make_spec(sample_size=None)
    measurement = Measurement.model_validate({"command": "true", "stability": {"noise_threshold": 2}})
    noisy = Spec("noisy", spec.judge, measurement=measurement)
    before = await evaluated(serve(), items, spec)
    after, after_noise = [await evaluated(serve(better), items, one) for one in (Spec("b", spec.judge), noisy)]
    assert compare(before, after).verdict is ComparisonVerdict.IMPROVED
    comparison = compare(before, after_noise)
    assert (comparison.verdict, comparison.minimum_improvement) == (ComparisonVerdict.INCONCLUSIVE, 2)
    assert "the difference doesn't exceed 2" in comparison.reasons


async def test_who_does_not_say_ambiguous_is_not_counted_so(serve: Serve) -> None:
    def judge(question: Question) -> Reply:
        return json.dumps([
            {"item_id": i, "score": 3} if n else {"item_id": i, "score": 3, "ambiguous": True}
            for n, i in enumerate(question.ids)
        ])  # fmt: skip

    found = await evaluated(serve(judge), population(5))
    assert found.metrics["ambiguous_rate"] == 0.2


async def test_the_original_template_is_sent_to_the_letter(serve: Serve) -> None:
    seen: list[str] = []

    def judge(question: Question) -> Reply:
        seen.append(question.body["messages"][0]["content"][0]["text"])
        assert "system" not in question.body
        return honest(question)

    found = await evaluated(serve(judge), population(3), make_spec(prompt="original"))
    assert scores(found) == {f"i{n}": score_of(f"i{n}") for n in range(3)}
    assert seen[0].startswith("You are a quality judge evaluating output items for an optimization experiment.")
    assert "<rubric>\nRate each text from 1-5 for clarity.\n</rubric>" in seen[0]
    assert '<items>\n[\n{"item_id": "i' in seen[0]
    assert seen[0].endswith("- Every item in the batch MUST appear in your output\n</output-contract>")
    ours = await evaluated(serve(), population(3), make_spec())
    assert ours.instrument.prompt_hash != found.instrument.prompt_hash


def test_items_are_read_from_a_table(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text('\ufeffitem_id;bucket;cluster;text\n7;long;c1;"Two\nlines; one cell"\n8;;;alone\n')
    items = read_items(path)
    first, second = items.items
    assert (first.key, first.bucket, first.cluster, first.content) == (
        "7", "long", "c1", {"text": "Two\nlines; one cell"}
    )  # fmt: skip
    assert (second.is_singleton, second.content) == (True, {"text": "alone"})
    for text, words in (
        ("a,b\n1,2\n", "no column item_id"),
        ("id,t\n1,x\n1,y\n", "twice"),
        ('id,t\n1,"x\n', "not valid CSV"),
    ):
        path.write_text(text)
        with pytest.raises(PackError, match=words):
            read_items(path)


@pytest.mark.parametrize("reply", ["I can't do that.", "[]", '[{"item_id": "nobody", "score": 3}]', ""])
async def test_a_hopeless_judge_is_stopped(serve: Serve, own_home: Path, reply: str) -> None:
    server = serve(lambda _: reply)
    found = await evaluated(server, population(1000))
    assert found.outcome is EvaluationOutcome.ERROR
    assert "Nothing in the first " in found.reason
    assert "Look at the rubric, or try another --model." in found.advice
    assert len(server.questions) <= 24
    assert not found.final


async def test_a_hopeless_judge_that_recovers_goes_on(serve: Serve, own_home: Path) -> None:
    server = serve(lambda question: honest(question) if own_home.joinpath("well").exists() else "no")
    assert (await evaluated(server, population(60))).outcome is EvaluationOutcome.ERROR
    (own_home / "well").touch()
    found = await evaluated(server, population(60))
    assert (found.outcome, found.coverage, found.final) == (EvaluationOutcome.JUDGED, 1.0, True)


async def test_no_room_without_a_time_is_waited_for_together(serve: Serve) -> None:
    refusals = iter(range(6))
    server = serve(
        lambda question: honest(question) if next(refusals, None) is None else error_answer(529, "overloaded_error")
    )
    found = await evaluated(server, population(20))
    assert found.outcome is EvaluationOutcome.JUDGED
    assert found.counts["refusals"] == 6


async def test_a_silent_server_is_given_up_soon(serve: Serve) -> None:
    patience = RetryPolicy(max_attempts=3, total_seconds=30.0, stall_seconds=0.3, first_wait_seconds=0.01)
    server = serve(latency=30.0)
    found = await evaluated(server, population(100), patience=patience)
    assert found.outcome is EvaluationOutcome.ERROR
    assert "calls in a row had no reply within 0.3 s" in found.reason
    assert len(server.questions) < 20, "a hundred items, and each call alone would be repeated"


async def test_a_cap_holds_before_a_priced_server(serve: Serve, own_home: Path) -> None:
    priced(own_home)
    server = serve()
    found = await evaluated(server, population(200), make_spec(sample_size=None, max_total_cost_usd=0.5))
    usd = len(server.questions) * (1000 + 200) * 10 / 1e6
    assert 0 < usd <= 0.5
    assert found.cost.usd == pytest.approx(usd)
    assert "The cap is reached" in found.reason
