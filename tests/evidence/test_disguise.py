"""A program sees other words than its trials were written with, and the trials see their own again."""

import random
import re
from contextlib import aclosing
from pathlib import Path

import pytest

from evalforge.evidence.engine import Engine
from evalforge.evidence.trials.disguise import Disguise, random_words
from evalforge.model.events import TrialFinished
from evalforge.model.evidence import TrialOutcome, TrialResult
from tests import factories

CLI_TRIALS = '''
import pytest
from evalforge.evidence.trials.disguise import Disguise, random_words

@pytest.fixture
def cli(cli, rng):
    cli.disguise(Disguise(random_words(rng, ["harbour.log", "rest", "gate"])))
    return cli

def test_words(cli):
    """Words go in and come out."""
    run = cli("harbour.log", files={"harbour.log": "gate gates", "rest": b"\\xff gate"}, stdin="at the gate")
    told = [run.stdout.split(), run.files["made"], run.stderr]
    assert told == [["harbour.log", "gate", "gates"], b"\\xff gate", "at the gate"], str(told)
'''
CLI_PROGRAM = """
import os
import sys

name = sys.argv[1]
rest = next(other for other in os.listdir(".") if other != name)
assert "harbour" not in name and name.endswith(".log") and rest != "rest"
text = open(name).read()
assert text.endswith(" gates") and not text.startswith("gate ")
print(name, text)
open("made", "wb").write(open(rest, "rb").read())
sys.stderr.write(sys.stdin.read())
"""
PLAYER_TRIALS = '''
import pytest
from evalforge.evidence.trials.disguise import Disguise, random_words
from evalforge.evidence.trials.proxies import PlayerError

@pytest.fixture
def player(player, rng):
    player.disguise(Disguise(random_words(rng, ["oak", "elm"])))
    return player

def shipped(key):
    import main
    return [key, "elm", main.seen(key), {"oak": ("elm",)}]

def test_values(player):
    """Values go in and come out."""
    main = player.module("main")
    assert main.echo({"oak": ["elm", 3]}) == {"oak": ["elm", 3]}, "plain data"
    assert main.seen("oak") is False, "the program must not see the word"
    assert main.asks(lambda key: key + "!") == "oak!", "callbacks"
    assert player.drive(shipped, "oak") == ["oak", "elm", False, {"oak": ("elm",)}], "functions"
    with pytest.raises(PlayerError, match="no oak here"):
        main.fails("oak")
'''
PLAYER_PROGRAM = """
KEPT = []
def echo(value):
    KEPT.append(next(iter(value)))
    return value
def seen(key): return key in ("oak", "elm")
def asks(ask): return ask(KEPT[0])
def fails(key): raise ValueError(f"no {key} here")
"""


async def last_result(engine: Engine, folder: Path, trials: str, program: str) -> TrialResult:
    (folder / "test_it.py").write_text(trials, "utf-8")
    stream = engine.gather("seed", folder, ("main.py",), factories.submission(main=program))
    async with aclosing(stream) as events:
        return [event.trial async for event in events if isinstance(event, TrialFinished)][-1]


async def outcome(engine: Engine, folder: Path, trials: str, program: str) -> tuple[TrialOutcome, str]:
    result = await last_result(engine, folder, trials, program)
    return result.outcome, result.message


async def test_a_program_is_run_with_other_words(engine: Engine, tmp_path: Path) -> None:
    assert await outcome(engine, tmp_path, CLI_TRIALS, CLI_PROGRAM) == (TrialOutcome.PASSED, "")


async def test_calls_and_commands_have_the_words_of_the_trial(engine: Engine, tmp_path: Path) -> None:
    program = "import sys; sys.exit(f'no gate in {sys.argv[1]}')"
    result = await last_result(engine, tmp_path, CLI_TRIALS, program)
    assert result.outcome is TrialOutcome.FAILED
    assert [step.model_dump() for step in result.steps] == [
        {"call": "main.py harbour.log", "result": "exit status 1, last line on stderr: no gate in harbour.log"}
    ]
    assert "> harbour.log" in result.command
    assert result.command.endswith('"$OLDPWD"/main.py harbour.log')


async def test_modules_get_other_words(engine: Engine, tmp_path: Path) -> None:
    assert await outcome(engine, tmp_path, PLAYER_TRIALS, PLAYER_PROGRAM) == (TrialOutcome.PASSED, "")


@pytest.mark.parametrize("seed", range(20))
def test_random_words_keep_form_or_order(seed: int) -> None:
    drawn = random_words(random.Random(seed), ["pump.3", "told.json"])
    assert re.fullmatch(r"[a-z]{4}\.[0-9] [a-z]{6,}\.json", " ".join(drawn.values()))
    words = ["Ash", "Zinc", "ash", "bell"]
    drawn = random_words(random.Random(seed), words, in_order=True)
    assert sorted(words, key=drawn.__getitem__) == words
    assert drawn["Ash"] == drawn["ash"].capitalize()
    assert len(set(drawn.values()) | set(words)) == 2 * len(words)


def test_only_whole_words_are_exchanged_and_all_come_back() -> None:
    disguise = Disguise({"gate": "xyzabc", "gate.log": "qrstuv.log"})
    text = "gate gates gate.log archive/gate (gate), gate2 agate"
    assert disguise.show(text) == "xyzabc gates qrstuv.log archive/xyzabc (xyzabc), gate2 agate"
    assert disguise.reveal(disguise.show(text)) == text


@pytest.mark.parametrize(
    ("told", "meant"),
    [
        ("Xylo strikes", "Gate strikes"),
        ("XYLO", "GATE"),
        ("xylo and abcd", "gate and ash"),
        ("ABCD", "ASH"),
        ("xYlo", "xYlo"),
    ],
)
def test_a_word_in_other_letters_is_revealed_in_those(told: str, meant: str) -> None:
    assert Disguise({"gate": "xylo", "Ash": "Abcd"}).reveal(told) == meant


@pytest.mark.parametrize("told", ["\u017falt", "\u212ailo"])
def test_a_sign_that_only_folds_to_a_letter_is_left_alone(told: str) -> None:
    assert Disguise({"gate": "salt", "rest": "kilo"}).reveal(told) == told
