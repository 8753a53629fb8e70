"""Lint: a sound pack is clean, and every way to spoil one is told with file and line."""

import re
import shutil
from pathlib import Path

import pytest

from evalforge.evidence.effects.caught_errors import CATCH_ALLS, INTERRUPTS
from evalforge.evidence.effects.deciding_functions import DECIDING, LINES
from evalforge.evidence.effects.shared_state import SHARED
from evalforge.evidence.static import read_code
from evalforge.evidence.suite.impostor_facts import unmeasured_impostor_facts
from evalforge.evidence.suite.mutant_facts import unmeasured_facts
from evalforge.model.evidence import Finding
from evalforge.packs.fact_catalogue import CATALOGUE, GONE_FACTS, FactKind
from evalforge.packs.issue import Issue
from evalforge.packs.lint.lint import lint
from evalforge.packs.new_folders import create_pack
from tests import factories
from tests.command_line import run
from tests.conftest import REPOSITORY


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return create_pack("toll-gate", tmp_path_factory.mktemp("sound"))


@pytest.fixture
def pack(sound: Path, tmp_path: Path) -> Path:
    return shutil.copytree(sound, tmp_path / "toll-gate")


def change(path: Path, old: str, new: str) -> int:
    """Replace the first occurrence; gives its line."""
    text = path.read_text("utf-8")
    assert old in text, f"{path.name} lacks {old!r}"
    path.write_text(text.replace(old, new, 1), "utf-8")
    return text[: text.index(old)].count("\n") + 1


def problems(pack: Path) -> list[Issue]:
    return [remark for remark in lint(pack) if remark.is_problem]


def told(pack: Path, name: str, words: str) -> Issue:
    """The one problem in this file that holds these words."""
    found = [r for r in problems(pack) if r.path == pack / name and words in r.message]
    assert len(found) == 1, problems(pack)
    return found[0]


def test_a_new_pack_is_clean(sound: Path) -> None:
    assert lint(sound) == ()


@pytest.mark.parametrize("name", ["training-dummy", "furnace-controller", "data-crucible"])
def test_shipped_packs_are_clean(name: str) -> None:
    assert problems(REPOSITORY / "bosses" / name) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("boss.yaml", 'boss_id: "toll-gate"', "boss_id: other", "the folder must have the same name"),
        ("boss.yaml", "It counts what it is given", "It counts" + " and counts" * 20, "at most 90 characters"),
        ("boss.yaml", "realm: the Gate", 'realm: ""', "metadata.realm is missing"),
        ("boss.yaml", "[toll_gate.py]", "[]", "entry_files is missing"),
        ("boss.yaml", "[toll_gate.py]", "[main]", "isn't the name of a Python file"),
        ("boss.yaml", 'sprite: "toll-gate"', "sprite: nobody", "there is no nobody.sprite"),
        ("boss.yaml", 'sprite: "toll-gate"', 'sprite: ""', "sprite is missing"),
        ("rubric.yaml", "pass_threshold: 3", "pass_threshold: 0", "everybody passes"),
        ("rubric.yaml", "max_score: 5", "max_score: 6", "the levels add up to 5"),
        ("evidence.yaml", "fact: trials.plain", "fact: trials.plane", "did you mean trials.plain?"),
        ("evidence.yaml", "fact: tests.empty", "fact: tests.void", "nothing measures tests.void"),
        ("evidence.yaml", "fact: tests.empty", "fact: tests.files", "no longer measured: use tests.count in its place"),
        ("evidence.yaml", "fact: tests.empty", "fact: code.pure_functions", "use code.deciding_functions"),
        ("evidence.yaml", "fact: tests.empty", "fact: code.argparse", "no longer measured: take the condition out"),
        ("evidence.yaml", 'check: ">= 1"', 'check: ">= 0"', "always holds"),
        ("evidence.yaml", 'check: "== 1.0"', 'check: "> 1.0"', "never holds: trials.plain is a share from 0 to 1"),
        ("evidence.yaml", 'check: "== 0"', 'check: "== false"', "so compare it with a number"),
        ("codex/hints.yaml", "parts:", "pieces:", "no criterion 'pieces'"),
        ("exemplars/solid/gold.yaml", "verdict: pass", "verdict: fail", "which is pass, not fail"),
        ("exemplars/solid/gold.yaml", "proof: 0}", "proof: 3}", "proof has no level 3"),
        ("exemplars/solid/gold.yaml", "verdict:", "verdikt: x\nverdict:", "this key is not allowed here"),
        ("toll-gate.sprite", "size 32x24", "size 32x23", "of even height"),
        ("toll-gate.sprite", "frame idle.2 = idle.1", "frame dance.1", "there is no frame called 'dance.1'"),
        ("toll-gate.sprite", "#14110f", "brown", "neither #rrggbb nor accent"),
        ("toll-gate.sprite", " 0 ................................", " 0 .....", "a row is 32 pixels, not 5"),
        ("toll-gate.sprite", " 0 ................................", " 0 " + "z" * 32, "the palette has no 'z'"),
    ],
)
def test_a_spoilt_place_is_told_with_its_line(pack: Path, name: str, old: str, new: str, words: str) -> None:
    line = change(pack / name, old, new)
    assert told(pack, name, words).line == line


