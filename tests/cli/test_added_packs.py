"""``evalforge add``: packs from elsewhere are pinned, linted, and not run before they are trusted."""

import bz2
import io
import json
import lzma
import os
import shutil
import stat
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from evalforge.packs.locations import added_packs_folder
from tests.command_line import run, run_in
from tests.conftest import REPOSITORY


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A small sound pack of somebody's, which leaves a mark wherever its trials are imported."""
    assert run("new-boss", "straw-golem", tmp_path / "theirs").returncode == 0
    folder = tmp_path / "theirs" / "straw-golem"
    trial = next(folder.glob("trials/test_*.py"))
    trial.write_text(f"{trial.read_text()}\n\nopen({str(tmp_path / 'mark')!r}, 'w').close()\n")
    return folder


@pytest.fixture
def repository(pack: Path) -> Path:
    """A repository with the pack at a tag, and a branch of its own."""
    place = pack.parent
    for command in (
        ["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "One"], ["tag", "v1"], ["branch", "next"],
    ):  # fmt: skip
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b", *command], cwd=place, check=True)
    return place


def slugs() -> set[str]:
    return {boss["id"] if "id" in boss else boss["boss_id"] for boss in json.loads(run("bosses", "--json").stdout)}


def archived(pack: Path, ending: str) -> Path:
    base = pack.parent.parent / "packed"
    kind = {".zip": "zip", ".tar.gz": "gztar"}[ending]
    return Path(shutil.make_archive(str(base), kind, pack.parent))


@pytest.mark.parametrize("ending", ["", ".zip", ".tar.gz"])
def test_it_is_fought_only_once_it_is_trusted(pack: Path, ending: str, tmp_path: Path) -> None:
    source = archived(pack, ending) if ending else pack
    added = run("add", source)
    assert added.returncode == 0, added.stderr
    assert "straw-golem" not in slugs()
    ended = run("judge", "straw-golem", pack / "starter")
    assert (ended.returncode, "There is no boss" in ended.stderr) == (2, True)
    assert not (tmp_path / "mark").exists()
    assert "not trusted yet" in run("packs").stdout
    assert run("packs", "trust", "straw-golem").returncode == 0
    assert "straw-golem" in slugs()
    assert run("packs", "remove", "straw-golem").returncode == 0
    assert "straw-golem" not in slugs()
    assert "No packs added" in run("packs").stdout


def test_a_tag_is_pinned_to_its_commit(repository: Path) -> None:
    address = f"file://{repository}"
    assert run("add", address, "--tag", "v1", "--trust").returncode == 0
    head = subprocess.run(["git", "rev-parse", "v1"], cwd=repository, capture_output=True, text=True, check=True).stdout
    [listed] = json.loads(run("packs", "--json").stdout)
    assert (listed["commit"], listed["tag"], listed["is_trusted"]) == (head.strip(), "v1", True)
    assert not (added_packs_folder() / "straw-golem" / ".git").exists()
    for tag, words in (
        ("", "added at a tag"),
        ("next", "has no tag next"),
        ("v9", "v9 not found"),
        ("--x", "is not a valid tag"),
    ):
        ended = run("add", address, f"--tag={tag}")
        assert (ended.returncode, words in ended.stderr) == (2, True), ended.stderr


def test_another_content_loses_trust(pack: Path) -> None:
    run("add", pack, "--trust")
    assert "Nothing has changed" in run("packs", "update", "straw-golem").stdout
    assert "straw-golem" in slugs()
    (pack / "codex" / "lore.md").write_text("# Lore\n\n" + "Another straw golem stands here. " * 20)
    assert "Read the changes" in run("packs", "update", "straw-golem").stdout
    assert "straw-golem" not in slugs()
    (added_packs_folder() / "straw-golem" / "codex" / "lore.md").write_text("changed by hand")
    assert "changed since it was added" in run("packs").stdout
    assert run("packs", "trust", "straw-golem").returncode == 2


def test_what_is_not_sound_is_not_added(pack: Path, tmp_path: Path) -> None:
    rubric = pack / "rubric.yaml"
    sound = rubric.read_text()
    rubric.write_text(sound.replace("pass_threshold:", "pass_threshold: 99 #"))
    ended = run("add", pack)
    assert (ended.returncode, "straw-golem has problems. rubric.yaml" in ended.stderr) == (2, True), ended.stderr
    assert "No packs" in run("packs").stdout
    rubric.write_text(sound)
    empty = tmp_path / "empty"
    empty.mkdir()
    for source, words in (
        (empty, "contains no boss pack"), (tmp_path / "nowhere", "is not a git address"),
        (REPOSITORY / "bosses" / "training-dummy", "ships with EvalForge"),
        (REPOSITORY / "README.md", "nor an archive"),
    ):  # fmt: skip
        ended = run("add", source)
        assert (ended.returncode, words in ended.stderr) == (2, True), ended.stderr
    run("add", pack)
    moved = shutil.copytree(pack, tmp_path / "elsewhere" / "straw-golem")
    assert "was added from" in run("add", moved).stderr
    assert list(added_packs_folder().iterdir()) == [added_packs_folder() / "straw-golem"]


def _tar(folder: Path, *members: tarfile.TarInfo) -> Path:
    path = folder / "bad.tar"
    with tarfile.open(path, "w") as archive:
        for member in members:
            archive.addfile(member, io.BytesIO(b"x" * member.size))
    return path


def _member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "", size: int = 0) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, target, size
    return info


