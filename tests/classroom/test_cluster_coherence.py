"""A model asked about clusters: every one of them, nobody's name, and nothing twice."""

import json
from pathlib import Path

import pytest

from evalforge.classroom.cluster_coherence import Coherence, judge_clusters
from evalforge.classroom.export.html_page import class_page
from evalforge.cli.text.class_report import print_report
from evalforge.llm.model_options import ModelOptions
from tests.classroom.test_exports import CLASS
from tests.evaluate.conftest import Serve, no_proxy, serve  # noqa: F401 - fixtures
from tests.evaluate.item_server import ItemServer, Question

REPORT = CLASS


def judge(question: Question) -> str:
    """One that finds every cluster coherent, and no singleton single."""
    if question.about_singletons:
        told = {"should_cluster": True, "best_cluster_id": "c1", "confidence": 4, "ambiguous": False}
    else:
        told = {"score": 4, "theme": "Edges are \x1b[2J left out", "ambiguous": False}
    return json.dumps([{"item_id": item_id, **told} for item_id in question.ids])


async def asked(server: ItemServer) -> Coherence:
    return await judge_clusters(REPORT, ModelOptions(models=("m",), base_url=server.url), lambda _: None)


async def test_every_cluster_and_every_singleton_is_judged_once(serve: Serve) -> None:  # noqa: F811
    server = serve(judge)
    found = await asked(server)
    assert [(one.cluster_id, one.score) for one in found.clusters] == [("c1", 4)]
    (alone,) = found.singletons
    assert (alone.cluster_id, alone.should_cluster, alone.best_cluster_id) == ("s1", True, "c1")
    assert await asked(server) == found
    assert server.ids == {"c1": 1, "s1": 1}
    told = json.dumps([one.body for one in server.questions])
    assert "Ann" not in told
    assert "a@b" not in told


async def test_a_models_reply_is_plain_text_on_page_and_terminal(
    serve: Serve,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = await asked(serve(judge))
    page = class_page(REPORT, found)
    assert "A model rates its coherence 4 of 5: Edges are" in page
    assert "a model would put it into a cluster c1" in page
    print_report(REPORT, found)
    told = capsys.readouterr().out
    assert "coherence 4 of 5" in told
    assert "into cluster c1 (sure 4 of 5)" in told
    assert "\x1b" not in page + told


async def test_a_class_without_clusters_costs_nothing(serve: Serve, tmp_path: Path) -> None:  # noqa: F811
    server = serve(judge)
    bare = REPORT.model_copy(update={"clusters": ()})
    options = ModelOptions(models=("m",), base_url=server.url)
    found = await judge_clusters(bare, options, lambda _: None, tmp_path)
    assert found.reason == "There is no cluster to judge."
    assert server.questions == []


async def test_a_useless_reply_is_a_reason_and_no_score(serve: Serve) -> None:  # noqa: F811
    found = await asked(serve(lambda _: "I would rather not."))
    assert found.clusters == ()
    assert found.reason
