"""Mutants a second beside mutmut and cosmic-ray, on the same module and tests. Needs the ``bench`` dependency group."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import Options
from evalforge.evidence.suite.candidates import find_mutants
from evalforge.evidence.suite.examination import PlayerTestExamination
from evalforge.evidence.suite.jobs import sample_mutants
from evalforge.sandbox.client import Host
from evalforge.sandbox.player_test_host import PlayerTestHost
from evalforge.submissions.collect import collect

_SUBJECT = Path(__file__).resolve().parent / "subject"
_ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


def _run(folder: Path, *command: str) -> None:
    subprocess.run(command, cwd=folder, env=_ENVIRONMENT, capture_output=True, check=False)


def _lay_out(folder: Path) -> None:
    for name in ("inventory.py", "test_inventory.py"):
        shutil.copy(_SUBJECT / name, folder / name)


def _ours(folder: Path, warm_ups: int) -> tuple[int, float]:
    submission = collect(folder)
    beside = Host()
    host = PlayerTestHost(beside)
    # As a game does while the player reads.
    for _ in range(warm_ups):
        PlayerTestExamination([host], submission).result()
    began = time.perf_counter()
    PlayerTestExamination([host], submission).result()
    seconds = time.perf_counter() - began
    host.shut_down()
    beside.shut_down()
    mutants, _ = find_mutants("inventory.py", (folder / "inventory.py").read_text("utf-8"))
    return len(sample_mutants(mutants)), seconds


def _mutmut(folder: Path) -> tuple[int, float]:
    (folder / "setup.cfg").write_text(
        "[mutmut]\npaths_to_mutate=inventory.py\ntests_dir=.\nalso_copy=test_inventory.py\n"
    )
    began = time.perf_counter()
    _run(folder, "mutmut", "run", "--max-children", "2")
    seconds = time.perf_counter() - began
    _run(folder, "mutmut", "export-cicd-stats")
    return int(json.loads((folder / "mutants/mutmut-cicd-stats.json").read_text())["total"]), seconds


def _cosmic_ray(folder: Path) -> tuple[int, float]:
    (folder / "cr.toml").write_text(
        '[cosmic-ray]\nmodule-path = "inventory.py"\ntimeout = 10.0\nexcluded-modules = []\n'
        f'test-command = "{sys.executable} -m pytest -x -q"\n[cosmic-ray.distributor]\nname = "local"\n'
    )
    _run(folder, "cosmic-ray", "init", "cr.toml", "cr.sqlite")
    began = time.perf_counter()
    _run(folder, "cosmic-ray", "exec", "cr.toml", "cr.sqlite")
    seconds = time.perf_counter() - began
    with sqlite3.connect(folder / "cr.sqlite") as database:
        return int(database.execute("SELECT count(*) FROM work_results").fetchone()[0]), seconds


def main(options: Options) -> None:
    """Print mutants a second of each; one round of the others, whose runs are long."""
    contenders: dict[str, Callable[[Path], tuple[int, float]]] = {
        "evalforge": lambda folder: _ours(folder, options.warm_ups),
        "mutmut": _mutmut,
        "cosmic-ray": _cosmic_ray,
    }
    print("\nMutation testing: one module of 62 lines, ten tests")
    base = 0.0
    for name, run in contenders.items():
        if name != "evalforge" and shutil.which(name, path=_ENVIRONMENT["PATH"]) is None:
            print(f"  {name:<12} not installed: pip install --group bench")
            continue
        with tempfile.TemporaryDirectory() as folder:
            _lay_out(Path(folder))
            count, seconds = run(Path(folder))
        rate = count / seconds
        base = base or rate
        print(
            f"  {name:<12} {count:4} mutants {seconds:7.2f} s  {rate:7.1f}/s  evalforge is {base / rate:5.1f}x as fast"
        )
