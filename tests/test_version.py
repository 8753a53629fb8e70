"""The version stands in two places, which agree, and the changelog begins with it."""

import tomllib

from evalforge import __version__
from tests.conftest import REPOSITORY


def test_the_package_and_the_project_have_one_version() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == __version__


def test_the_changelog_begins_with_this_version() -> None:
    headings = [
        line for line in (REPOSITORY / "CHANGELOG.md").read_text("utf-8").splitlines() if line.startswith("## ")
    ]
    assert headings[0].split()[1] == __version__
