"""Failed trials are explained by the fewest known mistakes, and only by those that fail in the same way."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from evalforge.evidence.mistakes import find_mistakes
from evalforge.model.evidence import TrialOutcome, TrialResult
from evalforge.packs.known_mistakes import FILE, KnownMistakes, read_known_mistakes, signature_key, symptom_of
from evalforge.packs.pack import BossPack, load_pack
from tests import factories

Trials = Mapping[str, str]
"""What failed trials say, by their ids."""
BLOWS = [f"blow {number}" for number in range(9)]
NAMES = [f"name {number}" for number in range(9)]


def results(said: Trials) -> list[TrialResult]:
    """The trials of two criteria; those fail that say something."""
    return [
        factories.trial(
            group, TrialOutcome.FAILED if name in said else TrialOutcome.PASSED, name, message=said.get(name, "")
        )
        for group, names in (("one_blow", BLOWS), ("unreadable", NAMES))
        for name in names
    ]


Known = Callable[..., BossPack]


@pytest.fixture
def known(bosses: Path, tmp_path: Path) -> Known:
    """Gives the pack whose impostors make trials say this; what is None differs from run to run."""
    folder = tmp_path / "training-dummy"
    shutil.copytree(bosses / "training-dummy", folder)

    def write(**said: Mapping[str, str | None]) -> BossPack:
        signatures = {
            name.replace("_", "-"): {
                trial: symptom_of(factories.trial("g", TrialOutcome.FAILED, message=text or ""), says=text is not None)
                for trial, text in trials.items()
            }
            for name, trials in said.items()
        }
        content = KnownMistakes(measured_with=signature_key(folder), signatures=signatures)
        (folder / FILE).write_text(content.model_dump_json(), "utf-8")
        return load_pack(folder)

    return write


def named(pack: BossPack, said: Trials) -> list[tuple[str, ...]]:
    return [mistake.ids for mistake in find_mistakes(pack, results(said))]


def test_a_mistake_is_named_with_its_words_and_its_trials(known: Known) -> None:
    pack = known(no_full_stop={"blow 1": "no stop", "blow 2": "no stop either"})
    (mistake,) = find_mistakes(pack, results({"blow 1": "no stop", "blow 2": "no stop either", "blow 3": "odd"}))
    assert mistake.fault == "The full stop at the end of the line is missing."
    assert (mistake.owner, mistake.clause) == ("strikes_true", "OUTPUT")
    assert mistake.says
    assert mistake.riddle
    assert mistake.trials == ("blow 1", "blow 2")


def test_one_trial_among_other_failures_names_the_section(known: Known) -> None:
    pack = known(one_short={"blow 1": "a"}, no_full_stop={"blow 1": "c"})
    (alone,) = find_mistakes(pack, results({"blow 1": "a", "name 1": "b"}))
    (in_doubt,) = find_mistakes(pack, results({"blow 1": "a", "blow 2": "b"}))
    assert alone.fault
    assert (in_doubt.fault, in_doubt.clause, in_doubt.trials) == ("", alone.clause, ("blow 1",))
    (specific,) = find_mistakes(known(one_short={"blow 1": "a"}), results({"blow 1": "a", "blow 2": "b"}))
    assert specific.fault


def test_a_name_of_the_contract_is_marked_as_code(known: Known) -> None:
    pack = known(one_short={"blow 1": "a"})
    impostors = pack.path / "impostors" / "impostors.yaml"
    fault = find_mistakes(pack, results({"blow 1": "a"}))[0].fault
    impostors.write_text(impostors.read_text("utf-8").replace(fault, "set_blow(key, None) is late."), "utf-8")
    again = known(one_short={"blow 1": "a"})
    assert find_mistakes(again, results({"blow 1": "a"}))[0].fault == "`set_blow(key, None)` is late."


@pytest.mark.parametrize(
    "said",
    [
        {"blow 1": "no stop"},
        {"blow 1": "no stop", "blow 2": "another"},
        {"blow 3": "no stop"},
        {},
    ],
    ids=["a trial passes", "a trial says otherwise", "another trial", "nothing fails"],
)
def test_what_fails_otherwise_is_another_mistake(known: Known, said: Trials) -> None:
    assert named(known(no_full_stop={"blow 1": "no stop", "blow 2": "no stop either"}), said) == []


def test_of_random_cases_only_the_outcome_counts_never_alone(known: Known) -> None:
    pack = known(no_full_stop={"blow 1": "no stop", "blow 2": None}, one_short={"blow 3": None})
    assert named(pack, {"blow 1": "no stop", "blow 2": "case 7", "blow 3": "case 8"}) == [("no-full-stop",)]


def test_the_fewest_are_named(known: Known) -> None:
    pack = known(one_short={"blow 1": "a"}, no_full_stop={"blow 1": "a", "blow 2": "b"}, counting_down={"blow 2": "b"})
    assert named(pack, {"blow 1": "a", "blow 2": "b"}) == [("no-full-stop",)]
    assert named(pack, {"blow 2": "b", "blow 3": "c"}) == [("counting-down",)]


def test_the_mistake_that_explains_most_is_named_first(known: Known) -> None:
    pack = known(one_short={"blow 1": "a"}, no_full_stop={"blow 2": "b", "blow 3": "c"})
    assert named(pack, {"blow 1": "a", "blow 2": "b", "blow 3": "c"}) == [("no-full-stop",), ("one-short",)]


def test_of_two_that_say_the_same_their_clause_is_named(known: Known) -> None:
    (mistake,) = find_mistakes(known(one_short={"blow 1": "a"}, no_full_stop={"blow 1": "a"}), results({"blow 1": "a"}))
    assert set(mistake.ids) == {"one-short", "no-full-stop"}
    assert (mistake.clause, mistake.fault, mistake.riddle) == ("OUTPUT", "", "")
    assert named(known(one_short={"blow 1": "a"}, three_for_nothing={"blow 1": "a"}), {"blow 1": "a"}) == []


def test_of_a_criterion_that_mostly_fails_no_part_is_named(known: Known) -> None:
    pack = known(one_short={"blow 1": "a"}, no_full_stop=dict.fromkeys(BLOWS, "b"))
    assert named(pack, {**dict.fromkeys(BLOWS, "b"), "blow 1": "a"}) == []
    assert named(pack, dict.fromkeys(BLOWS, "b")) == [("no-full-stop",)]


def test_what_was_measured_with_other_programs_names_nothing(known: Known) -> None:
    pack = known(one_short={"blow 1": "a"})
    assert named(pack, {"blow 1": "a"}) == [("one-short",)]
    with (pack.trials / "test_blows.py").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert read_known_mistakes(pack.path) is None
    assert named(load_pack(pack.path), {"blow 1": "a"}) == []


def test_a_boss_without_known_mistakes_names_none(known: Known) -> None:
    pack = known()
    (pack.path / FILE).unlink()
    assert named(load_pack(pack.path), {"blow 1": "a"}) == []
    assert json.loads(KnownMistakes(measured_with="", signatures={}).model_dump_json())["signatures"] == {}
