"""What the README and the docs tell readers to type works, and what they link to is there."""

import importlib
import os
import re
import shlex
import shutil
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from docs.builder.__main__ import stage
from docs.builder.man_page import man_page
from docs.builder.reference import FOLDER, reference_pages, subcommands
from evalforge.cli.exit_status import ExitStatus
from evalforge.cli.formats import FORMATS
from evalforge.cli.help_pages import COMMANDS
from evalforge.cli.parser import command_line
from evalforge.cli.setting_names import SETTINGS
from evalforge.packs.fact_catalogue import CATALOGUE
from tests.command_line import run_in
from tests.conftest import REPOSITORY
from tests.document_links import dead_links, markdown_files

README = (REPOSITORY / "README.md").read_text("utf-8")
DOCUMENTS = (REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md")))
_BLOCK = re.compile(r"^ *```(?:sh|bash|console)?\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"""(?:\]\(|(?:src|srcset|href)=")([^)#"\s]+)""")

NOT_RUN = {
    r"evalforge( --bosses \S+)?$|--screen|evalforge (tour|stage|serve)\b|evalforge lab \S+$": "needs a terminal",
    r"--grading points\.yaml": "a grading scale of the reader's own",
    r"https://example\.org": "a repository of somebody's",
    r"evalforge watch": "goes on until Ctrl+C",
    r"evalforge mcp\b": "serves until its client leaves",
    r"--model|--judge|judge furnace-controller my-furnace$|evalforge evaluate|lab .* --compare": "asks a model",
    r"\bk3m9w2ab\b|:c\d|spec-1|\bID\b|--saved": "an id of somebody's",
    r"evalforge lint( toll-gate PATH| --(clauses|words) (toll-gate|PACK))": "packs of the reader's own",
    r"evalforge (check|calibrate)\b": "the tier judging checks and calibrates packs",
    r"roman-clerk": "files of the page, with which cli/test_worked_boss.py types these commands",
    r"--engine dask": "needs a cluster",
    r"export\.zip|--(canvas|moodle|blackboard|brightspace)": "an export of somebody's course",
}
"""Commands that only their form is checked of, and why."""


def commands(document: Path) -> list[str]:
    """Every line of a document's shell blocks that starts one of our commands, without its remark."""
    lines = (line.strip() for block in _BLOCK.findall(document.read_text("utf-8")) for line in block.splitlines())
    return [shlex.join(shlex.split(line, comments=True)) for line in lines if re.match(r"(evalforge|make|cd)\b", line)]


ALL = [(document.relative_to(REPOSITORY).as_posix(), line) for document in DOCUMENTS for line in commands(document)]


@pytest.fixture(scope="module")
def parser() -> ArgumentParser:
    """The parser of the whole command line, which takes longer to build than to use."""
    return command_line()


@pytest.mark.parametrize(("document", "line"), ALL)
def test_every_command_is_one_the_program_knows(document: str, line: str, parser: ArgumentParser) -> None:
    program, *words = shlex.split(line)
    if program == "make":
        makefile = (REPOSITORY / "Makefile").read_text("utf-8")
        assert all(f"\n{word}:" in makefile for word in words if "=" not in word), document
    elif program == "evalforge":
        parser.parse_args(words)


RUBRICS = {
    path.parent.name: {criterion["id"] for criterion in yaml.safe_load(path.read_text("utf-8"))["criteria"]}
    for path in sorted((REPOSITORY / "bosses").glob("*/rubric.yaml"))
}


def test_commands_name_criteria_of_the_page_s_boss() -> None:
    wrong: list[tuple[str, str]] = []
    for document in sorted({document for document, _ in ALL}):
        boss = ""
        for line in (line for each, line in ALL if each == document):
            words = shlex.split(line)
            boss = next((word for word in words if word in RUBRICS), boss)
            if words[:2] == ["evalforge", "override"] and words[3] not in RUBRICS[boss]:
                wrong.append((document, line))
    assert wrong == []


def test_examples_in_the_help_name_criteria_there_are() -> None:
    criteria = {shlex.split(example)[2] for example in COMMANDS["override"].examples}
    assert criteria <= set().union(*RUBRICS.values())


@pytest.fixture
def home(own_home: Path) -> Iterator[Path]:
    """A reader's home: a solution, a class of two, and nothing else."""
    solution = REPOSITORY / "bosses" / "furnace-controller" / "exemplars" / "borderline"
    for place in ("ada", "submissions/ann", "submissions/bob", "hand-ins/ann"):
        shutil.copytree(solution, own_home / place, ignore=shutil.ignore_patterns("gold.yaml"))
    return own_home


@pytest.mark.judging
@pytest.mark.usefixtures("warm_engine")
@pytest.mark.parametrize("document", sorted({document for document, _ in ALL}))
def test_commands_run_in_the_order_of_the_page(document: str, home: Path) -> None:
    here = home
    for line in (line for each, line in ALL if each == document):
        program, *words = (os.path.expanduser(word) for word in shlex.split(line))  # noqa: PTH111 - as a shell does
        if program == "cd":
            here = here / words[0]
        elif program == "evalforge" and not any(re.search(pattern, line) for pattern in NOT_RUN):
            ended = run_in(here, *words)
            assert ended.returncode in (ExitStatus.SUCCESS, ExitStatus.NOT_PASSED), (line, ended.stderr)


def blocks(document: Path, kind: str) -> list[str]:
    """The texts of a document's blocks of a kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```", document.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def missing_lines(quoted: str, printed: str) -> list[str]:
    """The quoted lines that a command did not print, in this order."""
    rest = iter(printed.splitlines())
    return [line for line in quoted.splitlines() if line not in rest]


@pytest.mark.judging
@pytest.mark.usefixtures("warm_engine")
def test_the_first_win_prints_what_is_quoted(home: Path) -> None:
    tutorial = REPOSITORY / "docs" / "tutorial" / "first-fight.md"
    run_in(home, "new", "training-dummy")
    folder = home / "training-dummy"
    lost, won, riddles = blocks(tutorial, "text")
    assert missing_lines(lost, run_in(folder, "judge", "--plain").stdout) == []

    program = (folder / "dummy.py").read_text("utf-8")
    *edits, suite = blocks(tutorial, "python")
    for number, line in enumerate(edits, 1):
        program = re.sub(rf"( +# EDIT {number}:.*\n).*\n", lambda found, line=line: found[1] + line, program)
    (folder / "dummy.py").write_text(program, "utf-8")
    judged = run_in(folder, "judge", "--plain").stdout
    assert missing_lines(won, judged) == []
    quoted, _ = blocks(REPOSITORY / "README.md", "text")
    assert missing_lines(quoted, judged) == []
    told = quoted.splitlines()
    assert [line for line in judged.splitlines() if line in told] == told

    (folder / "test_dummy.py").write_text(suite, "utf-8")
    missed = run_in(folder, "impostors", "--plain").stdout
    assert missing_lines(riddles, missed) == []
    assert "7 of 39 impostors" in missed
    assert "7 of 39 impostors" in tutorial.read_text("utf-8")
    assert riddles in README


PACKS = [yaml.safe_load(path.read_text("utf-8")) for path in sorted((REPOSITORY / "bosses").glob("*/boss.yaml"))]


def test_the_readme_counts_right() -> None:
    assert (len(PACKS), len({pack["metadata"]["tier"] for pack in PACKS})) == (12, 4)
    assert "Twelve bosses in four tiers" in README


def test_the_readme_fits_a_few_screens() -> None:
    assert README.count("\n") < 120


def test_the_readme_lists_every_boss_with_its_tier_and_skills() -> None:
    rows = {
        title: (int(tier), skills)
        for title, tier, skills in re.findall(r"\| (.+) \| (\d) \| [\d½]+ \| (.+) \|", README)
    }
    assert rows.keys() == {pack["title"] for pack in PACKS}
    for pack in PACKS:
        tier, skills = rows[pack["title"]]
        assert tier == pack["metadata"]["tier"]
        assert set(skills.split(", ")) <= set(pack["metadata"]["skills"]), pack["title"]


def test_the_recording_is_small_and_needs_nothing_else() -> None:
    text = (REPOSITORY / "assets" / "screenshots" / "fight-replay.svg").read_text("utf-8")
    assert len(text) < 1_000_000
    assert "<animate " in text
    assert "DEFEATED" in text
    assert set(re.findall(r"(?:href|src)=.([^\"']*)|url\(([^)]*)\)", text)) <= {
        ("", f"#{name}") for name in re.findall(r'id="(\w+)"', text)
    }


def test_a_release_s_readme_leads_to_its_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVALFORGE_REPOSITORY", "https://example.org/me/evalforge")
    monkeypatch.setenv("EVALFORGE_REF", "v1")
    core = pytest.importorskip("hatchling.metadata.core", reason="hatchling is in the group dev: run make")
    plugins = importlib.import_module("hatchling.plugin.manager")
    metadata = core.ProjectMetadata(str(REPOSITORY), plugins.PluginManager()).core
    assert metadata.urls["Source"] == "https://example.org/me/evalforge"
    links = _LINK.findall(re.sub(r"```.*?```", "", metadata.readme, flags=re.DOTALL))
    assert len(links) > 20
    assert [link for link in links if not link.startswith("https://example.org/me/evalforge/")] == []
    assert "https://example.org/me/evalforge/raw/v1/assets/screenshots/fight-replay.svg" in links


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of the site."""
    folder = tmp_path_factory.mktemp("site")
    stage(folder)
    return folder


def test_every_link_of_the_checkout_leads_somewhere() -> None:
    pages = sorted(markdown_files(REPOSITORY))
    assert {*DOCUMENTS, REPOSITORY / ".github" / "SECURITY.md", REPOSITORY / "CONTRIBUTING.md"} <= set(pages)
    dead = {page.relative_to(REPOSITORY).as_posix(): dead_links(page) for page in pages}
    assert {name: links for name, links in dead.items() if links} == {}


def test_every_link_of_the_site_leads_somewhere(site: Path) -> None:
    dead = {page.relative_to(site).as_posix(): dead_links(page) for page in site.rglob("*.md")}
    assert {name: links for name, links in dead.items() if links} == {}


def test_dead_links_and_anchors_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# One `two`: three!\n\n## Same\n\n## Same\n\n```sh\n# no heading\n```\n")
    fine = "[a](other.md#one-two-three) [b](other.md#same-1) [c](#here) [d](https://example.org/x#y) `[e](no.md)`\n"
    dead = '[a](other.md#no-heading) [`b`](#gone) ![c](gone.png) <img src="gone.svg">\n\n[d]: gone.md\n'
    page = tmp_path / "page.md"
    page.write_text(f"# Here\n\n{fine}\n{dead}\n```\n[e](gone.md)\n```\n")
    assert dead_links(page) == ["other.md#no-heading", "#gone", "gone.png", "gone.svg", "gone.md"]


def test_every_page_is_in_the_menu(site: Path) -> None:
    menu = (REPOSITORY / "docs" / "builder" / "zensical.toml").read_text("utf-8")
    pages = {page.relative_to(site).as_posix() for page in site.rglob("*.md")}
    assert {page for page in pages if f'"{page}"' not in menu} == set()


def test_the_manual_page_has_every_command_and_no_stray_macro() -> None:
    page = man_page()
    names = [name.replace("-", r"\-") for name in subcommands(command_line())]
    assert [name for name in names if f".SS {name}\n" not in page] == []
    macros = {line.split()[0] for line in page.splitlines() if line.startswith((".", "'"))}
    assert macros == {".TH", ".SH", ".SS", ".B", ".TP", ".PP"}


def test_reference_pages_leave_nothing_out() -> None:
    for page, names in {
        "commands": [f"## {name}\n" for name in subcommands(command_line())],
        "configuration": [setting.variable for setting in SETTINGS],
        "formats": [f"## {name}\n" for name in FORMATS],
        "facts": [f"`{name}`" for name in CATALOGUE],
        "exit-statuses": [f"| {status.value} |" for status in ExitStatus],
    }.items():
        text = (FOLDER / f"{page}.md").read_text("utf-8")
        assert [name for name in names if name not in text] == []


def test_reference_pages_are_what_the_code_says() -> None:
    old = [name for name, text in reference_pages().items() if text != (FOLDER / name).read_text("utf-8")]
    assert old == [], "`make reference` writes these pages anew"
