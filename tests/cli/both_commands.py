"""``doctor``, then ``judge``, in one process and with one engine: ``python -m tests.cli.both_commands OPTION ...``."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

from tests.command_line import Ended, run

_SOLUTION = Path(__file__).resolve().parents[2] / "bosses/training-dummy/exemplars/first-win"
COMMANDS = (("doctor", "--json"), ("judge", "training-dummy", str(_SOLUTION), "--json", "--full"))


def run_both(*options: str) -> list[Ended]:
    """Run both with the same options."""
    return [run(*command, *options, COLUMNS="400") for command in COMMANDS]


def main() -> None:
    """Print how both ended, as JSON."""
    from evalforge import fight
    from tests.warm_engine import EnginePool

    engines = EnginePool()
    fight.Engine = engines.lend
    ended = run_both(*sys.argv[1:])
    engines.close()
    print(json.dumps([asdict(each) for each in ended]))


if __name__ == "__main__":
    main()
