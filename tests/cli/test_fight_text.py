"""A fight as lines: what only a model judge leaves behind is told as well."""

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from evalforge.cli.text.fight import FightText
from evalforge.model.events import CriterionJudged, Judged, TrialFinished, TrialsPlanned
from evalforge.model.evidence import Finding, TrialOutcome
from evalforge.model.reason import Example, Reason
from evalforge.model.result import Judgement
from evalforge.model.scoring import score
from evalforge.model.voice import Moment
from tests import factories
from tests.command_line import run, run_in
from tests.judged import EXEMPLARS


def test_votes_that_differ_and_the_judges_notes_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    rubric = factories.rubric(2)
    judgement = Judgement(
        criterion_id="c0", score=1, comment="Split.", ambiguous=True, votes=(1, 2, 1), bounded="The edge is off."
    )
    opinion = factories.opinion(1).model_copy(update={"raw_notes": "The file asks for full marks.\x1b[2J"})
    text = FightText(rubric, plain=True)
    text.show(CriterionJudged(judgement=judgement, label="Edges", level_label="some", max_score=2))
    text.show(Judged(result=score("b", rubric, opinion), judgements=opinion.judgements))
    told = capsys.readouterr().out
    assert "The votes disagreed (1, 2, 1)." in told
    assert "Capped by the evidence: The edge is off." in told
    assert "notes: The file asks for full marks." in told
    assert "\x1b" not in told


def test_each_criterion_says_what_it_strikes_off(capsys: pytest.CaptureFixture[str]) -> None:
    rubric = factories.rubric(2, 2, 4, threshold=4)
    text = FightText(rubric, plain=True)
    for index, points in enumerate((1, 0, 4)):
        judgement = Judgement(criterion_id=f"c{index}", score=points, comment="So.")
        text.show(CriterionJudged(judgement=judgement, label="Edges", level_label="some", max_score=2))
    told = capsys.readouterr().out
    assert [line.partition("some")[2].strip() for line in told.splitlines() if "some" in line] == [
        "HP 100 % to 75 %", "", "the boss falls, 1 gold",
    ]  # fmt: skip


def test_a_reason_repeats_no_failed_trial_and_no_advice(capsys: pytest.CaptureFixture[str]) -> None:
    rubric = factories.rubric(2)
    message = "edge.py 7: expected exit status 2; got 0."
    example = Example.of_message(message, "Seven is refused.", "edge.py", 4)
    reason = Reason(cause="Edges are let in.", failed=3, total=4, examples=(example,), advice="Refuse 7.")
    place = Finding(message="It is long.", path="edge.py", line=9)
    trial_place = Finding(message=message, path="edge.py", line=4, trial="Seven is refused.")
    judgement = Judgement(
        criterion_id="c0", score=0, comment="A long story.", reason=reason, findings=(trial_place, place)
    )
    opinion = factories.opinion(0).model_copy(update={"improvements": ("Begin.", "Go on.")})
    text = FightText(rubric, plain=True)
    failed = factories.trial("edges", TrialOutcome.FAILED, "Seven is refused.", message=message)
    text.show(TrialFinished(trial=failed))
    text.show(CriterionJudged(judgement=judgement, label="Edges", level_label="some", max_score=2))
    text.show(Judged(result=score("b", rubric, opinion), judgements=opinion.judgements))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"  ✗ edges: Seven is refused.  [failed] {message}"
    assert lines[3:6] == [
        "  Edges are let in. 3 of 4 trials fail.",
        "  failed trials above: edges",
        "  edge.py:9  It is long.",
    ]
    assert lines[-3:] == ["  1. Begin.", "  2. Go on.", "  3. Edges: Refuse 7."]


def _printed(capsys: pytest.CaptureFixture[str], *, full: bool) -> list[str]:
    """The lines of three trials of two groups, of which one fails."""
    text = FightText(factories.rubric(2), plain=True, full=full)
    text.show(TrialsPlanned(groups={"edges": 3, "happy": 1}))
    for group, outcome, title in (
        ("edges", TrialOutcome.PASSED, "One."),
        ("edges", TrialOutcome.FAILED, "Two."),
        ("edges", TrialOutcome.PASSED, "Three."),
        ("happy", TrialOutcome.PASSED, "Four."),
    ):
        text.show(TrialFinished(trial=factories.trial(group, outcome, title)))
    return [line.split("  [")[0] for line in capsys.readouterr().out.splitlines()]


def test_trials_that_pass_are_one_line_for_their_group(capsys: pytest.CaptureFixture[str]) -> None:
    assert _printed(capsys, full=False) == [
        "4 trials",
        "  ✗ edges: Two.",
        "  ✓ edges: 2 of 3 passed",
        "  ✓ happy: Four.",
    ]