def test_a_condition_of_trials_gives_advice(pack: Path) -> None:
    change(pack / "evidence.yaml", "        improve:", "        # improve:")
    assert told(pack, "evidence.yaml", "no advice")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("weight: 0.4", "weight: 0.5", "the weights add up to 1.1, not to 1"),
        ("    weight: 0.2\n", "", "has no weight, while others have"),
        ("Three of five points pass", "Four of five points pass", "the pass threshold is 3"),
        ("Three of five points pass", "Three of six points pass", "the highest total is 5"),
        ("One point or less is a fail", "Two points or less is a fail", "the highest total that fails is 1"),
        ("Three of five points pass.", "Six criteria. Three of five points pass.", "the number of criteria is 4"),
        ("label: Proof", "label: Callable parts", "have the same label"),
        ("description: Has the player a test of their own that checks something?", "description: ''", "no description"),
        ("      - score: 2\n", "      - score: 3\n", "no exemplar reaches level 3"),
    ],
)
def test_a_spoilt_rubric_is_told(pack: Path, old: str, new: str, words: str) -> None:
    change(pack / "rubric.yaml", old, new)
    remark = next(r for r in problems(pack) if r.path.name == "rubric.yaml" and words in r.message)
    assert remark.line is not None


def test_a_score_in_quotes_is_a_score(pack: Path) -> None:
    """As it is everywhere else: lint finds the level it speaks of."""
    path = pack / "rubric.yaml"
    before = [remark.message for remark in problems(pack)]
    path.write_text(re.sub(r"score: (\d)", r'score: "\1"', path.read_text()))
    assert [remark.message for remark in problems(pack)] == before


def test_several_problems_of_one_file_are_told_at_once(pack: Path) -> None:
    change(pack / "rubric.yaml", "label: Counts right", "labell: Counts right")
    change(pack / "rubric.yaml", "score: 2", "score: two")
    found = [remark for remark in problems(pack) if remark.path.name == "rubric.yaml"]
    assert len(found) >= 2
    assert all(remark.line for remark in found)


def test_a_contradiction_is_told_where_it_becomes_one(pack: Path) -> None:
    path = pack / "evidence.yaml"
    line = path.read_text("utf-8").splitlines().index("      - fact: trials.edges") + 1
    change(
        path,
        '      - fact: trials.edges\n        check: "== 1.0"',
        '      - fact: trials.plain\n        check: "< 0.5"',
    )
    remark = told(pack, "evidence.yaml", "level 2 of counts_right can't be reached")
    assert remark.line == line
    assert any("no condition in evidence.yaml asks for trials.edges" in r.message for r in problems(pack))


def test_alternatives_can_resolve_an_apparent_contradiction(pack: Path) -> None:
    change(
        pack / "evidence.yaml",
        '      - fact: tests.empty\n        check: "== 0"',
        '      - any:\n          - {fact: tests.count, check: "== 0"}\n          - {fact: tests.asserts, check: "> 2"}',
    )
    assert problems(pack) == []


