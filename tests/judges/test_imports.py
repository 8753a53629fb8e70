"""The model SDK costs a second: only a fight before a model pays it."""

import os
import subprocess
import sys

import pytest

from tests.conftest import REPOSITORY

WEAK = str(REPOSITORY / "bosses/training-dummy/exemplars/weak")
RUN = """
import sys
from evalforge.cli.main import main
try:
    main({arguments!r})
except SystemExit:
    pass
print("LOADED", "anthropic" in sys.modules, "httpx2" in sys.modules)
"""


def run(code: str, **environment: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), **environment}
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd="/", env=environment, timeout=120
    )
    assert "Traceback" not in ended.stderr, ended.stderr
    return ended.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["bosses"],
        ["doctor"],
        ["judge", "training-dummy", WEAK, "--no-save", "--judge", "forge"],
        ["judge", "training-dummy", WEAK, "--no-save", "--judge", "claude", "--base-url", "http://example.com"],
    ],
    ids=lambda arguments: " ".join(arguments[:1] + arguments[4:5]),
)
def test_nothing_else_loads_the_sdk_even_where_there_is_a_key(arguments: list[str]) -> None:
    assert "LOADED False False" in run(RUN.format(arguments=arguments), ANTHROPIC_API_KEY="sk-ant-test")


def test_the_game_and_its_roster_load_without_it() -> None:
    code = "import sys, evalforge.app.app, evalforge.fight, evalforge.judges.registry as c; "
    code += "c.judge_offers(); c.make_judge('claude'); print('LOADED', 'anthropic' in sys.modules)"
    assert "LOADED False" in run(code, ANTHROPIC_API_KEY="sk-ant-test")


def test_only_one_module_and_its_error_reader_import_the_sdk() -> None:
    importing = {
        path.name
        for path in (REPOSITORY / "evalforge").rglob("*.py")
        if any(
            line.strip().startswith(("import anthropic", "from anthropic", "import httpx2"))
            for line in path.read_text().splitlines()
        )
    }
    assert importing == {"sdk_client.py", "sdk_errors.py", "chat_completions.py"}
