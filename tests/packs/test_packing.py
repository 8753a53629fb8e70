"""A boss as a zip: students can list, open and begin it, and are told who judges; colleagues get it whole."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from evalforge.packs.new_folders import create_pack
from tests.command_line import run


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return create_pack("toll-gate", tmp_path / "mine")


def names(zipped: Path) -> list[str]:
    with zipfile.ZipFile(zipped) as archive:
        return archive.namelist()


def packed(pack: Path, audience: str, name: str = "out.zip") -> Path:
    target = pack.parent.parent / name
    ended = run("pack", pack, "--for", audience, "-o", target)
    assert ended.returncode == 0, ended.stderr
    return target


def release(zipped: Path) -> dict[str, object]:
    with zipfile.ZipFile(zipped) as archive:
        return json.loads(archive.read("toll-gate/release.json"))


def test_students_get_nothing_that_judges(pack: Path) -> None:
    (pack / "trials/__pycache__").mkdir()
    (pack / "trials/__pycache__/test_counting.pyc").write_bytes(b"x")
    (pack / "rubric.yaml").write_text((pack / "rubric.yaml").read_text() + "# the trials draw from 1 to 999\n")
    zipped = packed(pack, "students")
    assert sorted(names(zipped)) == sorted(
        f"toll-gate/{name}"
        for name in (
            *("boss.yaml", "rubric.yaml", "release.json", "toll-gate.sprite", "starter/README.md"),
            *("starter/toll_gate.py", "codex/lore.md", "codex/attacks.md", "codex/strategy.md"),
        )
    )
    with zipfile.ZipFile(zipped) as archive:
        assert b"the trials draw" not in archive.read("toll-gate/rubric.yaml")
    assert packed(pack, "students", "again.zip").read_bytes() == zipped.read_bytes()


def test_a_students_boss_opens_but_judges_nobody(pack: Path, tmp_path: Path) -> None:
    zipped = packed(pack, "students")
    (listed,) = [line for line in run("bosses", "--bosses", zipped).stdout.splitlines() if "toll-gate" in line]
    assert "to be judged by your teacher" in listed
    for command in ("codex", "rubric"):
        whole = run(command, "toll-gate", "--bosses", pack.parent).stdout
        assert run(command, "toll-gate", "--bosses", zipped).stdout == whole
    assert run("new", "toll-gate", tmp_path / "work", "--bosses", zipped).returncode == 0
    fought = run("judge", "toll-gate", tmp_path / "work", "--bosses", zipped)
    assert fought.returncode == 3
    assert "to be judged by your teacher" in fought.stdout + fought.stderr
    hand_ins = tmp_path / "class"
    shutil.copytree(tmp_path / "work", hand_ins / "anna")
    ended = run("batch", "toll-gate", hand_ins, "--bosses", zipped)
    assert (ended.returncode, "to be judged by your teacher" in ended.stderr) == (2, True), ended.stderr


def test_colleagues_get_a_version_and_what_changed(pack: Path) -> None:
    first = packed(pack, "colleagues")
    assert release(first)["version"] == 1
    assert {"toll-gate/trials/test_counting.py", "toll-gate/exemplars/solid/gold.yaml"} <= set(names(first))
    assert packed(pack, "colleagues", "again.zip").read_bytes() == first.read_bytes()
    (pack / "codex/lore.md").write_text("Another story.\n")
    ended = run("pack", pack, "--for", "colleagues", "-o", pack.parent / "b.zip")
    assert "version 2" in ended.stdout
    assert "a submission gets the same level" in ended.stdout
    assert "codex/lore.md: changed" in ended.stdout
    (pack / "trials/helpers.py").write_text("ANSWER = 4\n")
    (pack / "codex/strategy.md").unlink()
    ended = run("pack", pack, "--for", "colleagues", "-o", pack.parent / "c.zip")
    assert "a submission may get another level" in ended.stdout
    assert release(pack.parent / "c.zip")["changes"] == ["codex/strategy.md: removed", "trials/helpers.py: new"]


def test_a_colleagues_zip_is_played_like_a_folder(pack: Path, tmp_path: Path) -> None:
    zipped = packed(pack, "colleagues")
    assert run("lint", "toll-gate", "--bosses", zipped).returncode == 0
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(zipped) as archive:
        archive.extractall(unpacked)
    (unpacked / "toll-gate/codex/lore.md").write_text("A colleague's story.\n")
    run("pack", unpacked / "toll-gate", "--for", "colleagues", "-o", tmp_path / "theirs.zip")
    assert release(tmp_path / "theirs.zip")["version"] == 2


def test_what_is_no_pack_or_no_zip_is_said(pack: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.zip").write_bytes(b"no zip")
    ended = run("bosses", "--bosses", tmp_path / "bad.zip")
    assert (ended.returncode, "isn't a zip file that can be opened" in ended.stderr) == (2, True)
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr("../../evil/boss.yaml", "boss_id: evil\n")
    ended = run("bosses", "--bosses", tmp_path / "evil.zip")
    assert (ended.returncode, "leads out of it" in ended.stderr) == (2, True)
    (pack / "evidence.yaml").write_text("counts_right: [\n")
    ended = run("pack", pack, "--for", "students", "-o", tmp_path / "x.zip")
    assert (ended.returncode, "evidence.yaml" in ended.stderr, (tmp_path / "x.zip").exists()) == (2, True, False)
    zipped = packed(create_pack("other-gate", tmp_path / "other"), "students", "students.zip")
    ended = run("pack", "other-gate", "--bosses", zipped, "--for", "colleagues", "-o", tmp_path / "y.zip")
    assert (ended.returncode, "to be judged by your teacher" in ended.stderr) == (2, True)
