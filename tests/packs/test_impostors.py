"""Impostors: read with located errors, planted exactly once, and complete in every pack that ships."""

from pathlib import Path

import pytest
import yaml

from evalforge.model.errors import PackError
from evalforge.packs.impostors import Impostor, read_impostors
from evalforge.packs.impostors import plant as plant_fault
from evalforge.packs.lint.impostor_checks import MIN_RIGHT, check_impostors, impostor_faults
from evalforge.packs.lint.unchecked_pack import read_unchecked_pack

BOSSES = Path(__file__).parents[2] / "bosses"
PACKS = sorted(path.parent for path in BOSSES.glob("*/boss.yaml"))
LISTED = """\
right:
  - {name: flawless, exemplar: flawless, design: "One module."}
  - {name: nobody, folder: nobody, design: "Not there."}
core: [whole]
impostors:
  - id: half
    of: flawless
    owner: OWNER
    level: 0
    clause: WORDS
    says: "these words are in no contract"
    fault: "It does half."
    riddle: "Half a bridge carries nobody."
    change:
      - {file: dummy.py, old: "this stands nowhere", new: "x"}
"""


def impostor(old: str, new: str) -> Impostor:
    texts = dict.fromkeys(("id", "of", "owner", "fault", "clause", "says", "riddle"), "words")
    return Impostor.model_validate({**texts, "level": 0, "change": [{"file": "a.py", "old": old, "new": new}]})


def test_planting_replaces_the_one_place():
    files = {"a.py": "x = 1\ny = 2\n", "b.py": "x = 1\n"}
    assert plant_fault(files, impostor("x = 1\n", "x = 0")) == {"a.py": "x = 0\ny = 2\n", "b.py": "x = 1\n"}
    assert files["a.py"] == "x = 1\ny = 2\n", "the right program stays as it is"


@pytest.mark.parametrize(("old", "reason"), [("z", "0 times"), ("x", "2 times")])
def test_planting_refuses_what_is_not_one_place(old, reason):
    with pytest.raises(PackError, match=reason):
        plant_fault({"a.py": "x = x\n"}, impostor(old, "y"))


def test_planting_refuses_a_file_that_is_missing():
    with pytest.raises(PackError, match="no such file"):
        plant_fault({"b.py": "x\n"}, impostor("x", "y"))


def test_a_pack_without_impostors_has_none(tmp_path):
    assert read_impostors(tmp_path) is None


def test_a_broken_list_names_file_and_line(tmp_path):
    (tmp_path / "impostors").mkdir()
    (tmp_path / "impostors" / "impostors.yaml").write_text("right: []\n", "utf-8")
    with pytest.raises(PackError, match=r"impostors\.yaml"):
        read_impostors(tmp_path)


@pytest.fixture
def faulty_pack(tmp_path: Path) -> Path:
    """The Training Dummy with a list of impostors that is wrong in many places."""
    dummy = BOSSES / "training-dummy"
    pack = tmp_path / "dummy"
    pack.mkdir()
    for name in ("boss.yaml", "rubric.yaml", "evidence.yaml", "exemplars", "trials", "codex"):
        (pack / name).symlink_to(dummy / name)
    (pack / "impostors").mkdir()
    (pack / "impostors" / "impostors.yaml").write_text(LISTED, "utf-8")
    return pack


def lint_messages(pack: Path) -> str:
    unchecked = read_unchecked_pack(pack)
    return "\n".join(issue.message for check in (impostor_faults, check_impostors) for issue in check(unchecked))


def test_lint_reads_a_contract_without_headings(faulty_pack: Path) -> None:
    boss = yaml.safe_load((faulty_pack / "boss.yaml").read_text("utf-8"))
    boss["metadata"]["contract"] = "Prints one line for each blow.\n\nBad input is refused.\n"
    (faulty_pack / "boss.yaml").unlink()
    (faulty_pack / "boss.yaml").write_text(yaml.safe_dump(boss), "utf-8")
    messages = lint_messages(faulty_pack)
    assert "no line of the contract begins with 'WORDS'" in messages
    assert "no impostor breaks the paragraph “Prints one line for each blow.”" in messages


def test_lint_names_each_fault_of_the_list(faulty_pack):
    messages = lint_messages(faulty_pack)
    for fault in (
        "nobody",
        "no criterion 'OWNER'",
        "0 times",
        "`says` must quote the contract",
        "the contract has no section 'WORDS'",
        "no impostor breaks the section OUTPUT",
        "owned by strikes_true",
        "there is no impostor called 'whole'",
    ):
        assert fault in messages, messages
    assert "owned by shows_the_proof" not in messages


@pytest.mark.parametrize("pack", PACKS, ids=lambda path: path.name)
def test_each_boss_has_impostors_that_fit(pack):
    listed = read_impostors(pack)
    assert listed is not None
    assert len(listed.right) >= MIN_RIGHT
    assert len(listed.impostors) >= 20
    assert len(listed.wrong) >= 26
    core = listed.in_a_fight().impostors
    assert len(core) == 20
    assert {impostor.clause for impostor in core} == {impostor.clause for impostor in listed.impostors}
    assert {impostor.owner for impostor in core} == {impostor.owner for impostor in listed.impostors}
    assert lint_messages(pack) == ""


def test_without_a_core_tests_meet_all_impostors_in_a_fight() -> None:
    listed = read_impostors(BOSSES / "training-dummy")
    assert listed is not None
    every_impostor = listed.model_copy(update={"core": ()})
    assert every_impostor.in_a_fight() == every_impostor
    assert {impostor.id for impostor in listed.in_a_fight().impostors} == {*listed.core}
