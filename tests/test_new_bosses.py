"""Each kind of new boss passes every check as it is made."""

from pathlib import Path

import pytest

from tests.command_line import run

pytestmark = pytest.mark.usefixtures("warm_engine")
# A program with four criteria is checked in cli/test_check.py.
KINDS = [("library", 4), ("cli", 5), ("cli", 3), ("library", 3), ("library", 5)]


@pytest.mark.rotating
@pytest.mark.parametrize(("kind", "criteria"), KINDS)
def test_a_new_boss_has_nothing_to_mend(tmp_path: Path, kind: str, criteria: int) -> None:
    run("new-boss", "toll-gate", tmp_path, "--kind", kind, "--criteria", str(criteria), "--entry", "subnet.py")
    ended = run("check", tmp_path / "toll-gate")
    assert (ended.returncode, ended.stdout.splitlines()[-1]) == (0, "Nothing to fix."), ended.stdout