def test_two_criteria_decided_by_the_same_facts_are_one(pack: Path) -> None:
    path = pack / "evidence.yaml"
    text = path.read_text("utf-8").replace("fact: trials.refusals", "fact: trials.all")
    parts = re.search(r"^proof:.*", text, re.DOTALL | re.MULTILINE)
    assert parts is not None
    rule = '  - level: 1\n    requires:\n      - {fact: trials.all, check: "== 1.0", otherwise: "No."}\n'
    path.write_text(text.replace(parts.group(), f"proof:\n{rule}"), "utf-8")
    assert "decided by the same facts" in told(pack, "evidence.yaml", "count twice").message


TRIAL = '''
import pytest


{marks}
def test_more(cli):
    """{title}"""
    {body}
'''
GROUP = '@pytest.mark.group("edges")'
CHECK = 'assert cli().exit_code == 0, "Words."'


@pytest.mark.parametrize(
    ("marks", "title", "body", "words"),
    [
        ("", "A title.", CHECK, "has no group"),
        ('@pytest.mark.group("all")', "A title.", CHECK, "a group can't be called 'all'"),
        ('@pytest.mark.group("idle")', "A title.", CHECK, "no condition in evidence.yaml asks for trials.idle"),
        (GROUP, "", CHECK, "has no docstring"),
        (GROUP, "A title.", "assert cli().exit_code == 0", "this assert has no message"),
        (GROUP, "A title.", "cli()", "checks nothing"),
        (GROUP, "Blank lines are skipped.", CHECK, "has the same title as test_blank_lines_do_not_count"),
        (f"{GROUP}\n@pytest.mark.parametrize('cli', [4, 8])", "A title.", CHECK, "titles reveal the hidden values"),
        (GROUP, "A title.", "return (", "Python can't parse this"),
        (f"{GROUP}\n@pytest.mark.grants('edge')", "A title.", CHECK, "grants 'edge', which no trial has as group"),
        (f"{GROUP}\n@pytest.mark.grants('plain')", "A title.", CHECK, "which its own criterion rests on"),
        (f"{GROUP}\n@pytest.mark.needs('test_b')", "A title.", CHECK, "'test_b', which is not a trial in this file"),
        (f"{GROUP}\n@pytest.mark.hiden", "A title.", CHECK, "an unknown mark, 'hiden': did you mean hidden?"),
    ],
)
def test_a_spoilt_trial_is_told(pack: Path, marks: str, title: str, body: str, words: str) -> None:
    path = pack / "trials" / "test_more.py"
    path.write_text(TRIAL.format(marks=marks, title=title, body=body), "utf-8")
    assert told(pack, "trials/test_more.py", words).line


@pytest.mark.parametrize(
    ("trial", "fixture", "words"),
    [
        ("cli", "", "every trial of counts_right is the same for all submissions"),
        ("cli, rng", "", ""),
        ("cli", "@pytest.fixture\ndef cli(cli, names): return cli\n@pytest.fixture\ndef names(rng): return rng\n", ""),
        ("cli", "@pytest.fixture(autouse=True)\ndef names(rng): return rng\n", ""),
        ("cli", "@pytest.fixture\ndef names(rng): return rng\n", "a table of answers passes"),
    ],
)
def test_a_criterion_whose_trials_never_differ_is_told(pack: Path, trial: str, fixture: str, words: str) -> None:
    for path in (pack / "trials").glob("test_*.py"):
        path.write_text(
            path.read_text("utf-8").replace("cli, rng", trial).replace("def numbers(rng)", "def numbers()"), "utf-8"
        )
    if fixture:
        (pack / "trials" / "conftest.py").write_text(f"import pytest\n{fixture}", "utf-8")
    found = [issue.message for issue in lint(pack) if "for all submissions" in issue.message]
    assert any(words in message for message in found) == bool(words)


def test_a_criterion_whose_trials_are_all_hidden_is_told(pack: Path) -> None:
    files = sorted((pack / "trials").glob("test_*.py"))
    for path in files:
        path.write_text(
            path.read_text("utf-8").replace("@pytest.mark.group", "@pytest.mark.hidden\n@pytest.mark.group")
        )
    assert told(pack, "evidence.yaml", "let at least one show its input").line


