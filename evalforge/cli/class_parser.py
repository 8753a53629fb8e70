"""The parsers of the commands about a class: batch, override and comment."""

from argparse import SUPPRESS, ArgumentParser
from pathlib import Path

from evalforge.cli.options import (
    FillParser,
    add_boss_argument,
    add_format_option,
    add_id_argument,
    add_judge_options,
    add_write_option,
)
from evalforge.model.text import replace_unencodable


def _fill_batch(parser: ArgumentParser) -> None:
    add_boss_argument(parser)
    parser.add_argument(
        "place",
        metavar="DIR",
        type=Path,
        help="a folder with one folder, zip or file for each student, or an export of a course platform",
    )
    add_judge_options(parser, "the judge (default forge): ")
    parser.add_argument(
        "--python", metavar="PATH", default=SUPPRESS, help="the Python interpreter that runs the submissions"
    )
    parser.add_argument(
        "--workers", metavar="N", type=int, help="how many submissions are judged at once (default: one for each core)"
    )
    parser.add_argument("--roster", metavar="FILE", type=Path, help="a CSV file with the students of the class")
    parser.add_argument(
        "--name", metavar="NAME", default="", help="the class's name for later runs (default: its path)"
    )
    parser.add_argument(
        "--grading", metavar="FILE", type=Path, help="your scale from scores to points, and late penalties (YAML)"
    )
    parser.add_argument("--again", action="store_true", help="judge everybody again, changed or not")
    parser.add_argument("--screen", action="store_true", help="show it in the game: a wall of HP bars, then tabs")
    parser.add_argument("--engine", choices=["local", "dask"], default="local", help="where code runs (default: here)")
    parser.add_argument("--scheduler", metavar="ADDRESS", default="", help="of a Dask cluster, e.g. tcp://host:8786")
    add_format_option(parser)
    add_write_option(parser)
    for name, metavar, help_text in (
        ("csv", "FILE", "a table with one row per submission"),
        ("json", "FILE", "everything, as data"),
        ("html", "FILE", "a self-contained page with plots"),
        ("feedback", "DIR", "a Markdown file for each student"),
        ("student-pages", "DIR", "an HTML page for each student"),
        ("gradescope", "DIR", "a results.json for each submission"),
        ("github", "DIR|FILE", "autograding results for GitHub Classroom; one file if it ends in .json"),
        ("prairielearn", "DIR", "a results.json for each submission, as PrairieLearn reads them"),
        ("moodle", "FILE", "a grading worksheet for Moodle (CSV)"),
        ("canvas", "FILE", "a gradebook for Canvas (CSV)"),
        ("moodle-feedback", "FILE", "a zip of feedback files for Moodle, a page for each student"),
        ("blackboard", "FILE", "grades for Blackboard's upload (CSV)"),
        ("brightspace", "FILE", "grades for Brightspace's import (CSV)"),
        ("junit", "FILE", "JUnit XML, one suite per submission"),
        ("items", "FILE", "clusters and singletons as items for `evalforge evaluate` (JSONL)"),
    ):
        parser.add_argument(f"--{name}", metavar=metavar, type=Path, help=help_text)


def _fill_override(parser: ArgumentParser) -> None:
    add_id_argument(parser, "id", "ATTEMPT|RUN:CLUSTER")
    parser.add_argument("criterion", metavar="CRITERION", help="its id in the rubric")
    parser.add_argument("level", metavar="LEVEL", help="a level's score or label; `judged` removes your override")
    parser.add_argument("--reason", metavar="TEXT", type=replace_unencodable, required=True, help="why")


def _fill_comment(parser: ArgumentParser) -> None:
    parser.add_argument(
        "target",
        metavar="ATTEMPT|RUN:CLUSTER|RUN:ROW",
        nargs="?",
        type=replace_unencodable,
        default="",
        help="an attempt, or all of a cluster",
    )
    parser.add_argument("text", metavar="TEXT", nargs="?", type=replace_unencodable, default="", help="what to write")
    parser.add_argument("--saved", metavar="NAME", type=replace_unencodable, default="", help="write a saved comment")
    parser.add_argument("--save", metavar="NAME", type=replace_unencodable, default="", help="save TEXT under a name")
    parser.add_argument("--withdraw", action="store_true", help="remove comments: all, or those with TEXT")
    parser.add_argument("--list", action="store_true", help="list the saved comments")


def _fill_export_autograder(parser: ArgumentParser) -> None:
    add_boss_argument(parser)
    form = parser.add_mutually_exclusive_group(required=True)
    form.add_argument("--gradescope", action="store_true", help="a zip for Gradescope's programming assignments")
    parser.add_argument(*("-o", "--output"), metavar="FILE", type=Path, required=True, help="the zip to write")


CLASS_COMMANDS: dict[str, FillParser] = {
    "batch": _fill_batch,
    "override": _fill_override,
    "comment": _fill_comment,
    "export-autograder": _fill_export_autograder,
}
"""The commands about a class, and what adds the options of each."""
