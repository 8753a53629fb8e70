"""Impostors: read with located errors, planted exactly once, and complete in every pack that ships."""

from pathlib import Path

import pytest

from evalforge.model.errors import PackError
from evalforge.packs.impostors import Impostor, read_impostors, sections, states
from evalforge.packs.impostors import plant as plant_fault
from evalforge.packs.lint.impostor_checks import MIN_IMPOSTORS, MIN_RIGHT, check_impostors
from evalforge.packs.lint.unchecked_pack import read_unchecked_pack

BOSSES = Path(__file__).parents[2] / "bosses"
PACKS = sorted(path.parent for path in BOSSES.glob("*/boss.yaml"))
LISTED = """\
right:
  - {name: flawless, exemplar: flawless, design: "One module."}
  - {name: nobody, folder: nobody, design: "Not there."}
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


def test_sections_are_lines_of_capitals_at_the_margin():
    assert sections("MODULE\n  Text\n\nALL OR NOTHING\n  More\n  SHOUTED words\n") == ["MODULE", "ALL OR NOTHING"]


def test_a_quote_may_break_its_lines_elsewhere():
    assert states("nothing is\n  ever rounded", "is ever  rounded")
    assert not states("nothing is ever rounded", "ever wrong")


def test_a_pack_without_impostors_has_none(tmp_path):
    assert read_impostors(tmp_path) is None


def test_a_broken_list_names_file_and_line(tmp_path):
    (tmp_path / "impostors").mkdir()
    (tmp_path / "impostors" / "impostors.yaml").write_text("right: []\n", "utf-8")
    with pytest.raises(PackError, match=r"impostors\.yaml"):
        read_impostors(tmp_path)


def test_lint_names_each_fault_of_the_list(tmp_path):
    dummy = BOSSES / "training-dummy"
    pack = tmp_path / "dummy"
    pack.mkdir()
    for name in ("boss.yaml", "rubric.yaml", "evidence.yaml", "exemplars", "trials", "codex"):
        (pack / name).symlink_to(dummy / name)
    (pack / "impostors").mkdir()
    (pack / "impostors" / "impostors.yaml").write_text(LISTED, "utf-8")
    messages = "\n".join(remark.message for remark in check_impostors(read_unchecked_pack(pack)))
    for fault in (
        "nobody",
        "no criterion 'OWNER'",
        "0 times",
        "`says` is not in the contract",
        "write at least 20",
        "owned by strikes_true",
    ):
        assert fault in messages, messages
    assert "owned by shows_the_proof" not in messages


@pytest.mark.parametrize("pack", PACKS, ids=lambda path: path.name)
def test_each_boss_has_impostors_that_fit(pack):
    listed = read_impostors(pack)
    assert listed is not None
    assert len(listed.right) >= MIN_RIGHT
    assert len(listed.impostors) >= MIN_IMPOSTORS
    assert len(listed.wrong) >= 26
    assert not [remark.message for remark in check_impostors(read_unchecked_pack(pack)) if remark.is_problem]
