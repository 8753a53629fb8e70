"""What a release is made of: its notes, workflows in their published schemas, and a lock that fits the project."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from docsite.release_notes import release_notes
from evalforge import __version__
from tests.conftest import REPOSITORY

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
LOCK = (REPOSITORY / "requirements" / "dev.txt").read_text("utf-8")
PINS = {
    name.replace("_", "-").lower(): version for name, version in re.findall(r"^([\w.-]+)==(\S+)", LOCK, re.MULTILINE)
}


def test_the_changelog_has_notes_for_this_version() -> None:
    notes = release_notes(__version__)
    assert len(notes) > 200
    assert "\n## " not in notes
    with pytest.raises(ValueError, match=r"nothing about 0\.2$"):
        release_notes("0.2")


@pytest.mark.parametrize(
    ("schema", "pattern"),
    [
        ("vendor.github-workflows", ".github/workflows/*.yml"),
        ("vendor.dependabot", ".github/dependabot.yml"),
        ("vendor.github-actions", "action.yml"),
    ],
)
def test_files_for_services_meet_their_published_schemas(schema: str, pattern: str) -> None:
    pytest.importorskip("check_jsonschema", reason="check-jsonschema is in the group dev: run make")
    files = sorted(str(path) for path in REPOSITORY.glob(pattern))
    assert files
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *files]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 0, ended.stdout


def test_the_lock_has_hashes_and_no_addresses() -> None:
    asked = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]]
    for requirement in map(Requirement, asked):
        version = PINS.get(requirement.name.replace("_", "-").lower())
        assert version is not None, f"{requirement.name}: make lock"
        assert requirement.specifier.contains(version), f"{requirement}, locked at {version}: make lock"
    assert "://" not in LOCK
    assert LOCK.count("==") <= LOCK.count("--hash=sha256:")


def test_containers_install_nothing_by_address() -> None:
    for name in ("Dockerfile", ".devcontainer/devcontainer.json"):
        assert "://" not in Path(REPOSITORY / name).read_text("utf-8")