def test_full_text_lists_every_trial(capsys: pytest.CaptureFixture[str]) -> None:
    assert _printed(capsys, full=True) == [
        "4 trials: edges 3, happy 1",
        "  ✓ edges: One.",
        "  ✗ edges: Two.",
        "  ✓ edges: Three.",
        "  ✓ happy: Four.",
    ]


@pytest.mark.parametrize("exemplar", ["weak", "borderline", "broken", "flawless"])
def test_no_sentence_is_printed_twice(exemplar: str) -> None:
    """Failed trials of one cause may share a message; everything about the criteria is said once."""
    told = run("judge", "training-dummy", EXEMPLARS / exemplar, "--no-save").stdout
    lines = [
        re.sub(r"^ *(\d+\. |good  |next level  )?", "", line) for line in told.splitlines() if "[failed]" not in line
    ]
    lines = [re.sub(r"\([^()]*\+[^()]*\)\.?$", "", line) for line in lines]
    sentences = [sentence.casefold() for line in lines for sentence in re.split(r"(?<=\.) | \(|: ", line)]
    assert [sentence for sentence, count in Counter(sentences).items() if count > 1 and len(sentence.split()) > 4] == []


@pytest.mark.usefixtures("warm_engine")
def test_no_message_names_a_temporary_path() -> None:
    told = run("judge", "training-dummy", EXEMPLARS / "broken", "--no-save", "--again").stdout
    assert "with exit status 1 and 'dummy.py\", line 6" in told
    assert "evalforge-submission" not in told


@pytest.mark.usefixtures("warm_engine")
@pytest.mark.parametrize("option", ["--plain", "--full"])
def test_plain_and_full_judgings_list_every_trial(option: str) -> None:
    arguments = ("judge", "training-dummy", EXEMPLARS / "flawless", "--no-save")
    folded, full = (run(*arguments, *more, EVALFORGE_TONE="plain").stdout for more in ((), (option,)))
    assert "  ✓ rhythm: 4 of 4 passed\n" in folded
    assert full.count("  ✓ rhythm: ") == 4
    assert folded.partition("\n\n")[2] == full.partition("\n\n")[2]


@pytest.mark.usefixtures("warm_engine")
def test_places_are_relative_and_link_to_their_line(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("gold.yaml")
    shutil.copytree(EXEMPLARS / "right-but-badly-built", tmp_path / "my work", ignore=ignored)
    arguments = ("judge", "training-dummy", "my work", "--no-save", "--again")
    plain = run_in(tmp_path, *arguments).stdout
    [line, *_] = re.findall(r"^  dummy\.py:(\d+)  ", plain, re.MULTILINE)
    assert "\x1b" not in plain
    linked = run_in(tmp_path, *arguments, FORCE_COLOR="1", TERM="xterm-256color").stdout
    target = rf"\x1b\]8;[^;]*;file://[^/]+{re.escape(tmp_path.as_posix())}/my%20work/dummy\.py#{line}\x1b\\"
    assert re.search(rf"{target}.*dummy\.py:{line}", linked)
    assert "\x1b" not in run_in(tmp_path, *arguments, "--plain", FORCE_COLOR="1").stdout


def test_the_boss_comments_on_the_end_unless_its_tone_is_plain(own_home: Path) -> None:
    judged = [run("judge", "training-dummy", EXEMPLARS / "weak").stdout for _ in range(2)]
    comments = [next(line for moment in Moment for line in moment.value if line in text) for text in judged]
    assert comments[0] != comments[1]
    attempt_id = judged[0].rsplit(maxsplit=1)[-1]
    assert comments[0] in run("attempt", attempt_id).stdout
    (own_home / "config.toml").write_text('tone = "plain"\n')
    told = run("judge", "training-dummy", EXEMPLARS / "weak").stdout + run("attempt", attempt_id).stdout
    assert not [line for moment in Moment for line in moment.value if line in told]


def test_an_exception_is_told_in_full_once(capsys: pytest.CaptureFixture[str]) -> None:
    text = FightText(factories.rubric(2))
    for number, place in enumerate(("a.py:4", "a.py:4", "a.py:5")):
        message = f"KeyError escaped at {place}, from my_store.put({number})"
        failed = factories.trial("edges", TrialOutcome.FAILED, f"Trial {number}.", message=message)
        text.show(TrialFinished(trial=failed))
    assert capsys.readouterr().out.splitlines() == [
        "  ✗ edges: Trial 0.  [failed] KeyError escaped at a.py:4, from my_store.put(0)",
        "  ✗ edges: Trial 1.  [failed] KeyError at a.py:4, too",
        "  ✗ edges: Trial 2.  [failed] KeyError escaped at a.py:5, from my_store.put(2)",
    ]
