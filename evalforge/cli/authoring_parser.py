"""The commands for making a boss: check it, calibrate a judge with it, pack it, start one."""

from argparse import SUPPRESS, ArgumentParser
from pathlib import Path

from evalforge.cli.options import FillParser, add_judge_options


def _fill_lint(parser: ArgumentParser) -> None:
    parser.add_argument("packs", metavar="PACK", nargs="*", help="a boss or a pack's folder (default: all bosses)")
    # What ran code is `check`; scripts that asked lint to read only may go on to do so.
    parser.add_argument("--fast", action="store_true", help=SUPPRESS)
    parser.add_argument(
        "--clauses",
        action="store_true",
        help="print each section of the contract with the trials that check it and the impostors that break it",
    )
    parser.add_argument(
        "--words",
        action="store_true",
        help="print each level's sentence in the rubric beside the conditions that earn it",
    )


def _fill_check(parser: ArgumentParser) -> None:
    parser.add_argument("pack", metavar="PACK", help="a boss or a pack's folder")
    parser.add_argument("--json", action="store_true", help="as JSON")


def _fill_calibrate(parser: ArgumentParser) -> None:
    parser.add_argument("boss", metavar="BOSS", nargs="?", default="")
    parser.add_argument("--all", action="store_true", help="every boss")
    add_judge_options(parser, "the judge to calibrate (default forge): ")
    parser.add_argument(
        "--submissions",
        metavar="DIR",
        type=Path,
        help="judge these instead of the exemplars: DIR/BOSS/NAME, or DIR/NAME for one boss, each with a gold.yaml",
    )
    parser.add_argument("--repeat", metavar="N", type=int, default=1, help="how many times each is judged (default 1)")
    parser.add_argument(
        "--impostors",
        action="store_true",
        help="run the trials on the boss's right and wrong programs: which faults are caught, which are charged twice",
    )
    parser.add_argument(
        "--faults",
        action="store_true",
        help="the same as a matrix: which criteria lose points by the faults of which",
    )
    parser.add_argument(
        "--reasons",
        metavar="DIR",
        type=Path,
        help="check whether comments name the causes in the gold.yaml of each DIR/BOSS/NAME or DIR/NAME",
    )
    parser.add_argument("--json", action="store_true", help="as JSON")


def _fill_pack(parser: ArgumentParser) -> None:
    parser.add_argument("boss", metavar="BOSS", help="a boss or a pack's folder")
    parser.add_argument(
        "--for",
        dest="audience",
        choices=("students", "colleagues"),
        required=True,
        help="students get what they need to build and submit; colleagues get the whole boss, with a version",
    )
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, required=True, help="the zip to write")


def _fill_new_boss(parser: ArgumentParser) -> None:
    parser.add_argument("slug", metavar="SLUG", help="its id and folder name, such as toll-gate")
    parser.add_argument("directory", metavar="DIR", nargs="?", type=Path, help="where to put it (default: here)")
    parser.add_argument(
        "--entry", metavar="FILE", default="", help="the program that players write (default: named after the boss)"
    )
    parser.add_argument(
        "--kind",
        choices=("cli", "library"),
        default="cli",
        help="what players build: a program to run or a module to import (default: cli)",
    )
    parser.add_argument(
        "--criteria", metavar="N", type=int, default=4, help="how many criteria its rubric has, 3 to 5 (default: 4)"
    )


AUTHORING_COMMANDS: dict[str, FillParser] = {
    "lint": _fill_lint,
    "check": _fill_check,
    "calibrate": _fill_calibrate,
    "pack": _fill_pack,
    "new-boss": _fill_new_boss,
}
"""The commands for authors of bosses, and what adds the options of each."""