def test_a_trial_may_be_hidden(pack: Path) -> None:
    marks = f"{GROUP}\n@pytest.mark.hidden"
    (pack / "trials" / "test_more.py").write_text(TRIAL.format(marks=marks, title="A title.", body=CHECK), "utf-8")
    assert problems(pack) == []


def test_a_trial_may_grant_anothers_fault(pack: Path) -> None:
    marks = f"{GROUP}\n@pytest.mark.grants('refusals')"
    (pack / "trials" / "test_more.py").write_text(TRIAL.format(marks=marks, title="A title.", body=CHECK), "utf-8")
    assert problems(pack) == []


def test_a_trial_that_another_one_shadows_is_told(pack: Path) -> None:
    path = pack / "trials" / "test_more.py"
    path.write_text(TRIAL.format(marks=GROUP, title="One.", body=CHECK) * 2, "utf-8")
    assert "only the last one is run" in told(pack, "trials/test_more.py", "test_more appears twice").message


def test_the_keys_of_a_table_are_names_of_cases(pack: Path) -> None:
    table = 'CASES = {"a word": "fish"}\n\n\n@pytest.mark.parametrize("case", CASES)'
    body = 'assert cli(stdin=CASES[case]).exit_code == 2, "Words."'
    text = TRIAL.format(marks=f"{table}\n{GROUP}", title="A title.", body=body).replace("(cli)", "(cli, case)")
    (pack / "trials" / "test_more.py").write_text(text, "utf-8")
    assert problems(pack) == []


def test_words_may_be_in_a_helper_and_groups_in_a_class(pack: Path) -> None:
    (pack / "trials" / "test_more.py").write_text(
        '''
import pytest

edges = pytest.mark.group("edges")


def check(run):
    assert run.exit_code == 0, "Words."


@edges
class TestMore:
    def test_one(self, cli):
        """One."""
        check(cli())

    def test_two(self, cli):
        """Two."""
        with pytest.raises(ValueError):
            cli()
''',
        "utf-8",
    )
    assert problems(pack) == []


@pytest.mark.parametrize(
    ("gone", "words"),
    [
        ("codex/lore.md", "this tier of the codex is missing"),
        ("codex/hints.yaml", "this file is missing"),
        ("starter", "there is no starter"),
        ("starter/README.md", "no README.md"),
        ("starter/toll_gate.py", "the starter has no toll_gate.py"),
        ("exemplars", "there are no exemplars"),
        ("exemplars/flawless", "must be called flawless"),
        ("exemplars/solid/gold.yaml", "has no gold levels"),
        ("exemplars/weak/toll_gate.py", "has no Python file"),
        ("trials", "at least one trial file"),
        ("rubric.yaml", "this file is missing"),
        ("boss.yaml", "this file is missing"),
    ],
)
def test_what_is_missing_is_told(pack: Path, gone: str, words: str) -> None:
    path = pack / gone
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert any(words in remark.message for remark in problems(pack))


def test_a_codex_that_is_no_text_is_told(pack: Path) -> None:
    (pack / "codex/lore.md").write_bytes(b"\xff\xfe\x00")
    assert told(pack, "codex/lore.md", "can't be read: it is not UTF-8 text")


def test_hints_are_three_and_differ(pack: Path) -> None:
    hints = pack / "codex" / "hints.yaml"
    change(hints, '  - "Feed it a word in the third line. Does it tell you that it was the third?"\n', "")
    assert "refuses_words has 2 hints" in told(pack, "codex/hints.yaml", "give three").message


def test_unparsable_code_is_only_an_exemplar_of_failing(pack: Path) -> None:
    (pack / "exemplars/broken/toll_gate.py").write_text("def main(:\n", "utf-8")
    assert problems(pack) == []
    (pack / "exemplars/solid/toll_gate.py").write_text("x = 1\ndef main(:\n", "utf-8")
    assert told(pack, "exemplars/solid/toll_gate.py", "yet its gold verdict isn't a fail").line == 2


def test_a_verdict_that_no_sum_gives_is_a_note_and_no_problem(pack: Path) -> None:
    change(pack / "rubric.yaml", "pass_threshold: 3", "pass_threshold: 5")
    change(pack / "rubric.yaml", "Three of five points pass. One point or less is a fail.", "All points pass.")
    notes = [remark for remark in lint(pack) if not remark.is_problem]
    assert [remark.message for remark in notes] == ["no sum of levels gives the verdict pass"]


