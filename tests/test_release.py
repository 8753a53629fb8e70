"""What a release is made of: its notes, workflows in their published schemas, dependencies and their versions."""

import ast
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from docs.builder.release_notes import release_notes
from evalforge import __version__
from evalforge.cli.parser import command_line
from tests.command_line import run
from tests.conftest import REPOSITORY

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
RUNTIME = [*PROJECT["project"]["dependencies"], *chain.from_iterable(EXTRAS.values())]
GROUPS = [*chain.from_iterable(PROJECT["dependency-groups"].values()), *PROJECT["build-system"]["requires"]]
OTHER_CODE = (
    "tests/attacks/",
    "tests/blind/",
    "tests/fixtures/",
    "benchmarks/subject",
    "tests/calibration/make_reference.py",
)
"""Submissions, and a script for whose needs its docstring speaks."""


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


WORKFLOWS = sorted((REPOSITORY / ".github" / "workflows").glob("*.yml"))
_SCRIPT = re.compile(r"(?:run|command): +(?!\|)([^,}\n]+)|run: \|\n((?: {10,}.*\n)+)")


def workflow_commands(*programs: str) -> Iterator[list[str]]:
    """The words of every command of the workflows that runs one of these programs, up to a pipe or an alternative."""
    for path in WORKFLOWS:
        for line in chain.from_iterable(
            "".join(found).splitlines() for found in _SCRIPT.findall(path.read_text("utf-8"))
        ):
            words = shlex.split(re.split(r" (?:\||\|\||&&) ", line)[0])
            if words and Path(words[0]).name in programs:
                yield words


def test_workflows_run_commands_there_are() -> None:
    parser = command_line()
    commands = [words[1:] for words in workflow_commands("evalforge") if words[1:] != ["--version"]]
    assert len(commands) >= 7
    for words in commands:
        parser.parse_args(words)
    makefile = (REPOSITORY / "Makefile").read_text("utf-8")
    targets = {words[1] for words in workflow_commands("make")}
    assert targets >= {"tier", "test", "fuzz"}
    assert {target for target in targets if f"\n{target}:" not in makefile} == set()


def test_the_listing_has_what_the_workflow_looks_for() -> None:
    [(_, _, wanted, _)] = workflow_commands("grep")
    assert wanted in run("bosses").stdout


def distribution_name(requirement: str) -> str:
    return canonicalize_name(Requirement(requirement).name)


@pytest.mark.parametrize(
    ("file", "requirements"),
    [("pinned.txt", [*RUNTIME, *PROJECT["dependency-groups"]["dev"]]), ("lowest.txt", RUNTIME)],
)
def test_constraints_are_exact_versions_that_are_allowed(file: str, requirements: list[str]) -> None:
    text = (REPOSITORY / ".ci" / "requirements" / file).read_text("utf-8")
    lines = re.findall(r"^([\w.-]+)==([\w.+!]+)(?: ; .+)?$", text, re.MULTILINE)
    assert len(lines) == len(text.splitlines())
    versions = {canonicalize_name(name): version for name, version in lines}
    for requirement in map(Requirement, requirements):
        version = versions[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{requirement}, but {version} in {file}: make lock"


def imported_modules(*folders: str) -> Iterator[tuple[str, str]]:
    """The first name of every module imported from elsewhere, with the file that imports it."""
    files = (path for folder in folders for path in sorted((REPOSITORY / folder).rglob("*.py")))
    local_names = {path.stem for path in REPOSITORY.glob("tests/**/*.py")} | {"shop"}  # a player's module in a test
    local_names |= {path.name for pattern in ("*", "evalforge/sandbox/host/*") for path in REPOSITORY.glob(pattern)}
    for path in files:
        name = path.relative_to(REPOSITORY).as_posix()
        if name.startswith(OTHER_CODE):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            modules: list[str] = []
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                modules = [node.module]
            for module in {module.partition(".")[0] for module in modules} - sys.stdlib_module_names - local_names:
                yield module, name


@pytest.mark.parametrize(
    ("folders", "requirements"),
    [(("evalforge",), RUNTIME), (("tests", "benchmarks", "docs/builder", ".ci"), [*RUNTIME, *GROUPS])],
    ids=["program", "tools"],
)
def test_every_imported_distribution_is_declared(folders: tuple[str, ...], requirements: list[str]) -> None:
    declared = {distribution_name(requirement) for requirement in requirements}
    distributions = packages_distributions()
    undeclared = {
        (module, file)
        for module, file in imported_modules(*folders)
        if not declared & {canonicalize_name(name) for name in distributions.get(module, [module])}
    }
    assert undeclared == set()


def test_the_sdist_has_what_a_build_needs_and_no_tests() -> None:
    sdist = pytest.importorskip("hatchling.builders.sdist", reason="hatchling is in the group dev: run make")
    files = {each.distribution_path for each in sdist.SdistBuilder(str(REPOSITORY)).recurse_included_files()}
    hooks = PROJECT["tool"]["hatch"]
    paths = {
        hooks["metadata"]["hooks"]["custom"]["path"],
        hooks["build"]["targets"]["wheel"]["hooks"]["custom"]["path"],
    }
    assert files >= {*paths, "README.md", "LICENSE", ".github/SECURITY.md", "docs/reference/commands.md"}
    assert {file for file in files if file.startswith(("tests/", "benchmarks/", "docs/builder/", "build/", "."))} == {
        *paths,
        ".github/SECURITY.md",
    }


def test_containers_install_nothing_by_address() -> None:
    for name in (".devcontainer/Dockerfile", ".devcontainer/devcontainer.json"):
        assert "://" not in Path(REPOSITORY / name).read_text("utf-8")
