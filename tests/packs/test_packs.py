"""Boss packs: a sound one loads, a broken one says file, line and reason, and never breaks the roster."""

import json
import shutil
from pathlib import Path

import pytest

from evalforge.model.errors import PackError, UsageError
from evalforge.packs.document import read_document
from evalforge.packs.find_pack import find_pack
from evalforge.packs.pack import load_pack
from evalforge.packs.summary import find_bosses
from tests import command_line

RUBRIC = """\
rubric_id: r
overall:
  pass_threshold: 1
criteria:
  - id: works
    label: Works
    levels:
      - {score: 0, label: no, description: d}
      - {score: 1, label: yes indeed, description: d}
"""
RULES = """\
works:
  - level: 1
    requires:
      - {fact: trials.all, check: "== 1", otherwise: "It fails."}
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "straw"
    (folder / "trials").mkdir(parents=True)
    (folder / "trials" / "test_it.py").write_text("def test_it(cli): pass\n")
    (folder / "boss.yaml").write_text("boss_id: straw\ntitle: Straw\nmetadata: {tier: 1}\n")
    (folder / "rubric.yaml").write_text(RUBRIC)
    (folder / "evidence.yaml").write_text(RULES)
    return folder


def error_of(pack: Path) -> PackError:
    with pytest.raises(PackError) as caught:
        load_pack(pack)
    return caught.value


def test_every_shipped_pack_loads(bosses: Path) -> None:
    found = find_bosses((bosses,))
    assert {"training-dummy", "furnace-controller", "data-crucible"} <= {boss.slug for boss in found}
    assert [boss.error for boss in found if boss.error] == []
    for boss in found:
        assert load_pack(boss.path).definition.metadata.entry_files


def test_the_hash_of_a_pack_counts_the_data_of_its_trials(pack: Path) -> None:
    known = load_pack(pack).rubric_hash
    assert known == "97dfaf5b7423e8ae"
    seen = {known}
    data = pack / "trials" / "deep" / "cases.json"
    for path, content in ((data, "[1]"), (data, "[2]"), (data.with_name("other.json"), "[2]")):
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
        seen.add(load_pack(pack).rubric_hash)
    (pack / "trials" / "__pycache__").mkdir()
    (pack / "trials" / "__pycache__" / "test_it.pyc").write_bytes(b"1")
    seen.add(load_pack(pack).rubric_hash)
    assert len(seen) == 4


def test_the_hash_of_a_pack_counts_the_folder_of_a_helper(pack: Path) -> None:
    helper = pack / "trials" / "one" / "helper.py"
    helper.parent.mkdir()
    helper.write_text("LIMIT = 1\n")
    hash_before = load_pack(pack).rubric_hash
    helper.parent.rename(pack / "trials" / "other")
    assert load_pack(pack).rubric_hash != hash_before


def test_a_small_pack_loads(pack: Path) -> None:
    assert load_pack(pack).rubric.max_score == 1


@pytest.mark.parametrize(
    ("name", "old", "new", "line", "words"),
    [
        ("boss.yaml", "title: Straw", "titel: Straw", 1, "title: this key is missing"),
        ("boss.yaml", "{tier: 1}", "{tier: 9}", 3, "metadata.tier: this must be at most 4"),
        ("boss.yaml", "title: Straw", "title: [", 4, "not valid YAML"),
        ("rubric.yaml", "pass_threshold: 1", "pass_threshold: 5", 3, "above the highest possible total"),
        ("rubric.yaml", "score: 1, label: yes indeed", "score: one, label: yes indeed", 9, "must be a number"),
        ("rubric.yaml", "score: 1, label: yes indeed", "score: 0, label: yes indeed", 7, "same score"),
        ("rubric.yaml", "rubric_id: r", "rubric_id: r\nrubric_id: s", 2, "appears twice"),
        ("rubric.yaml", "rubric_id: r", "rubric_id: &name r\ndescription: *name", 1, "aliases (*) are not allowed"),
        ("evidence.yaml", "== 1", "is 1", 4, "a check is one of"),
        ("evidence.yaml", "level: 1", "level: 3", 2, "no level 3"),
        ("evidence.yaml", "works:", "work:", 1, "no criterion 'work'"),
        ("evidence.yaml", "otherwise:", "otherwhise:", 4, "not allowed"),
    ],
)
def test_a_broken_file_is_told_with_line_and_reason(
    pack: Path, name: str, old: str, new: str, line: int, words: str
) -> None:
    path = pack / name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    error = error_of(pack)
    assert (error.path, error.line) == (path, line)
    assert words in str(error)


@pytest.mark.parametrize("name", ["rubric.yaml", "evidence.yaml"])
def test_a_missing_file_is_told(pack: Path, name: str) -> None:
    (pack / name).unlink()
    assert "missing" in str(error_of(pack))


def test_every_fault_of_a_pack_is_named_at_once(pack: Path) -> None:
    (pack / "boss.yaml").write_text("boss_id: straw\ntitel: Straw\nmetadata: {tier: 9}\n")
    (pack / "rubric.yaml").unlink()
    shutil.rmtree(pack / "trials")
    said = command_line.run("rubric", pack)
    assert said.returncode == 2
    lines = said.stderr.removeprefix("evalforge: ").splitlines()
    places = [line.partition(": ")[0].removeprefix(f"{pack}/") for line in lines]
    assert places == ["boss.yaml:1", "boss.yaml:3", "rubric.yaml", "trials"]


def test_a_pack_without_trials_is_refused(pack: Path) -> None:
    shutil.rmtree(pack / "trials")
    assert "at least one trial" in str(error_of(pack))


def test_aliases_of_aliases_are_refused_before_they_grow(pack: Path) -> None:
    rows = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30))]
    (pack / "rubric.yaml").write_text("\n".join(rows))
    assert "aliases (*) are not allowed" in str(error_of(pack))


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b"a: &a [*a]", b"- " * 5000, b"{" * 5000, b"? !!python/name:os.system"]
)
def test_hostile_yaml_is_an_error_like_any_other(pack: Path, content: bytes) -> None:
    (pack / "rubric.yaml").write_bytes(content)
    assert error_of(pack).path == pack / "rubric.yaml"


def test_a_rubric_written_as_json_loads_unchanged(pack: Path) -> None:
    rubric = {
        "rubric_id": "r",
        "overall": {"pass_threshold": 1e0, "max_score": 1, "strict": True},
        "criteria": [
            {
                "id": "works",
                "label": "Works\tor é🔥 /",
                "extra": [1],
                "levels": [{"score": s, "label": "l", "description": "d"} for s in (0, 1)],
            }
        ],
    }
    (pack / "rubric.yaml").unlink()
    (pack / "rubric.json").write_text(json.dumps(rubric, indent="\t"))
    loaded = load_pack(pack).rubric
    assert loaded.criteria[0].label == rubric["criteria"][0]["label"]
    assert loaded.model_dump(mode="json", exclude_unset=True)["criteria"][0]["extra"] == [1]
    assert loaded.overall.model_extra == {"strict": True}


def test_a_broken_pack_is_listed_as_broken_and_the_others_stand(pack: Path, bosses: Path) -> None:
    (pack / "boss.yaml").write_text("boss_id: [\n")
    found = find_bosses((pack.parent, bosses))
    broken = [boss for boss in found if boss.error]
    assert [boss.slug for boss in broken] == ["straw"]
    assert "boss.yaml" in broken[0].error
    assert len(found) >= 4


def test_the_earlier_folder_wins(pack: Path, tmp_path: Path) -> None:
    other = shutil.copytree(pack, tmp_path / "other" / "straw")
    assert find_pack("straw", (other.parent, pack.parent)).path == other


def test_an_unknown_boss_names_those_that_are_there(pack: Path) -> None:
    with pytest.raises(UsageError, match="Bosses: straw"):
        find_pack("dragon", (pack.parent,))


def test_lines_are_known_for_every_place(pack: Path) -> None:
    document = read_document(pack / "rubric.yaml")
    assert document.line_of(("criteria", 0, "levels", 1, "score")) == 9
    assert document.line_of(("overall", "nothing")) == 2