def test_the_catalogue_names_exactly_the_measured_facts() -> None:
    submission = factories.submission(main="def f(x):\n    return x\n", test_main="def test_f():\n    assert True\n")
    unmeasured = (*unmeasured_facts(Finding(message="why"), passed=None), *unmeasured_impostor_facts("why"))
    measured = {fact.name: fact.value for fact in (*read_code(submission), *unmeasured)} | {
        "tests.missing_libraries": 0,
        "tests.out_of_time": 0,
        "tests.vacuous": False,
        DECIDING: 0,
        LINES: 0,
        CATCH_ALLS: 0,
        SHARED: 0,
        INTERRUPTS: 0,
        "code.reported_failures": 0,
    }
    assert set(measured) == set(CATALOGUE)
    for name, value in measured.items():
        if value is not None:
            assert isinstance(value, bool) == (CATALOGUE[name].kind is FactKind.FLAG)


def test_a_fact_that_is_gone_has_a_measured_one_in_its_place() -> None:
    assert not GONE_FACTS.keys() & CATALOGUE.keys()
    assert {name for name in GONE_FACTS.values() if name} <= CATALOGUE.keys()


def test_a_folder_that_holds_anything_is_linted_without_a_crash(tmp_path: Path) -> None:
    assert problems(tmp_path)
    for name in ("boss.yaml", "rubric.yaml", "evidence.yaml", "codex/hints.yaml", "exemplars/x/gold.yaml"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"\xff\x00[")
    (tmp_path / "trials").mkdir()
    (tmp_path / "trials" / "test_x.py").write_bytes(b"\x00\xff")
    assert len(problems(tmp_path)) >= 6


def test_the_guide_names_every_fact() -> None:
    guide = (REPOSITORY / "docs" / "how-to" / "authoring.md").read_text("utf-8")
    rows = {
        line.split("`")[1]: line for line in guide.splitlines() if line.startswith("| `") and "." in line.split("`")[1]
    }
    for fact in CATALOGUE.values():
        assert rows[fact.name] == f"| `{fact.name}` | {fact.kind.value} | {fact.description} |"


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("test_more.py", "from .helpers import answer\n", "write `from helpers import ...`"),
        ("test_more.py", "from helpers import answer\n", "put a helper that trials share in trials/helpers.py"),
        ("test_more.py", "import toll_gate\n", 'use player.module("toll_gate")'),
        ("json.py", "ANSWER = 4\n", "hides Python's own json"),
        ("helpers.py", "ANSWER = (4\n", "Python can't parse this"),
    ],
)
def test_an_import_that_fails_is_told(pack: Path, name: str, text: str, words: str) -> None:
    (pack / "trials" / name).write_text(text, "utf-8")
    assert told(pack, f"trials/{name}", words).line == 1


def test_trials_may_share_a_helper(pack: Path) -> None:
    (pack / "trials" / "helpers.py").write_text("def check(run):\n    assert run.exit_code == 0, 'Words.'\n")
    text = TRIAL.format(marks=GROUP, title="A title.", body="check(cli())").replace(
        "import pytest", "import pytest\nfrom helpers import check"
    )
    (pack / "trials" / "test_more.py").write_text(text, "utf-8")
    assert problems(pack) == []


def test_each_level_is_shown_beside_its_conditions(pack: Path) -> None:
    lines = run("lint", "--words", pack).stdout.splitlines()
    at = next(index for index, line in enumerate(lines) if line.strip().startswith("counts_right 2"))
    places, first = lines[at + 1].split(), lines[at + 2]
    rubric = (pack / "rubric.yaml").read_text("utf-8").splitlines()
    assert places == [f"rubric.yaml:{rubric.index('      - score: 2') + 1}", "evidence.yaml:14"]
    assert first.split("  ")[2].startswith("Blank lines, signs")
    assert first.endswith("- trials.edges == 1.0")
    assert sum(line.startswith("    rubric.yaml:") for line in lines) == 5
