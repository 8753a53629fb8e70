"""Issues found by running a pack's programs, stored until one of those programs changes."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evalforge.engine_pool import EnginePool
from evalforge.packs.atomic_files import read_json_object, write_atomically
from evalforge.packs.fingerprint import engine_version, files_below, framed, short_hash
from evalforge.packs.issue import Issue
from evalforge.packs.pack import BossPack
from evalforge.trial_check import check_trials

_RUN_FOLDERS = ("trials", "exemplars", "starter", "impostors")


def programs_hash(pack: BossPack) -> str:
    """The hash of everything that runs in a pack; words of rubric, rules, codex and gold aren't included."""
    files = [path for name in _RUN_FOLDERS for path in files_below(pack.path / name) if path.name != "gold.yaml"]
    header = f"{pack.boss_id}\0{pack.definition.metadata.entry_files}\0{engine_version()}\0".encode()
    return short_hash(header, *(framed(path.relative_to(pack.path).as_posix(), path.read_bytes()) for path in files))


class KeptIssues:
    """The stored issues of a pack's programs, in one file.

    Args:
        state: EvalForge's state folder.
        pack: The pack.
    """

    def __init__(self, state: Path, pack: BossPack) -> None:
        self._pack = pack.path
        self._file = state / "lab" / "checks" / f"{programs_hash(pack)}.json"

    def read(self) -> tuple[Issue, ...] | None:
        """Read the stored issues; None if there are none for the pack as it is."""
        stored = read_json_object(self._file).get("issues")
        try:
            return tuple(self._issue(**fields) for fields in stored) if stored is not None else None
        except TypeError:
            return None

    def write(self, issues: tuple[Issue, ...]) -> None:
        """Store the issues; if that fails, the programs run again next time."""
        entries = [{**asdict(issue), "path": self._relative(issue.path)} for issue in issues]
        with suppress(OSError):
            write_atomically(self._file, json.dumps({"issues": entries}).encode())

    def _relative(self, path: Path) -> str:
        return path.relative_to(self._pack).as_posix() if path.is_relative_to(self._pack) else str(path)

    def _issue(self, path: str, **fields: Any) -> Issue:
        return Issue(self._pack / path, **fields)


async def kept_trial_issues(
    pack: BossPack, engines: EnginePool, state: Path, report: Callable[[str], None]
) -> tuple[Issue, ...]:
    """The issues of the trials: stored ones if no program has changed since, else from a new run.

    Raises:
        SandboxError: Code can't be run here.
    """
    store = KeptIssues(state, pack)
    issues = store.read()
    if issues is None:
        issues = await check_trials(pack, engines, report)
        store.write(issues)
    return issues
