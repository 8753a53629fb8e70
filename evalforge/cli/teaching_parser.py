"""Commands that show and teach: the stage, the rubric lab and the tour."""

from argparse import ArgumentParser
from pathlib import Path

from evalforge.cli.options import FillParser, add_boss_argument, add_judge_options, add_running_options


def _fill_stage(parser: ArgumentParser) -> None:
    add_boss_argument(parser)
    parser.add_argument(
        "--exemplar",
        metavar="NAME",
        nargs="+",
        default=[],
        help="exemplars to show (default: a middling one)",
    )
    parser.add_argument(
        "--hand-in",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="a folder to show as a submission; may be repeated",
    )
    parser.add_argument(
        "--notes", action="store_true", help="show the speaker's notes, following the stage on this machine"
    )
    add_judge_options(parser, "the judge (default forge): ")
    add_running_options(parser)


def _fill_lab(parser: ArgumentParser) -> None:
    parser.add_argument("boss", metavar="BOSS", help="a boss, or a pack's folder")
    parser.add_argument("--compare", metavar="DIR", type=Path, help="print what two judges say about this submission")
    names = "forge, claude, panel, claude:MODEL, before, after (the forge with your saved or your drafted rubric)"
    parser.add_argument("--judges", metavar="A,B", default="", help=f"the two judges (default forge,claude): {names}")
    parser.add_argument("--json", action="store_true", help="print the comparison as JSON")
    add_judge_options(parser, "the judge at the start: ")
    add_running_options(parser)


def _fill_tour(parser: ArgumentParser) -> None:
    parser.add_argument("--auto", action="store_true", help="play by itself, over and over, until a key is pressed")


TEACHING_COMMANDS: dict[str, FillParser] = {
    "stage": _fill_stage,
    "lab": _fill_lab,
    "tour": _fill_tour,
}
"""The commands for teaching, and what adds the options of each."""
