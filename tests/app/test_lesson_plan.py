"""A lesson without a screen: its steps, its ghosts, the room's guesses, the file the notes follow."""

import shutil
from collections import Counter

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from evalforge.app.teaching.lesson_plan import (
    Guesses,
    StepKind,
    describe_guesses,
    ghosts_of,
    level_keys,
    make_lesson,
    most_guessed,
    steps_of,
)
from evalforge.app.teaching.speaker_notes import (
    TeachingState,
    clear_state,
    now,
    read_state,
    speaker_notes,
    step_title,
    write_state,
)
from evalforge.model.errors import UsageError
from evalforge.model.rubric import Criterion
from evalforge.packs.pack import load_pack
from tests.app.harness import write_pack, write_solution

TOTALS = {"weak": (0, 1, 0), "borderline": (2, 1, 0), "flawless": (2, 2, 2)}


def add_exemplars(pack, levels=TOTALS):
    """Exemplars with these gold levels."""
    for name, scores in levels.items():
        folder = write_solution(pack / "exemplars" / name)
        gold = {
            "levels": {f"c{i}": score for i, score in enumerate(scores)},
            "verdict": "fail",
            "why": {f"c{i}": f"gold reason {i} of {name}" for i in range(3)},
        }
        (folder / "gold.yaml").write_text(yaml.safe_dump(gold), "utf-8")
    return pack


@pytest.fixture
def pack(tmp_path):
    return load_pack(add_exemplars(write_pack(tmp_path / "bosses", "golem", "Stone Golem")))


@given(criteria=st.integers(1, 9), hand_ins=st.integers(1, 4), ghosts=st.booleans())
def test_every_level_is_guessed_before_it_is_revealed(criteria, hand_ins, ghosts):
    steps = steps_of([f"c{i}" for i in range(criteria)], hand_ins, ghosts=ghosts)
    for hand_in in range(hand_ins):
        own = [step for step in steps if step.hand_in == hand_in]
        assert own[0].kind is StepKind.HAND_IN
        assert own[-1].kind is StepKind.VERDICT
        for index in range(criteria):
            guess, reveal = own[1 + 2 * index : 3 + 2 * index]
            assert (guess.kind, guess.criterion, guess.revealed) == (StepKind.GUESS, index, index)
            assert (reveal.kind, reveal.criterion, reveal.revealed) == (StepKind.REVEAL, index, index + 1)
    assert sum(step.kind is StepKind.GHOSTS for step in steps) == (criteria + 1) * ghosts


def test_without_a_choice_the_middling_exemplar_is_shown(pack):
    lesson = make_lesson(pack)
    assert [shown.name for shown in lesson.submissions] == ["borderline"]
    assert [ghost.name for ghost in lesson.ghosts] == ["weak", "borderline", "flawless"]
    assert len(lesson.all_submissions) == 3


def test_exemplars_and_folders_are_shown_in_the_order_given(pack, tmp_path):
    mine = write_solution(tmp_path / "mine")
    lesson = make_lesson(pack, ["flawless", "weak"], [mine])
    assert [shown.name for shown in lesson.submissions] == ["flawless", "weak", "mine"]


def test_what_is_not_there_is_said(pack, tmp_path):
    with pytest.raises(UsageError, match="no exemplar called 'nobody'") as caught:
        make_lesson(pack, ["nobody"])
    assert "borderline" in caught.value.hint
    with pytest.raises(UsageError, match="does not exist"):
        make_lesson(pack, [], [tmp_path / "nowhere"])
    shutil.rmtree(pack.path / "exemplars")
    with pytest.raises(UsageError, match="no exemplars"):
        make_lesson(pack)


def test_ghosts_are_told_apart_by_gold_where_names_are_vague(tmp_path):
    levels = {"a": (2, 2, 2), "b": (0, 0, 0), "c": (1, 1, 0), "d": (1, 1, 1)}
    pack = load_pack(add_exemplars(write_pack(tmp_path, "golem"), levels))
    ghosts = make_lesson(pack).ghosts
    assert [ghost.total for ghost in ghosts] == [0, 3, 6]
    assert ghosts_of(ghosts[:1]) == ()


def test_gold_that_cannot_be_read_takes_no_lesson_away(pack):
    (pack.path / "exemplars" / "weak" / "gold.yaml").write_text("levels: [", "utf-8")
    lesson = make_lesson(pack, ["weak"])
    assert lesson.submissions[0].gold is None
    assert "weak" not in [ghost.name for ghost in lesson.ghosts]


