"""Programs load as people start them, and trials share what lies beside them."""

from contextlib import aclosing
from pathlib import Path

import pytest

from evalforge.evidence.engine import Engine
from evalforge.model.events import TrialFinished
from evalforge.model.evidence import TrialOutcome, TrialResult
from evalforge.model.submission import Submission

TRIAL = '''
def test_answer(cli):
    """It answers."""
    assert cli("4").stdout == "4\\n", "expected the argument"
'''
MAIN = "from .cli import main\n\nif __name__ == '__main__':\n    main()\n"
COMMANDS = "import sys\n\n\ndef main():\n    print(sys.argv[1])\n"


async def judge(engine: Engine, trials: Path, files: dict[str, str]) -> dict[str, TrialResult]:
    """The results of trials by their titles."""
    stream = engine.gather("straw", trials, ("tool.py",), Submission.of(files))
    async with aclosing(stream) as events:
        results = [event.trial async for event in events if isinstance(event, TrialFinished)]
    return {result.title: result for result in results}


@pytest.mark.parametrize(
    "files",
    [
        {"tool/__init__.py": "", "tool/__main__.py": MAIN, "tool/cli.py": COMMANDS},
        {"src/tool/__init__.py": "", "src/tool/__main__.py": MAIN, "src/tool/cli.py": COMMANDS},
        {"src/tool/__main__.py": MAIN, "src/tool/cli.py": COMMANDS},
        {"tool.py": COMMANDS + "\n\nif __name__ == '__main__':\n    main()\n"},
    ],
    ids=["package", "in src", "without init", "script"],
)
async def test_a_program_loads_as_it_is_started(engine: Engine, tmp_path: Path, files: dict[str, str]) -> None:
    (tmp_path / "test_it.py").write_text(TRIAL)
    results = await judge(engine, tmp_path, files)
    assert {title: result.message for title, result in results.items()} == {"The code loads": "", "It answers.": ""}


@pytest.mark.parametrize("name", ["tool.py", "tool/__init__.py", "tool/__main__.py"])
async def test_loading_has_no_arguments_of_ours(engine: Engine, tmp_path: Path, name: str) -> None:
    (tmp_path / "test_it.py").write_text(TRIAL)
    files = {name: "import sys\nopen(sys.argv[1])\n", "tool/other.py" if "/" in name else "other.py": ""}
    loading = (await judge(engine, tmp_path, files))["The code loads"]
    assert loading.outcome is TrialOutcome.FAILED
    assert "IndexError" in loading.message


async def test_trials_share_helpers_data_and_fixtures(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "helpers.py").write_text(
        "import json\nfrom pathlib import Path\n\n"
        "CASES = json.loads(Path(__file__).with_name('cases.json').read_text())\n\n\n"
        "def check_answer(run, expected):\n    assert run.stdout == expected, f'expected {expected}'\n"
    )
    (tmp_path / "cases.json").write_text('["4", "5"]')
    (tmp_path / "conftest.py").write_text(
        "import pytest\nfrom helpers import CASES\n\n\n@pytest.fixture\ndef case():\n    return CASES[0]\n"
    )
    (tmp_path / "test_it.py").write_text(
        'from helpers import check_answer\n\n\ndef test_answer(cli, case):\n    """It answers."""\n'
        "    check_answer(cli(case), case + '\\n')\n"
    )
    files = {"tool.py": "import sys\nprint(*sys.argv[1:])\n"}
    assert (await judge(engine, tmp_path, files))["It answers."].passed
    (tmp_path / "helpers.py").write_text(
        "CASES = ['6']\n\n\ndef check_answer(run, expected):\n    assert 0, 'changed'\n"
    )
    assert (await judge(engine, tmp_path, files))["It answers."].message == "changed"
    assert not list(tmp_path.rglob("__pycache__"))  # noqa: ASYNC240
