"""``python -m tests.measured [--all] [NAME ...]``: run what has changed, name every difference, and store it.

Names are beginnings, such as ``bosses/training-dummy`` or ``tricks``. Of programs that are not named, records are kept.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from evalforge.fight import Forge
from evalforge.packs.trial_key import PUBLIC_KEY
from tests.conftest import REPOSITORY
from tests.measured.engine import RecordedEngine
from tests.measured.programs import PROGRAM_BY_NAME, PROGRAMS, MeasuredProgram, fact_values, given_levels
from tests.measured.records import FILE, Record, stored_record, write_records

_KEPT = REPOSITORY / ".pytest_cache/d/evalforge-evidence"
"""Where tests keep what they had to run: a recording that is broken off goes on from there."""
_SIDE_BY_SIDE = min(2, os.cpu_count() or 1)


async def record(programs: Sequence[MeasuredProgram], *, replays: bool) -> dict[str, Record]:
    """The records of programs by name; their differences are printed.

    Args:
        programs: The programs.
        replays: Whether runs that are still valid are left as they are.
    """
    records: dict[str, Record] = {}
    waiting = list(reversed(programs))

    async def work(place: Path) -> None:
        engine = RecordedEngine(_KEPT if replays else place / "kept", replays=replays)
        async with Forge(engine=engine, trial_key=PUBLIC_KEY) as forge:
            while waiting:
                program = waiting.pop()
                fight = await program.fight(forge, place / program.name)
                update = {"facts": fact_values(fight), "levels": given_levels(fight)}
                new = records[program.name] = engine.record.model_copy(update=update)
                for difference in differences(stored_record(program.name), new):
                    print(f"{program.name}: {difference}", flush=True)

    with tempfile.TemporaryDirectory() as place:
        await asyncio.gather(*(work(Path(place) / str(number)) for number in range(_SIDE_BY_SIDE)))
    return records


def differences(before: Record | None, after: Record) -> Iterator[str]:
    """Each fact and level that differs from the stored one, in words."""
    if before is None:
        yield "new"
        return
    pairs = [("", before.facts, after.facts), ("level of ", before.levels, after.levels)]
    for kind, old, new in pairs:
        for name in sorted(old.keys() | new.keys()):
            if old.get(name) != new.get(name) or (name in old) != (name in new):
                yield f"{kind}{name}: {old.get(name, 'absent')} -> {new.get(name, 'absent')}"


def main() -> None:
    """Measure what is named, or all of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.measured")
    parser.add_argument("names", nargs="*", default=[""], metavar="NAME")
    parser.add_argument("--all", action="store_true", help="also run what hasn't changed")
    chosen = parser.parse_args()
    named = [program for program in PROGRAMS if program.name.startswith(tuple(chosen.names))]
    with tempfile.TemporaryDirectory() as home:
        os.environ["EVALFORGE_HOME"] = home
        records = asyncio.run(record(named, replays=not chosen.all))
    write_records(records, PROGRAM_BY_NAME)
    print(f"{len(records)} programs, {FILE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
