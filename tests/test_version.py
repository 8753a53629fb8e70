"""The version stands in one place, and the changelog begins with it."""

import tomllib

from evalforge import __version__
from tests.conftest import REPOSITORY


def test_the_project_reads_its_version_from_the_package() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
    assert "version" in project["project"]["dynamic"]
    assert __version__ in (REPOSITORY / project["tool"]["hatch"]["version"]["path"]).read_text("utf-8")


def test_the_newest_release_of_the_changelog_is_this_one() -> None:
    headings = [
        line for line in (REPOSITORY / "CHANGELOG.md").read_text("utf-8").splitlines() if line.startswith("## ")
    ]
    released = [heading for heading in headings if heading != "## Unreleased"]
    assert released[0].split()[1] == __version__
