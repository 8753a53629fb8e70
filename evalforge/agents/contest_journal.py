"""The journal of a contest: its plan and every finished attempt, so that a killed contest can resume."""

import json
import os
from pathlib import Path

from pydantic import ValidationError

from evalforge.agents.agent_feedback import CriterionFeedback
from evalforge.model.base import Frozen
from evalforge.model.errors import UsageError
from evalforge.packs.atomic_files import write_text
from evalforge.packs.private_files import open_private_file

JOURNAL = "journal.jsonl"


class ContestPlan(Frozen):
    """What a contest runs: an agent, bosses, attempts per boss, seconds per attempt, and how many repeats."""

    agent: str
    command: tuple[str, ...]
    bosses: tuple[str, ...]
    rubric_hashes: tuple[str, ...]
    tries: int
    seconds: float
    repeats: int
    judge: str
    cage: str


class ContestTry(Frozen):
    """One finished attempt: how the agent ended, and how its work was judged.

    Attributes:
        ended: ``done``, ``failed`` or ``timeout``.
        ungraded: Why there is no score; empty if there is one.
        copied: The boss's exemplar that one of its files copies; empty if none.
    """

    boss_id: str
    repeat: int
    number: int
    ended: str
    exit_status: int | None
    seconds: float
    attempt_id: str = ""
    verdict: str = ""
    passed: bool = False
    score_total: float | None = None
    score_max: float | None = None
    integrity: float | None = None
    levels: tuple[CriterionFeedback, ...] = ()
    ungraded: str = ""
    copied: str = ""


class ContestJournal:
    """The journal in a contest's folder.

    Args:
        folder: The contest's folder.
        plan: The plan; a journal with another plan is refused.

    Raises:
        UsageError: The folder holds another contest, or a line that can't be read.
    """

    def __init__(self, folder: Path, plan: ContestPlan) -> None:
        self._path = folder / JOURNAL
        lines = self._complete_lines()
        if not lines:
            self._append(plan.model_dump_json())
        elif lines[0] != plan.model_dump_json():
            raise UsageError(f"{folder} holds a contest of another plan.", "Name a new folder, or repeat its options.")
        try:
            self.tries = [ContestTry.model_validate_json(line) for line in lines[1:]]
        except ValidationError:
            raise UsageError(f"{self._path} can't be read.", "Name a new folder for the contest.") from None

    def add(self, ended: ContestTry) -> None:
        """Append an attempt to the file, and sync it to disk."""
        self._append(ended.model_dump_json())
        self.tries.append(ended)

    def of(self, boss_id: str, repeat: int) -> list[ContestTry]:
        """Return the attempts of one repeat on a boss, in order."""
        return [agent_try for agent_try in self.tries if (agent_try.boss_id, agent_try.repeat) == (boss_id, repeat)]

    def _complete_lines(self) -> list[str]:
        """Read the journal's lines; a line cut off by a kill is removed from the file."""
        if not self._path.exists():
            return []
        whole, _, torn = self._path.read_text("utf-8").rpartition("\n")
        lines = whole.split("\n") if whole else []
        if torn:
            write_text(self._path, "".join(f"{line}\n" for line in lines))
        return [line for line in lines if json.loads(line)]

    def _append(self, line: str) -> None:
        descriptor = open_private_file(self._path, os.O_WRONLY | os.O_APPEND)
        with os.fdopen(descriptor, "a", encoding="utf-8") as file:
            file.write(f"{line}\n")
            file.flush()
            os.fsync(file.fileno())
