"""What is left of the sample in a boss that has a contract of its own is a problem, by file and line."""

import re
import shutil
from pathlib import Path

import pytest

from evalforge.packs.issue import Issue
from evalforge.packs.lint.lint import lint
from evalforge.packs.new_folders import create_pack
from evalforge.packs.skeleton import Skeleton, SkeletonKind
from tests.command_line import run

KINDS = [(kind, criteria) for kind in ("cli", "library") for criteria in (3, 4, 5)]
OWN_CONTRACT = """\
  contract: |
    python subnet.py NETWORK

    Prints the first and the last address of an IPv4 network such as 10.0.0.0/24, one on each line.

    What is no network is refused: exit status 2 and a message on standard error.
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A new pack whose contract is its author's own."""
    made = create_pack("subnet", tmp_path, Skeleton("subnet", entry="subnet.py"))
    boss = made / "boss.yaml"
    text = boss.read_text("utf-8")
    boss.write_text(re.sub(r"  contract: \|\n.*?(?=  sprite:)", OWN_CONTRACT, text, flags=re.DOTALL), "utf-8")
    return made


def left_in(pack: Path) -> dict[str, Issue]:
    words = ("still the sample's", "of the sample left")
    issues = [issue for issue in lint(pack) if any(each in issue.message for each in words)]
    return {issue.path.relative_to(pack).as_posix(): issue for issue in issues}


@pytest.mark.parametrize(("kind", "criteria"), KINDS)
def test_each_kind_of_new_boss_lints_clean(tmp_path: Path, kind: str, criteria: int) -> None:
    shape = ("--kind", kind, "--criteria", str(criteria), "--entry", "subnet.py")
    assert run("new-boss", "toll-gate", tmp_path, *shape).returncode == 0
    assert [issue.message for issue in lint(tmp_path / "toll-gate") if issue.is_problem] == []
    assert (tmp_path / "toll-gate/starter/subnet.py").is_file()
    assert "{{" not in "".join(path.read_text("utf-8") for path in tmp_path.rglob("*.*") if path.is_file())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--criteria", "2"), "a new boss has 3 to 5"),
        (("--criteria", "9"), "a new boss has 3 to 5"),
        (("--entry", "json.py"), "can't import a file of that name"),
        (("--entry", "src/subnet.py"), "can't import a file of that name"),
        (("--entry", "subnet"), "can't import a file of that name"),
        (("--entry", "test_subnet.py"), "can't import a file of that name"),
    ],
)
def test_what_no_boss_can_be_made_from_is_refused(tmp_path: Path, options: tuple[str, str], words: str) -> None:
    ended = run("new-boss", "toll-gate", tmp_path, *options)
    assert (ended.returncode, words in ended.stderr) == (2, True), ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_left_over_while_the_contract_is_the_samples(tmp_path: Path) -> None:
    assert left_in(create_pack("subnet", tmp_path)) == {}


def test_everything_of_the_sample_is_named_by_file_and_line(pack: Path) -> None:
    left = left_in(pack)
    texts = {"boss.yaml", "rubric.yaml", "evidence.yaml", "impostors/impostors.yaml", "starter/README.md"}
    codex = {f"codex/{name}" for name in ("lore.md", "attacks.md", "strategy.md", "hints.yaml")}
    trials = {"trials/test_counting.py", "trials/test_refusals.py"}
    programs = {path.relative_to(pack).as_posix() for path in pack.glob("exemplars/*/subnet.py")}
    programs |= {"starter/subnet.py", "impostors/heap/subnet.py"}
    assert texts - {"starter/README.md"} | codex | trials | programs <= left.keys()
    assert all(issue.line and issue.is_problem for issue in left.values())
    lore = (pack / "codex/lore.md").read_text("utf-8").splitlines()
    assert lore[(left["codex/lore.md"].line or 0) - 1] in left["codex/lore.md"].message.replace('"', "'")
    assert "lines of this file are still the sample's" in left["codex/lore.md"].message


def test_what_suits_any_boss_may_stay(pack: Path) -> None:
    rubric = pack / "rubric.yaml"
    text = rubric.read_text("utf-8")
    start, rest = text.index("  - id: counts_right"), text.index("  - id: parts")
    rubric.write_text(text[:start] + text[rest:], "utf-8")
    (pack / "codex/lore.md").write_text("It knows where every address begins and ends. " * 5, "utf-8")
    shutil.rmtree(pack / "impostors")
    left = left_in(pack)
    assert left.keys().isdisjoint({"rubric.yaml", "codex/lore.md", "impostors/impostors.yaml"})


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("A few positive numbers come out wrong.", "{totals} come out wrong.", "nothing fills in {totals}"),
        ("Read the numbers into a list", "Read {numbers} into a list", "nothing fills in {numbers}"),
        ("A few numbers give the right", "{count} numbers give the right", "nothing fills in {count}"),
    ],
)
def test_a_placeholder_that_nothing_fills_in_is_a_problem(tmp_path: Path, old: str, new: str, words: str) -> None:
    made = create_pack("subnet", tmp_path)
    path = made / "evidence.yaml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    (issue,) = [issue for issue in lint(made) if words in issue.message]
    assert (issue.path, issue.line is not None, issue.is_problem) == (path, True, True)


def test_a_library_is_its_own_kind_of_sample(tmp_path: Path) -> None:
    made = create_pack("subnet", tmp_path, Skeleton("subnet", SkeletonKind.LIBRARY))
    boss = made / "boss.yaml"
    text = boss.read_text("utf-8")
    own = OWN_CONTRACT.replace("python subnet.py NETWORK", "from subnet import bounds")
    boss.write_text(re.sub(r"  contract: \|\n.*?(?=  sprite:)", own, text, flags=re.DOTALL), "utf-8")
    assert "exemplars/flawless/subnet.py" in left_in(made)
