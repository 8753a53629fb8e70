"""Tests alone against a boss's right programs and impostors: what is printed, and what the exit status says."""

import json
import shutil
from pathlib import Path

import pytest

from evalforge.packs.impostors import read_impostors
from tests.command_line import Ended, run
from tests.judged import FLAWLESS, WEAK

pytestmark = pytest.mark.usefixtures("warm_engine")

CONTRACT_TESTS = FLAWLESS / "tests/test_dummy.py"
WRONG_TEST = """

def test_the_dummy_bows():
    assert strike("Apprentice").stdout.endswith("The dummy bows.\\n")
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A folder of tests that need nothing but the contract, beside no program."""
    shutil.copytree(FLAWLESS / "tests", tmp_path / "suite/tests", ignore=shutil.ignore_patterns("test_inner.py"))
    return tmp_path / "suite"


def keep_tests(suite: Path, *names: str) -> None:
    """Leave out every test of the suite but those named."""
    file = suite / "tests/test_dummy.py"
    head, *tests = file.read_text().split("\n\n\ndef test_")
    # A decorator stands at the end of the piece before its test.
    undecorated = [test.partition("\n\n\n@")[0] for test in tests if test.startswith(names)]
    file.write_text("\n\n\ndef test_".join([head.partition("\n\n\n@")[0], *undecorated]) + "\n")


def meet(suite: Path, *options: str) -> Ended:
    return run("impostors", "training-dummy", suite, *options)


def test_tests_without_a_program_unmask_every_impostor(suite: Path) -> None:
    ended = meet(suite)
    assert ended.returncode == 0
    assert "impostors caught by 23 contract tests" in ended.stdout
    assert "Missed\n" not in ended.stdout


def test_who_is_let_through_is_named_by_clause_and_riddle(suite: Path) -> None:
    keep_tests(suite, "one_blow")
    ended = meet(suite, "--plain")
    assert ended.returncode == 1
    assert "by 1 contract test" in ended.stdout
    assert "  COMMAND LINE  It was stuffed for one more than it believes." in ended.stdout.split("Missed\n")[1]


def test_a_wrong_expectation_comes_first_with_its_line(suite: Path) -> None:
    keep_tests(suite, "one_blow")
    file = suite / "tests/test_dummy.py"
    file.write_text(file.read_text() + WRONG_TEST)
    line = file.read_text().split("\n").index("def test_the_dummy_bows():") + 1
    ended = meet(suite)
    assert ended.returncode == 1
    words = f"tests/test_dummy.py:{line}  `test_the_dummy_bows` fails on a program that keeps the contract, at `assert "
    assert ended.stdout.startswith(words)


def test_json_holds_each_impostor_and_the_facts(suite: Path) -> None:
    keep_tests(suite, "one_blow")
    data = json.loads(meet(suite, "--json").stdout)
    by_id = {one["id"]: one for one in data["impostors"]}
    assert by_id["no-full-stop"]["fate"] == "unmasked"
    assert by_id["no-full-stop"]["test"] == "test_one_blow_in_the_words_of_the_contract"
    assert by_id["the-last-straw-refused"]["fate"] == "let through"
    facts = {fact["name"]: fact["value"] for fact in data["facts"]}
    assert (facts["tests.contract"], facts["tests.wrong_expectations"], data["ungraded"]) == (1, 0, "")


def test_a_folder_without_tests_says_so() -> None:
    ended = meet(WEAK)
    assert ended.returncode == 3
    assert "There are no tests." in ended.stdout
    assert "Strikes true" not in ended.stdout


def test_a_folder_without_files_is_a_wrong_command(tmp_path: Path) -> None:
    ended = meet(tmp_path)
    assert ended.returncode == 2
    assert "holds no file that can be judged" in ended.stderr


def test_a_folder_that_is_not_there_is_a_wrong_command(tmp_path: Path) -> None:
    assert meet(tmp_path / "nowhere").returncode == 2


def test_a_boss_without_impostors_is_a_wrong_command(suite: Path, tmp_path: Path, bosses: Path) -> None:
    pack = shutil.copytree(bosses / "training-dummy", tmp_path / "bare", ignore=shutil.ignore_patterns("impostors"))
    ended = run("impostors", pack, suite)
    assert ended.returncode == 2
    assert "Training Dummy has no impostors." in ended.stderr


def test_fights_show_impostors_and_attempts_keep_them(suite: Path, own_home: Path) -> None:
    keep_tests(suite, "one_blow")
    shutil.copy(WEAK / "dummy.py", suite)
    judged = run("judge", "training-dummy", suite, "--plain").stdout
    section = judged.partition("impostors caught by 1 contract test")[2].partition("\n\n")[0]
    assert "✓" not in section
    assert "  OUTPUT  It counts on its fingers." in section
    assert "more missed" in section
    attempt_id = judged.split()[-1]
    for command in ("attempt", "replay"):
        assert section in run(command, attempt_id).stdout
    kept = json.loads(run("attempt", attempt_id, "--json").stdout)["evidence"]["impostors"]
    listed = read_impostors(FLAWLESS.parents[1])
    assert listed is not None
    assert {one["id"] for one in kept} == {*listed.core}
    assert own_home.exists()


def test_a_fight_without_tests_says_nothing_of_impostors() -> None:
    folder, judged = str(WEAK), run("judge", "training-dummy", WEAK, "--plain", "--no-save").stdout
    assert "mpostor" not in judged.replace(folder, "")


def test_the_starter_teaches_a_test_that_unmasks_impostors(tmp_path: Path, bosses: Path) -> None:
    readme = (bosses / "training-dummy/starter/README.md").read_text()
    taught = next(block for block in readme.split("```python\n")[1:] if block.startswith("import"))
    (tmp_path / "test_dummy.py").write_text(taught.partition("```")[0])
    ended = meet(tmp_path)
    assert ended.returncode == 1
    assert "impostors caught by 1 contract test" in ended.stdout


def need_missing_library(suite: Path) -> None:
    file = suite / "tests/test_dummy.py"
    file.write_text(file.read_text() + "\n\nimport pyfakefs\n")


def test_tests_that_need_a_missing_library_say_so(suite: Path) -> None:
    need_missing_library(suite)
    ended = meet(suite, "--plain")
    assert ended.returncode == 3
    assert "The tests need pyfakefs" in ended.stdout
    assert "needs more" not in ended.stdout


def test_a_missing_library_leaves_a_fight_ungraded(suite: Path) -> None:
    need_missing_library(suite)
    shutil.copy(FLAWLESS / "dummy.py", suite)
    judged = run("judge", "training-dummy", suite, "--plain", "--no-save")
    assert judged.returncode == 3
    assert "Shows the proof could not be measured: The tests need pyfakefs" in judged.stdout
    assert "Install it where the judge runs" in judged.stdout


def test_a_missing_library_excuses_no_other_lack(suite: Path) -> None:
    (suite / "tests/test_dummy.py").write_text("import pyfakefs\n\ndef test_nothing():\n    pass\n")
    shutil.copy(FLAWLESS / "dummy.py", suite)
    judged = run("judge", "training-dummy", suite, "--plain", "--no-save")
    assert judged.returncode == 0
    assert "At least one test checks nothing." in judged.stdout
