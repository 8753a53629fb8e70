"""``python -m tests.tier_times FILE``: write what each step of ``.ci/run`` took into the table of CONTRIBUTING.md.

The file has a line for each step, as ``.ci/timed`` writes it: a name, seconds on the clock, seconds of the processor.
"""

from __future__ import annotations

import sys
from pathlib import Path

_BEGIN, _END = "<!-- times of .ci/run: make times -->", "<!-- end of times -->"
_PAGE = Path(__file__).resolve().parent.parent / "CONTRIBUTING.md"


def times_table(lines: list[str]) -> str:
    """The table of what each step took, with their sum."""
    steps = [(name, int(wall), int(processor)) for name, wall, processor in map(str.split, lines)]
    total = ("all", sum(wall for _, wall, _ in steps), sum(processor for _, _, processor in steps))
    rows = [f"| {name} | {wall:,} | {processor:,} |" for name, wall, processor in [*steps, total]]
    return "\n".join(["| step | seconds | of the processor |", "|---|---|---|", *rows])


def with_table(page: str, table: str) -> str:
    """A page with its table of times replaced."""
    before, _, rest = page.partition(_BEGIN)
    return f"{before}{_BEGIN}\n{table}\n{_END}{rest.partition(_END)[2]}"


if __name__ == "__main__":
    table = times_table(Path(sys.argv[1]).read_text("utf-8").splitlines())
    _PAGE.write_text(with_table(_PAGE.read_text("utf-8"), table), "utf-8")
    print(table)