@pytest.mark.parametrize(
    ("scores", "keys"),
    [
        ((0, 1, 2), {"0": 0, "1": 1, "2": 2}),
        ((0, 5), {"0": 0, "5": 5}),
        ((0, 0.5, 1), {"0": 0, "1": 0.5, "2": 1}),
        ((-1, 0, 3), {"0": -1, "1": 0, "2": 3}),
        ((0, 10, 20), {"0": 0, "1": 10, "2": 20}),
    ],
)
def test_a_digit_guesses_its_score_or_else_its_place(scores, keys):
    levels = [{"score": score, "label": "x", "description": "x"} for score in scores]
    assert level_keys(Criterion.model_validate({"id": "c", "label": "C", "levels": levels})) == keys


def test_guesses_are_counted_and_taken_back():
    room = Guesses()
    for score in (1, 1, 2):
        room.count(0, "c0", score)
    room.count(1, "c0", 0)
    assert room.tally(0, "c0") == Counter({1: 2, 2: 1})
    room.take_back(0, "c0")
    room.take_back(0, "other")
    assert room.tally(0, "c0") == {1: 2}
    assert most_guessed({1: 2, 2: 2, 0: 1}) == (1, 2)
    assert most_guessed({}) == ()


@pytest.mark.parametrize(
    ("tally", "words"),
    [
        ({}, ""),
        ({2: 1}, "The room guessed it."),
        ({1: 1}, "The room guessed 1."),
        ({2: 3}, "All 3 in the room said so."),
        ({2: 2, 1: 1}, "2 of 3 in the room said so."),
        ({1: 3}, "3 guesses, none of them."),
    ],
)
def test_the_room_hears_how_near_it_came(tally, words):
    assert describe_guesses(tally, 2) == words


# The speaker's notes


def state_at(step):
    return TeachingState(
        boss_id="golem", pid=1, since=now(), step=step, step_count=9, notes=(("On the stage  ", "dim"),)
    )


def notes_at(lesson, step, scores=None, tally=None):
    return "".join(text for text, _ in speaker_notes(lesson, step, scores or {}, tally or {}))


def test_the_notes_have_gold_reason_signals_and_guesses(pack):
    lesson = make_lesson(pack)
    at = next(index for index, step in enumerate(lesson.steps) if step.kind is StepKind.GUESS)
    text = notes_at(lesson, at, {lesson.submissions[0].path: {"c0": 1}}, {1: 2})
    for words in (
        "Submission A is borderline", "gold   2 level 2", "gold reason 0 of borderline", "judge  1 level 1",
        "2 x level 1", "good plain words", "bad plain words", "Next          submission A, revealed: Criterion 0",
    ):  # fmt: skip
        assert words in text


def test_there_are_notes_for_every_step(pack):
    lesson = make_lesson(pack)
    for at in range(len(lesson.steps)):
        assert "On the stage" in notes_at(lesson, at)
    assert "nothing: this is the end" in notes_at(lesson, len(lesson.steps) - 1)


def test_what_names_a_step_never_names_an_exemplar(pack):
    lesson = make_lesson(pack, ["weak", "flawless"])
    titles = " ".join(step_title(lesson, step) for step in lesson.steps)
    assert "submission B" in titles
    assert "flawless" not in titles


def test_the_file_is_for_its_owner_and_comes_back_as_it_was(tmp_path):
    path = tmp_path / "home" / "stage-golem.json"
    state = state_at(4)
    assert write_state(path, state)
    assert read_state(path) == state
    assert path.stat().st_mode & 0o077 == 0
    assert [file.name for file in path.parent.iterdir()] == ["stage-golem.json"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"boss_id": 3}', "\x00"])
def test_a_file_that_makes_no_sense_is_no_stage(tmp_path, text):
    (tmp_path / "s.json").write_text(text, "utf-8")
    assert read_state(tmp_path / "s.json") is None
    assert read_state(tmp_path / "none.json") is None


def test_only_ones_own_state_is_cleared(tmp_path):
    path = tmp_path / "stage-golem.json"
    write_state(path, state_at(0))
    clear_state(path)
    assert path.exists()


def test_a_home_that_cannot_be_written_is_said_not_raised(tmp_path):
    (tmp_path / "file").write_text("", "utf-8")
    assert not write_state(tmp_path / "file" / "stage.json", state_at(0))
