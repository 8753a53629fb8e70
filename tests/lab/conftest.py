"""A small pack on the disk, evidence for it, and a state folder."""

from pathlib import Path

import pytest

from tests.app.harness import write_pack

RUBRIC = """\
rubric_id: r
overall:
  pass_threshold: 3
criteria:
  - id: works
    label: Works
    levels:
      - {score: 0, label: broken, description: nothing runs}
      - {score: 1, label: partly, description: half of it runs}
      - {score: 2, label: whole, description: all of it runs}
  - id: shape
    label: Shape
    levels:
      - {score: 0, label: lump, description: one long function}
      - {score: 1, label: parts, description: short functions}
      - {score: 2, label: fine, description: short pure functions}
"""
EVIDENCE = """\
works:
  - level: 1
    requires:
      - {fact: trials.all, check: ">= 0.5", otherwise: Half the trials fail.}
  - level: 2
    requires:
      - {fact: trials.all, check: "== 1.0", otherwise: Some trials fail.}
      - {fact: trials.edges, check: ">= 0.8", otherwise: Edges are off.}
shape:
  - level: 1
    requires:
      - {fact: code.longest_function, check: "<= 40", otherwise: A function is too long.}
  - level: 2
    requires:
      - {fact: code.deciding_functions, check: ">= 1", otherwise: Nothing is pure.}
"""
TRIALS = '''\
import pytest


@pytest.mark.group("edges")
def test_edge(cli):
    """An edge holds."""
    assert cli("edge").exit_code == 0, "An edge ends with exit status 0."
'''


def write_small_pack(folder: Path, slug: str = "golem") -> Path:
    """A pack of two criteria with an exemplar."""
    pack = write_pack(folder, slug, "Stone Golem")
    (pack / "rubric.yaml").write_text(RUBRIC, "utf-8")
    (pack / "evidence.yaml").write_text(EVIDENCE, "utf-8")
    (pack / "trials" / "test_edges.py").write_text(TRIALS, "utf-8")
    exemplar = pack / "exemplars" / "solid"
    exemplar.mkdir(parents=True)
    (exemplar / "main.py").write_text("def decide(x):\n    return x > 1\n", "utf-8")
    (exemplar / "gold.yaml").write_text(
        "levels: {works: 2, shape: 1}\nverdict: pass\nwhy: {works: it runs, shape: in parts}\n", "utf-8"
    )
    return pack


@pytest.fixture
def packs(tmp_path: Path) -> Path:
    """The folder of one small pack."""
    write_small_pack(tmp_path / "packs")
    return tmp_path / "packs" / "golem"


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """The folder of our state."""
    return tmp_path / "state"
