"""What we say to install is right for the tool that made the environment, and never names the other project."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from evalforge.model import installation
from evalforge.model.installation import DISTRIBUTION, INDEX_RELEASE, install_command
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
        ("uv-receipt.toml", f"uv tool install --with 'textual-serve>=1.1.2' 'evalforge-game @ {REPOSITORY.as_uri()}'"),
    ],
)
def test_an_extra_is_installed_as_the_environment_wants_it(tmp_path: Path, marker: str, command: str) -> None:
    (tmp_path / marker).touch()
    assert install_command("serve", prefix=tmp_path, executable="/env/bin/python") == command


@pytest.mark.usefixtures("ours")
def test_what_uvx_runs_once_is_run_anew(tmp_path: Path) -> None:
    command = install_command("serve", prefix=tmp_path / "archive-v0" / "x")
    assert command == f"uvx --from 'evalforge-game[serve] @ {REPOSITORY.as_uri()}' evalforge"


@pytest.mark.parametrize(
    ("origin", "address"),
    [
        ('{"url": "file:///home/me/evalforge", "dir_info": {}}', "file:///home/me/evalforge"),
        ('{"url": "https://example.org/e.git", "vcs_info": {"vcs": "git"}}', "git+https://example.org/e.git"),
    ],
)
def test_uv_installs_again_from_where_it_came_from(ours: Path, tmp_path: Path, origin: str, address: str) -> None:
    (tmp_path / "uv-receipt.toml").touch()
    (next(ours.glob("*.dist-info")) / "direct_url.json").write_text(origin)
    assert install_command("serve", prefix=tmp_path).endswith(f" 'evalforge-game @ {address}'")


@pytest.mark.usefixtures("ours")
def test_what_the_index_has_is_installed_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "INDEX_RELEASE", "9.9")
    (tmp_path / "uv-receipt.toml").touch()
    assert install_command("serve", prefix=tmp_path).endswith(" evalforge-game")


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


def installations(text: str) -> list[str]:
    """What the commands of a text install or run from an index by name: without a path, an address, or ``@``."""
    commands = re.findall(
        r"\b(?:pip3?|pipx|uv tool|uv pip) (?:install|run)\b[^\n`]*|\buvx [^\n`]*|\buv add [^\n`]*"
        r"|additional_dependencies: *\[[^\n\]]*",
        text.replace("\\\n", " "),
    )
    words = (re.split(r"[\s'\"]+|: *\[|, ", re.sub(r"@ \S+", "@", command)) for command in commands)
    return [word for line in words for word in line if re.match(r"evalforge(-game)?(\W*$|\[|[=<>~$])", word)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("uvx evalforge-game", ["evalforge-game"]),
        ("pip install --quiet 'evalforge-game[dask]'", ["evalforge-game[dask]"]),
        ("pipx install evalforge", ["evalforge"]),
        ('pip install "evalforge-game${VERSION:+==$VERSION}"', ["evalforge-game${VERSION:+==$VERSION}"]),
        ("additional_dependencies: [evalforge-game==0.3.0]", ["evalforge-game==0.3.0"]),
        ("pipx install .", []),
        ("pip install git+https://example.org/evalforge.git", []),
        ("uvx --from 'evalforge-game[serve] @ file:///home/me' evalforge-hook", []),
    ],
)
def test_what_a_command_installs_is_found(text: str, found: list[str]) -> None:
    assert [word.removesuffix("@") for word in installations(text)] == found or not found


def test_nothing_is_installed_by_a_name_that_is_not_ours() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, text=True, check=True
    ).stdout
    kinds = {".md", ".py", ".j2", ".yml", ".yaml", ".toml", ".json", ".sh", ""}
    paths = [REPOSITORY / name for name in listed.split("\0") if name and Path(name).suffix in kinds]
    told = {
        path.relative_to(REPOSITORY).as_posix(): names
        for path in paths
        if path != Path(__file__) and path.exists() and (names := installations(path.read_text("utf-8", "replace")))
    }
    if INDEX_RELEASE:
        assert "README.md" in told, "a release is on the index, so the README may say so"
        assert {name for names in told.values() for name in names if not name.startswith(DISTRIBUTION)} == set()
    else:
        assert told == {}
