"""The attacks as they lie on disk: a folder each, with the files that are handed in and an ``attack.yaml``."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
SUBMISSIONS = HERE / "submissions"
BOSS = "tally-stone"
_LOWEST = {"adds": 0, "refuses": 0, "reports": 0}


@dataclass(frozen=True)
class Attack:
    """One hostile submission and what is demanded of its fight.

    Attributes:
        folder: What is handed in, but for ``attack.yaml``.
        must_not: What must not happen, for people.
        boss: Whom it fights.
        levels: The honest level of each criterion that is demanded; the lowest of each unless said otherwise.
        reads: Regular expressions of which each is found in what the player reads.
        uncaged: What gives it away when it runs without a cage: ``secret``, ``key`` or ``hidden`` among what it prints,
            or the name of a canary that changes. Empty for those that can't be let loose.
        seconds: How long its fight may take.
        links: Links that lie in the submission: name -> a place of the world.
        long: Files too long to be kept: name -> beginning, what is repeated, how often, end.
    """

    folder: Path
    must_not: str
    boss: str = BOSS
    levels: dict[str, int] = field(default_factory=lambda: dict(_LOWEST))
    reads: tuple[str, ...] = ()
    uncaged: str = ""
    seconds: float = 15.0
    links: dict[str, str] = field(default_factory=dict[str, str])
    long: dict[str, tuple[str, str, int, str]] = field(default_factory=dict)

    @property
    def family(self) -> str:
        return self.folder.parent.name

    @property
    def name(self) -> str:
        return f"{self.family}/{self.folder.name}"

    @property
    def sources(self) -> list[Path]:
        return sorted(path for path in self.folder.rglob("*.py") if path.is_file())

    def lay_out(self, target: Path, places: dict[str, Any]) -> Path:
        """Copy what is handed in, with a module ``world`` that tells the attacker where everything is."""
        shutil.copytree(self.folder, target, ignore=shutil.ignore_patterns("attack.yaml", "__pycache__"))
        lines = [f"{name.upper()} = {value!r}" for name, value in places.items()]
        (target / "world.py").write_text('"""Where everything is."""\n' + "\n".join(lines) + "\n")
        for name, (head, piece, count, tail) in self.long.items():
            (target / name).write_text(head + piece * count + tail + "\n")
        for name, place in self.links.items():
            (target / name).symlink_to(places[place])
        return target


def load(folder: Path) -> Attack:
    """Read one manifest."""
    given = yaml.safe_load((folder / "attack.yaml").read_text())
    given["reads"] = tuple(given.get("reads", ()))
    given["levels"] = {**({} if "boss" in given else _LOWEST), **given.get("levels", {})}
    return Attack(folder=folder, **given)


ATTACKS = tuple(load(path.parent) for path in sorted(SUBMISSIONS.glob("*/*/attack.yaml")))
