"""What we say to install is right for the tool that made the environment, and never names the other project."""

import sys
import tomllib
from pathlib import Path

import pytest

from evalforge.model.installation import DISTRIBUTION, install_command
from tests.command_line import run
from tests.conftest import REPOSITORY

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]


def distribution(folder: Path, name: str, *, entry_point: str = "", requires: tuple[str, ...] = ()) -> None:
    """Put the metadata of an installed distribution into a folder of modules."""
    info = folder / f"{name.replace('-', '_')}-9.9.dist-info"
    info.mkdir(parents=True)
    needs = "".join(f"Requires-Dist: {line}\n" for line in requires)
    (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 9.9\n{needs}")
    if entry_point:
        (info / "entry_points.txt").write_text(f"[console_scripts]\nevalforge = {entry_point}\n")


@pytest.fixture
def ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of modules, searched first, in which we are installed."""
    modules = tmp_path / "modules"
    distribution(modules, DISTRIBUTION, requires=("textual-serve>=1.1.2; extra == 'serve'", "rich>=14"))
    monkeypatch.syspath_prepend(str(modules))
    return modules


def test_the_distribution_is_the_project_s() -> None:
    assert PROJECT["name"] == DISTRIBUTION
    assert PROJECT["scripts"][DISTRIBUTION] == PROJECT["scripts"]["evalforge"]  # for uvx


@pytest.mark.usefixtures("ours")
@pytest.mark.parametrize(
    ("marker", "command"),
    [
        ("pyvenv.cfg", "/env/bin/python -m pip install 'textual-serve>=1.1.2'"),
        ("pipx_metadata.json", "pipx inject evalforge-game 'textual-serve>=1.1.2'"),
        ("uv-receipt.toml", "uv tool install --with 'textual-serve>=1.1.2' evalforge-game"),
    ],
)
def test_an_extra_is_installed_as_the_environment_wants_it(tmp_path: Path, marker: str, command: str) -> None:
    (tmp_path / marker).touch()
    assert install_command("serve", prefix=tmp_path, executable="/env/bin/python") == command


@pytest.mark.usefixtures("ours")
def test_what_uvx_runs_once_is_run_anew(tmp_path: Path) -> None:
    assert (
        install_command("serve", prefix=tmp_path / "archive-v0" / "x") == "uvx --from 'evalforge-game[serve]' evalforge"
    )


def test_uv_installs_again_from_where_it_came_from(ours: Path, tmp_path: Path) -> None:
    (tmp_path / "uv-receipt.toml").touch()
    info = next(ours.glob("*.dist-info"))
    (info / "direct_url.json").write_text('{"url": "file:///home/me/evalforge", "dir_info": {}}')
    assert install_command("serve", prefix=tmp_path).endswith(" file:///home/me/evalforge")


@pytest.mark.usefixtures("ours")
def test_serve_without_its_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "evalforge.cli.commands.web_server", raising=False)
    monkeypatch.setitem(sys.modules, "textual_serve.server", None)
    ended = run("serve")
    assert ended.returncode == 2
    assert install_command("serve") in ended.stderr
    assert "'evalforge[" not in ended.stderr


def test_doctor_notices_the_other_project(ours: Path) -> None:
    assert "packages" not in run("doctor").stdout
    distribution(ours, "evalforge", entry_point="evalforge.cli:app")
    ended = run("doctor")
    assert ended.returncode == 0
    text = " ".join(ended.stdout.split())
    assert "note packages another project called evalforge (9.9)" in text
    assert "pip uninstall evalforge" in text


def test_no_document_installs_the_other_project() -> None:
    for path in (
        REPOSITORY / "README.md",
        *(REPOSITORY / "docs").rglob("*.md"),
        *(REPOSITORY / ".github").rglob("*.yml"),
    ):
        text = path.read_text("utf-8")
        assert "evalforge[" not in text, path
        assert "install evalforge " not in text.replace("\n", " "), path
