"""Several judges on one sample, what they agree on, and the page and the table that show it."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from evalforge.evaluate.compare import compare
from evalforge.evaluate.evaluate import evaluate
from evalforge.evaluate.evaluation import Evaluation, EvaluationOutcome
from evalforge.evaluate.evaluation_store import find_population, find_result, list_results
from evalforge.evaluate.export.evaluation_page import comparison_page, evaluation_page
from evalforge.evaluate.export.evaluation_table import evaluation_csv
from evalforge.evaluate.measurement_spec import Measurement
from evalforge.evaluate.spec import JudgeSpec
from evalforge.evaluate.statistics import interval_alpha
from tests.command_line import run
from tests.evaluate.conftest import Serve, make_options, make_spec, population, scores
from tests.evaluate.item_server import ItemServer, Question, Reply, element, score_of
from tests.messages_server import error_answer


def by_model(question: Question) -> Reply:
    """A cheap judge that is unsure of every third item and two too low there; a dear one that is right."""
    elements = []
    for item_id in question.ids:
        is_hard = int(str(item_id)[1:]) % 3 == 0
        model = question.body["model"]
        is_cheap = model == "cheap"
        right = score_of(item_id)
        score = max(1, right - 2) if is_hard and is_cheap else right
        elements.append(element(item_id, score=score, ambiguous=is_hard and is_cheap, note=f"{model}!"))
    return json.dumps(elements)


async def judged(server: ItemServer, count: int = 12, **judge: object) -> Evaluation:
    spec = make_spec(sample_size=None, max_total_cost_usd=None, **judge)
    return await evaluate(spec, make_options(server), population(count))


async def test_each_judge_sees_everything_and_every_word_is_kept(serve: Serve, own_home: Path) -> None:
    server = serve(by_model)
    found = await judged(server, models=["cheap", "dear"])
    assert found.outcome is EvaluationOutcome.JUDGED
    assert found.id == "straw-1"
    assert {str(item.item_id): item.fields["score"] for item in found.items} == {
        f"i{n}": (score_of(f"i{n}") + max(1, score_of(f"i{n}") - 2)) / 2 if n % 3 == 0 else score_of(f"i{n}")
        for n in range(12)
    }
    first = next(item for item in found.items if item.item_id == "i3")
    assert {model: fields["note"] for model, fields in first.by_judge.items()} == {"cheap": "cheap!", "dear": "dear!"}
    apart = [n for n in range(0, 12, 3) if score_of(f"i{n}") > 1]
    assert found.metrics["judge_agreement_exact"] == pytest.approx(1 - len(apart) / 12)
    assert set(server.ids.values()) == {2}
    again = await judged(server, models=["cheap", "dear"])
    assert (again, set(server.ids.values())) == (found, {2})
    assert find_result("straw-1") == found


async def test_a_ladder_asks_the_dear_judge_only_what_is_open(serve: Serve, own_home: Path) -> None:
    server = serve(by_model)
    found = await judged(server, ladder=["cheap", "dear"])
    assert scores(found) == {f"i{n}": score_of(f"i{n}") for n in range(12)}
    asked = [str(item_id) for one in server.questions if one.body["model"] == "dear" for item_id in one.ids]
    assert sorted(asked) == ["i0", "i3", "i6", "i9"]
    assert [len(item.by_judge) for item in found.items].count(2) == 4
    assert found.metrics["ambiguous_rate"] == 0


async def test_one_cap_holds_for_all_judges_together(serve: Serve, own_home: Path) -> None:
    (own_home / "prices.toml").write_text(
        "[models]\ncheap = { input = 10, output = 10 }\ndear = { input = 10, output = 10 }\n"
    )
    server = serve(by_model)
    spec = make_spec(sample_size=None, models=["cheap", "dear"], max_total_cost_usd=0.6)
    await evaluate(spec, make_options(server), population(150))
    assert 0 < len(server.questions) * 1200 * 10 / 1e6 <= 0.6


async def test_several_judges_stopped_go_on_with_what_was_measured(serve: Serve, own_home: Path) -> None:
    """Each measurement here prints other items; a second one would have everything judged again."""
    count = own_home / "count"
    items = json.dumps({"items": [{"item_id": f"i{n}", "text": "t$N"} for n in range(5)]}).replace('"', '\\"')
    command = f'echo x >> {count}; N=$(wc -l < {count}); echo "{items}"'
    spec = replace(make_spec(sample_size=None, models=["cheap", "dear"]), measurement=Measurement(command=command))
    is_dear_away = [True]

    def judge(question: Question) -> Reply:
        is_refused = is_dear_away[0] and question.body["model"] == "dear"
        return error_answer(401) if is_refused else by_model(question)

    server = serve(judge)
    first = await evaluate(spec, make_options(server))
    assert (first.outcome, first.final) == (EvaluationOutcome.ERROR, False)
    is_dear_away[0] = False
    found = await evaluate(spec, make_options(server))
    assert (found.outcome, found.id, found.coverage) == (EvaluationOutcome.JUDGED, "straw-1", 1.0)
    assert count.read_text() == "x\n"
    assert [one.body["model"] for one in server.questions].count("cheap") == 1


async def test_a_ladder_cut_anywhere_asks_only_what_is_not_recorded(serve: Serve, own_home: Path) -> None:
    """The journal is that of before there were several judges in it: the first has no name there."""
    server = serve(by_model)
    spec = make_spec(sample_size=None, max_total_cost_usd=None, ladder=["cheap", "dear"], batch_size=2)
    whole = await evaluate(spec, make_options(server, concurrency=1), population(12))
    run_folder = own_home / "evaluations" / "straw" / "1"
    lines = (run_folder / "journal.jsonl").read_text().replace('"judge":"",', "").splitlines(keepends=True)
    assert [json.loads(line).get("judge", "") for line in lines] == [""] * 12 + ["dear"] * 5
    for count in range(len(lines)):
        (run_folder / "result.json").unlink()
        (run_folder / "journal.jsonl").write_text("".join(lines[:count]))
        server.questions.clear()
        found = await evaluate(spec, make_options(server), population(12))
        assert (found.id, found.items) == (whole.id, whole.items)
        assert len(server.questions) == 8 - sum('"answered"' in line for line in lines[:count])


async def test_a_judge_of_a_ladder_keeps_the_items_it_started_with(serve: Serve, own_home: Path) -> None:
    """The second judge steps in for the first, which later scores the rest: nobody is paid twice for an item."""
    is_cheap_away = [True]

    def judge(question: Question) -> Reply:
        is_refused = is_cheap_away[0] and question.body["model"] == "cheap" and "i3" in question.ids
        return error_answer(404) if is_refused else by_model(question)

    server = serve(judge)
    first = await judged(server, ladder=["cheap", "dear"])
    assert (first.outcome, first.final) == (EvaluationOutcome.JUDGED, False)
    is_cheap_away[0] = False
    server.questions.clear()
    found = await judged(server, ladder=["cheap", "dear"])
    assert {question.body["model"] for question in server.questions} == {"cheap"}
    assert (scores(found), found.final) == ({f"i{n}": score_of(f"i{n}") for n in range(12)}, True)


async def test_several_judges_in_batches_have_requests_of_their_own(serve: Serve, own_home: Path) -> None:
    server = serve(by_model)
    spec = make_spec(sample_size=None, models=["cheap", "dear"], max_total_cost_usd=None)
    found = await evaluate(spec, make_options(server, engine="message-batches"), population(12))
    assert (found.outcome, found.instrument.model) == (EvaluationOutcome.JUDGED, "cheap + dear")
    names = [request["custom_id"] for batch in server.batches.values() for request in batch.requests]
    assert (len(server.batches), len(names), len(set(names))) == (2, 6, 6)


async def test_singletons_are_judged_by_all_judges_together(serve: Serve, own_home: Path) -> None:
    """Two judges against one: the majority decides, and where they differ a person should look."""

    def judge(question: Question) -> Reply:
        if not question.about_singletons:
            return by_model(question)
        joined = {i for i in question.ids if i == "s0" or question.body["model"] == "dear"}
        return json.dumps([
            {"item_id": i, "should_cluster": i in joined, "best_cluster_id": "c1" if i in joined else None,
             "confidence": 4} for i in question.ids
        ])  # fmt: skip

    singletons = [{"item_id": f"s{n}", "text": "alone"} for n in range(4)]
    items = population(4, singletons=singletons, clusters=[{"cluster_id": "c1", "title": "Crashes"}])
    spec = make_spec(
        sample_size=None,
        models=["cheap", "dear", "middle"],
        singleton_sample=4,
        singleton_rubric="Should it be in one?",
    )
    found = await evaluate(spec, make_options(serve(judge)), items)
    answers = {item.item_id: (item.fields["should_cluster"], item.ambiguous) for item in found.singletons}
    assert answers == {"s0": (True, False), "s1": (False, True), "s2": (False, True), "s3": (False, True)}
    assert found.metrics["singleton_false_negative_pct"] == 25
    assert all(set(item.by_judge) == {"cheap", "dear", "middle"} for item in found.singletons)


def test_alpha_is_that_of_the_book() -> None:
    assert interval_alpha([(1, 1), (5, 5), (3, 3)]) == 1
    assert interval_alpha([(2, 2), (2, 2)]) is None
    # Two judges who swap 1 and 2: observed 1, expected 2/3 of it.
    assert interval_alpha([(1, 2), (2, 1)]) == pytest.approx(-0.5)


@pytest.mark.parametrize(
    "judge", [{"models": ["a"]}, {"models": ["a", "a"]}, {"models": ["a", "b"], "ladder": ["a", "b"]}]
)
def test_judges_that_make_no_sense_are_refused(judge: dict[str, list[str]]) -> None:
    with pytest.raises(ValueError, match="models"):
        JudgeSpec.model_validate({"rubric": "Rate 1-5.", **judge})


async def test_what_needs_a_person_comes_first_everywhere(serve: Serve, own_home: Path) -> None:
    found = await judged(serve(by_model), models=["cheap", "dear"])
    order = [str(item.item_id) for item in found.items_to_review()]
    apart = {f"i{n}" for n in range(0, 12, 3) if score_of(f"i{n}") > 2}
    assert set(order[: len(apart)]) == apart
    page = evaluation_page(found, find_population(found.id))
    assert re.findall(r'data-name="(i\d+)"', page) == order
    for words in ("judges disagree", "cheap!", "dear!", "text 3", "judge_agreement_alpha"):
        assert words in page
    assert "http" not in page.replace("http-equiv", "")
    table = list(csv.DictReader(io.StringIO(evaluation_csv(found), newline="")))
    assert [row["item_id"] for row in table] == order
    assert {row["cheap score"] for row in table} <= {"1", "2", "3", "4", "5"}
    assert [one.id for one in list_results()] == ["straw-1"]


async def test_two_evaluations_are_compared_on_a_page(serve: Serve, own_home: Path) -> None:
    server = serve(by_model)
    before = await evaluate(make_spec(sample_size=None, model="cheap"), make_options(server), population(12))
    after = await evaluate(make_spec(sample_size=None, model="dear"), make_options(server), population(12))
    page = comparison_page(compare(before, after), before, after)
    changes = [float(one) for one in re.findall(r'data-score="([-\d.]+)"', page)]
    assert sorted(map(abs, changes), reverse=True) == [abs(one) for one in changes]
    assert changes[0] == 2


def test_hostile_words_are_words_on_the_page(serve: Serve, own_home: Path) -> None:
    evil = "<script>alert(1)</script>"
    server = serve(lambda question: json.dumps([element(i, note=evil) for i in question.ids]))
    (own_home / "s.yaml").write_text("judge: {rubric: Rate 1-5., model: m}\nitems: [{item_id: =1+1, t: x}]\n")
    options = ("--model", "m", "--base-url", server.url)
    ended = run("evaluate", own_home / "s.yaml", *options, "--html", own_home / "e.html", "--csv", own_home / "e.csv")
    assert ended.returncode == 0, ended.stderr
    assert "written: " in ended.stderr
    page = (own_home / "e.html").read_text()
    assert evil not in page
    assert page.count("<script>") == 1
    assert "'=1+1" in (own_home / "e.csv").read_text(encoding="utf-8-sig")
    shown = run("evaluate", "show", "s-1", "--html", own_home / "again.html")
    assert (shown.returncode, "s-1  JUDGED" in shown.stdout) == (0, True)
    assert (own_home / "again.html").read_text() == page
    assert run("evaluate", "show", "nothing-1").returncode == 2
    assert run("evaluate", "compare", "s-1", "s-1", "--csv", own_home / "c.csv").returncode == 2
