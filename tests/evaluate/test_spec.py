"""A spec of the skill is taken as it is, a short one is enough, and what is wrong is told with its line."""

from pathlib import Path

import pytest

from evalforge.evaluate.spec import load_spec
from evalforge.model.errors import PackError

WHOLE = """\
name: improve-search-relevance
description: Better results, fewer surprises

metric:
  primary:
    type: judge
    name: mean_score
    direction: maximize
  degenerate_gates:
    - name: result_count
      check: ">= 5"
      description: Enough results to judge
  diagnostics:
    - name: latency_ms
  judge:
    rubric: |
      Rate each result set from 1-5 for relevance:
      - 5: directly relevant
      - 1: mostly irrelevant
      Also report: ambiguous (boolean)
    scoring:
      primary: mean_score
      secondary:
        - ambiguous_rate
    model: haiku
    stratification:
      - bucket: top
        count: 4
      - bucket: tail
        count: 6
    sample_size: 10
    batch_size: 5
    sample_seed: 42
    minimum_improvement: 0.2
    max_total_cost_usd: 5

measurement:
  command: "python eval_search.py"
  timeout_seconds: 300
  working_directory: "tools/eval"

scope:
  mutable: ["src/"]
  immutable: ["tools/eval/eval_search.py"]
execution:
  mode: serial
parallel:
  port_strategy: none
dependencies:
  approved: []
constraints:
  - "Keep the response shape"
stopping:
  max_iterations: 4
max_runner_up_merges_per_batch: 0
"""
SHORT = "items: outputs.jsonl\njudge:\n  rubric: Rate each text 1-5.\n"


def written(folder: Path, text: str, name: str = "spec.yaml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_spec_of_the_skill_is_taken_as_it_is(tmp_path: Path) -> None:
    spec = load_spec(written(tmp_path, WHOLE))
    assert spec.warnings == ()
    assert (spec.name, spec.direction, spec.diagnostics) == ("improve-search-relevance", "maximize", ("latency_ms",))
    assert [gate.check for gate in spec.gates] == [">= 5"]
    assert spec.judge.model_name == "claude-haiku-5-5"
    assert (spec.judge.requested_sample_size, spec.judge.minimum_improvement) == (10, 0.2)
    assert spec.measurement is not None
    assert spec.measurement.timeout_seconds == 300


def test_a_short_spec_has_the_usual_values(tmp_path: Path) -> None:
    spec = load_spec(written(tmp_path, SHORT, "Tidy Texts.yaml"))
    judge = spec.judge
    assert (spec.name, spec.items, judge.scoring.primary) == ("tidy-texts", "outputs.jsonl", "mean_score")
    assert (judge.model, judge.sample_size, judge.sample_seed, judge.batch_size) == ("haiku", 10, 42, 5)
    assert (judge.singleton_sample, judge.minimum_improvement, judge.max_total_cost_usd) == (0, 0.3, 5)


def test_items_may_stand_in_the_spec_and_the_spec_may_be_json(tmp_path: Path) -> None:
    text = '{"items": [{"item_id": 1, "content": "x"}], "judge": {"rubric": "Rate 0-10."}}'
    assert load_spec(written(tmp_path, text, "spec.json")).items == [{"item_id": 1, "content": "x"}]


@pytest.mark.parametrize(
    ("was", "becomes", "place", "words"),
    [
        ("      Rate each result set from 1-5", "      Rate each", "rubric", "the rubric names no scale of scores"),
        ("    sample_size: 10", "    sample_size: ten", "sample_size", "metric.judge.sample_size: "),
        ("    sample_size: 10", "    sample_size: 0", "sample_size", "sample_size: this must be at least 1"),
        ("    batch_size: 5", "    batch_size: 2.5", "batch_size", "metric.judge.batch_size: "),
        ('      check: ">= 5"', '      check: "about 5"', "check", "a check is one of"),
        ("      - bucket: tail", "      - bucket: top", "stratification", "the bucket 'top' appears twice"),
        ("        count: 6", "        count: -1", "count: -1", "count: "),
        ("      primary: mean_score", "      primary: mean score!", "primary: mean score!", "is not a field"),
        ("    type: judge", "    type: soft", "type: soft", "metric.primary.type"),
        ("    type: judge", "    type: hard", "type: hard", "nothing for a judge"),
        ("    model: haiku", "    singleton_sample: 3", "singleton_sample", "singletons need a singleton_rubric"),
        ("    max_total_cost_usd: 5", "    max_total_cost_usd: null", "max_total_cost_usd", "--uncapped"),
        ("    max_total_cost_usd: 5", "    max_total_cost_usd: -5", "max_total_cost_usd", "max_total_cost_usd"),
        ('  command: "python eval_search.py"', "  command: ''", "command", "measurement.command"),
        ("    sample_seed: 42", "    rubric: again", "rubric: again", "appears twice"),
        ("    rubric: |", "    rubrik: |", "judge:", "rubric: this key is missing"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, was: str, becomes: str, place: str, words: str) -> None:
    assert was in WHOLE
    text = WHOLE.replace(was, becomes, 1)
    with pytest.raises(PackError) as caught:
        load_spec(written(tmp_path, text))
    assert words in str(caught.value)
    lines = [line.strip() for line in text.split("\n")]
    assert caught.value.line == next(number for number, line in enumerate(lines, start=1) if line.startswith(place))


def test_a_misspelt_key_is_kept_and_told_with_its_line(tmp_path: Path) -> None:
    spec = load_spec(written(tmp_path, SHORT + "  sample_sise: 3\n"))
    assert [warning.partition("spec.yaml")[2] for warning in spec.warnings] == [
        ":4: the key sample_sise is not allowed here"
    ]


def test_buckets_count_where_they_differ_from_the_sample_size(tmp_path: Path) -> None:
    spec = load_spec(written(tmp_path, WHOLE.replace("sample_size: 10", "sample_size: 30")))
    assert spec.judge.requested_sample_size == 10
    assert "the buckets count" in spec.warnings[0]


def test_no_limit_needs_to_be_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path, SHORT + "  max_total_cost_usd: null\n")
    assert load_spec(path, uncapped=True).judge.max_total_cost_usd is None


@pytest.mark.parametrize("text", ["", "- 1", "judge: 3", "items: [", "metric: {}"])
def test_what_is_no_spec_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(PackError):
        load_spec(written(tmp_path, text))
