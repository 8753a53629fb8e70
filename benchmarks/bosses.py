"""Every boss's flawless exemplar: judged cold and warm, beside a bare ``pytest`` of its suite.

Cold is the command line, a process that finds nothing measured before. Warm is a fight as the game has it, whose engine
has started. ``--write`` puts the table into ``docs/explanation/performance.md``.
"""

import asyncio
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from benchmarks.fights import FLAWLESS, ROOT, one
from benchmarks.measure import Contender, Options, race, run_program
from evalforge.fight import Forge
from evalforge.packs.pack import BossPack, load_pack

PAGE = ROOT / "docs/explanation/performance.md"
START, END = "<!-- written by: python -m benchmarks bosses --write -->\n", "<!-- end of what is written -->\n"
_MOST_ROUNDS = 3


class BossSeconds(NamedTuple):
    """What one boss's flawless exemplar takes, in seconds; ``bare`` is pytest alone."""

    title: str
    bare: float
    cold: float
    warm: float


def main(options: Options) -> None:
    """Print the table, and write it where that is asked for. The median takes care of what a first round warms."""
    options = replace(options, warm_ups=0).at_most(_MOST_ROUNDS)
    bosses = options.size(
        sorted(path.parent for path in ROOT.glob("bosses/*/boss.yaml")), [ROOT / "bosses/ledger-lich"]
    )
    load = os.getloadavg()[0]
    with asyncio.Runner() as runner:
        forge = Forge()
        runner.run(forge.warm())
        table = format_table([_measure(runner, forge, load_pack(boss), options) for boss in bosses])
        runner.run(forge.engine.close())
    text = f"{_describe_run(options, load)}\n\n{table}"
    print(f"\n{text}")
    if options.is_written:
        PAGE.write_text(replace_table(PAGE.read_text("utf-8"), text), "utf-8")


def format_table(rows: Sequence[BossSeconds]) -> str:
    """The table in Markdown, the quickest boss first."""
    lines = [
        f"| {row.title} | {row.bare:.1f} | {row.cold:.1f} | {row.cold / row.bare:.1f} | {row.warm:.1f} "
        f"| {row.warm / row.bare:.1f} |\n"
        for row in sorted(rows, key=lambda row: row.warm)
    ]
    head = "| | bare pytest | cold | cold / bare | warm | warm / bare |\n|---|---|---|---|---|---|\n"
    return head + "".join(lines)


def replace_table(page: str, text: str) -> str:
    """The page with this text between its two marks.

    Raises:
        ValueError: It lacks one of them.
    """
    before, start, rest = page.partition(START)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"The page needs the lines {START!r} and {END!r}.")
    return f"{before}{start}\n{text}\n{end}{after}"


def _describe_run(options: Options, load: float) -> str:
    system = f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}, Python {platform.python_version()}"
    return (
        f"Measured on {datetime.now(UTC):%Y-%m-%d} with {os.cpu_count()} cores ({system}; load before: {load:.1f}).\n"
        f"In seconds, as medians (rounds: {options.rounds}); ratios are to the bare pytest."
    )


def _measure(runner: asyncio.Runner, forge: Forge, pack: BossPack, options: Options) -> BossSeconds:
    # Beside the interpreter: a reader's environment may have another pytest, or another evalforge.
    pytest, evalforge = (str(Path(sys.executable).with_name(name)) for name in ("pytest", "evalforge"))
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON"))}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "flawless"
        shutil.copytree(pack.path / FLAWLESS, folder, ignore=shutil.ignore_patterns("gold.yaml", "__pycache__"))

        def bare() -> None:
            # Without the plugins that only tests of ours need.
            variables = {**clean, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
            run_program([pytest, "-q", "-p", "no:cacheprovider"], folder, variables)

        def cold() -> None:
            with tempfile.TemporaryDirectory() as home:
                command = [evalforge, "judge", str(pack.path), str(folder), "--no-save", "--again"]
                run_program(command, folder, {**clean, "EVALFORGE_HOME": home})

        contenders = (
            Contender("bare", bare),
            Contender("cold", cold),
            Contender("warm", lambda: runner.run(one(forge, pack, folder))[1]),
        )
        return BossSeconds(pack.definition.title, *(timing.median for timing in race(contenders, options)))