def test_hostile_archives_write_nothing(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    for name in ("../outside", "/outside", f"{outside}", "a/../../outside", "a\\..\\outside"):
        with zipfile.ZipFile(tmp_path / "bad.zip", "w") as archive:
            archive.writestr(name, "x")
        assert run("add", tmp_path / "bad.zip").returncode == 2, name
        assert run("add", _tar(tmp_path, _member(name, size=1))).returncode == 2, name
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
        assert "a link or a device" in run("add", _tar(tmp_path, _member("boss.yaml", kind, "/etc/passwd"))).stderr
    with zipfile.ZipFile(tmp_path / "link.zip", "w") as archive:
        info = zipfile.ZipInfo("boss.yaml")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    assert "a link or a device" in run("add", tmp_path / "link.zip").stderr
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("boss.yaml", bytes(70 * 1024 * 1024))
    assert "more than 64 MB" in run("add", tmp_path / "bomb.zip").stderr
    (tmp_path / "damaged.zip").write_bytes(b"PK\x03\x04nothing")
    with tarfile.open(tmp_path / "whole.tar", "w") as archive:
        archive.add(__file__, "boss.yaml")
    whole = (tmp_path / "whole.tar").read_bytes()
    for ending, packed in (("tar.xz", lzma.compress(whole)), ("tar.bz2", bz2.compress(whole))):
        middle = len(packed) // 2
        (tmp_path / f"damaged.{ending}").write_bytes(packed[:middle] + bytes(40) + packed[middle + 40 :])
    for ending in ("zip", "tar.xz", "tar.bz2"):
        refused = run("add", tmp_path / f"damaged.{ending}")
        assert refused.returncode == 2
        assert f"damaged.{ending} can't be " in refused.stderr
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / "boss.yaml").symlink_to("/etc/passwd")
    assert "a link or a device" in run("add", linked).stderr
    assert not outside.exists()
    assert list(added_packs_folder().rglob("*")) == []


@pytest.mark.parametrize("address", ["ext::sh -c 'touch mark'", "https://-x", "-u:x", "git@host:-x"])
def test_no_address_runs_a_program(address: str, tmp_path: Path) -> None:
    ended = run_in(tmp_path, "add", "--tag=v1", "--", address)
    assert ended.returncode == 2
    assert not (tmp_path / "mark").exists()


def test_a_repository_runs_nothing_of_its_own(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    template = tmp_path / "template" / "hooks"
    template.mkdir(parents=True)
    for hook in ("post-checkout", "reference-transaction"):
        script = template / hook
        script.write_text(f"#!/bin/sh\ntouch {tmp_path / 'mark'}\n")
        script.chmod(0o755)
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(template.parent))
    assert run("add", f"file://{repository}", "--tag", "v1").returncode == 0
    assert not (tmp_path / "mark").exists()
    assert not os.access(added_packs_folder() / "straw-golem" / "boss.yaml", os.X_OK)
