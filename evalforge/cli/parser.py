"""The parser of the command line: commands, options, and their help texts."""

from argparse import SUPPRESS, ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path

from evalforge.cli.authoring_parser import AUTHORING_COMMANDS
from evalforge.cli.class_parser import CLASS_COMMANDS
from evalforge.cli.command_parser import CommandParser, OutputParser, VersionAction
from evalforge.cli.help_pages import COMMANDS, grouped_commands, statuses_and_settings
from evalforge.cli.options import (
    FillParser,
    add_boss_argument,
    add_command,
    add_common_options,
    add_format_option,
    add_id_argument,
    add_judge_options,
    add_running_options,
    add_target_arguments,
    add_write_option,
)
from evalforge.cli.pack_parser import PACK_COMMANDS
from evalforge.cli.teaching_parser import TEACHING_COMMANDS
from evalforge.model.text import replace_unencodable


def command_line() -> ArgumentParser:
    """Return the parser of the whole command line."""
    parser = OutputParser(
        prog="evalforge",
        usage="%(prog)s [options] [COMMAND ...]",
        description=grouped_commands(),
        epilog=statuses_and_settings(),
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=VersionAction)
    add_common_options(parser, top=True)
    parser.add_argument("--motion", choices=["full", "reduced", "none"], help="how much moves on the screen")
    add_judge_options(parser, "the judge at the start: ")
    add_running_options(parser)
    # The description lists them, in groups; argparse knows one list only.
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", help=SUPPRESS, prog=parser.prog, parser_class=CommandParser
    )
    for name in COMMANDS:
        add_command(commands, name, _FILLS[name])
    return parser


def _fill_bosses(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="as JSON")


def _fill_boss_page(parser: ArgumentParser) -> None:
    add_boss_argument(parser)
    parser.add_argument("--json", action="store_true", help="as JSON")


def _fill_new(parser: ArgumentParser) -> None:
    add_boss_argument(parser)
    parser.add_argument("directory", metavar="DIR", nargs="?", type=Path, help="default: a folder named after the boss")


def _fill_judge(parser: ArgumentParser) -> None:
    add_target_arguments(parser)
    add_judge_options(parser, "")
    parser.add_argument("--notes", metavar="TEXT", default="", help="a note on your approach (default: your README)")
    add_running_options(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print only the BossEvalResult")
    form.add_argument("--plain", action="store_true", help="print every line of the fight, without colour")
    add_format_option(form)
    add_write_option(parser)
    full = "list the trials that passed, too; with --json: print the whole attempt, evidence included"
    parser.add_argument("--full", action="store_true", help=full)
    parser.add_argument("--no-save", action="store_true", help="don't save an attempt")
    parser.add_argument("--again", action="store_true", help="run everything, even if these files were judged before")


def _fill_impostors(parser: ArgumentParser) -> None:
    add_target_arguments(parser)
    add_running_options(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as JSON")
    form.add_argument("--plain", action="store_true", help="without colour")


def _fill_watch(parser: ArgumentParser) -> None:
    add_target_arguments(parser)
    parser.add_argument("--tests", action="store_true", help="run only your tests, against impostors")
    add_judge_options(parser, "the judge for practice (default forge): ")
    add_running_options(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one line of JSON for each result")
    form.add_argument("--plain", action="store_true", help="without colour")


def _fill_attempts(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--boss", metavar="BOSS", type=replace_unencodable, default="", help="only attempts on this boss"
    )
    verdicts = ["fail", "borderline", "pass", "strong-pass"]
    parser.add_argument("--verdict", choices=verdicts, default="", help="only these")
    parser.add_argument(
        "--search", metavar="TEXT", default="", help="text in the boss or folder, or the start of an id"
    )
    parser.add_argument("--sort", choices=["newest", "integrity", "boss"], default="newest", help="default: newest")
    parser.add_argument("--limit", metavar="N", type=int, default=50, help="how many to list (default 50)")
    parser.add_argument("--json", action="store_true", help="as JSON")


def _fill_attempt(parser: ArgumentParser) -> None:
    add_id_argument(parser, "id", "ID")
    parser.add_argument(
        "--why",
        metavar="CRITERION",
        nargs="?",
        type=replace_unencodable,
        default=None,
        const="",
        help="how a criterion got its level: rules, facts, trials, calls, and commands that repeat them (without a "
        "name: which criteria there are)",
    )
    parser.add_argument(
        "--verify",
        action="store_true",
        help="verify the attempt against its receipt; exit status 0 if it matches, else 1",
    )
    parser.add_argument("--json", action="store_true", help="print the attempt, the check or the reasons as JSON")


def _fill_compare(parser: ArgumentParser) -> None:
    add_id_argument(parser, "before", "ID")
    add_id_argument(parser, "after", "ID")
    parser.add_argument("--json", action="store_true", help="as JSON")


def _fill_replay(parser: ArgumentParser) -> None:
    add_id_argument(parser, "id", "ID")
    parser.add_argument("--speed", metavar="X", default="", help="2 is twice as fast, inf shows the end at once")
    parser.add_argument("--json", action="store_true", help="print the events, one line of JSON each")
    parser.add_argument(
        *("-o", "--output"),
        metavar="FILE",
        type=Path,
        help="write a recording instead: a moving picture (.svg, .gif) or an asciicast (.cast)",
    )


def _fill_card(parser: ArgumentParser) -> None:
    add_id_argument(parser, "id", "ID")
    parser.add_argument(
        *("-o", "--output"),
        metavar="FILE",
        type=Path,
        required=True,
        help="the file to write; ends in .svg, .png, .md or .json",
    )


def _fill_progress(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="as JSON")


def _fill_evaluate(parser: ArgumentParser) -> None:
    parser.usage = (
        "evalforge evaluate [options] SPEC | evalforge evaluate show NAME [--html FILE] [--csv FILE] [--json] | "
        "evalforge evaluate compare A B [--html FILE] [--json]"
    )
    parser.add_argument(
        "spec", metavar="SPEC", nargs="+", help="the spec, a YAML file with judge and items (ce-optimize's work too)"
    )
    parser.add_argument("--items", metavar="FILE", type=Path, help="the items, as JSON, JSONL or CSV")
    for name, metavar, help_text in (
        ("--model", "NAME", "the model to ask (default: the spec's)"),
        ("--base-url", "URL", "a server with the Messages API, e.g. http://localhost:11434"),
        ("--budget", "DOLLARS", "budget of this command in dollars, besides the spec's cap"),
    ):
        parser.add_argument(name, metavar=metavar, type=replace_unencodable, default=SUPPRESS, help=help_text)
    parser.add_argument(
        "--html", metavar="FILE", type=Path, help="write a page with scores, strata and every judge's words"
    )
    parser.add_argument("--csv", metavar="FILE", type=Path, help="write a table with one row per item")
    engines = ["messages", "message-batches"]
    parser.add_argument(
        "--engine", choices=engines, default="messages", help="message-batches costs half and may take a day"
    )
    parser.add_argument("--concurrency", metavar="N", type=int, default=8, help="parallel calls (default 8)")
    parser.add_argument("--uncapped", action="store_true", help="allow max_total_cost_usd: null in the spec")
    parser.add_argument("--fresh", action="store_true", help="start over, whatever was judged before")
    parser.add_argument(
        "--dry-run", action="store_true", help="show the sample, the calls and their price without calling a model"
    )
    parser.add_argument("--json", action="store_true", help="as JSON")


def _fill_mcp(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--folder",
        metavar="DIR",
        type=Path,
        action="append",
        help="a folder whose contents it may submit; may be repeated (default: here)",
    )
    parser.add_argument(
        "--agent", metavar="NAME", type=replace_unencodable, default="", help="its name (default: what its client says)"
    )
    add_judge_options(parser, "the judge (default forge): ")


def _fill_serve(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--host", default="127.0.0.1", help="the address to listen on (anybody who opens it acts as you)"
    )
    parser.add_argument("--port", metavar="N", type=int, default=8000, help="default: 8000")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--stage", metavar="BOSS", default="", help="every page opens the stage of this boss")
    form.add_argument(
        "--notes", metavar="BOSS", default="", help="every page shows the speaker's notes of this boss's stage"
    )
    add_judge_options(parser, "the judge at the start: ")
    add_running_options(parser)


def _fill_doctor(parser: ArgumentParser) -> None:
    add_running_options(parser)
    parser.add_argument("--repair", action="store_true", help="first count the attempts in the history again")
    parser.add_argument("--json", action="store_true", help="as JSON")


def _fill_completion(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=["bash", "zsh", "fish"], help="bash: source <(evalforge completion bash)")


def _fill_schema(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", default="", help="the format (default: list the names)")


_FILLS: dict[str, FillParser] = {
    "bosses": _fill_bosses,
    "codex": _fill_boss_page,
    "rubric": _fill_boss_page,
    "new": _fill_new,
    "judge": _fill_judge,
    "impostors": _fill_impostors,
    "watch": _fill_watch,
    "attempts": _fill_attempts,
    "attempt": _fill_attempt,
    "compare": _fill_compare,
    "replay": _fill_replay,
    "card": _fill_card,
    "progress": _fill_progress,
    "evaluate": _fill_evaluate,
    "mcp": _fill_mcp,
    "serve": _fill_serve,
    "doctor": _fill_doctor,
    "completion": _fill_completion,
    "schema": _fill_schema,
    **CLASS_COMMANDS,
    **AUTHORING_COMMANDS,
    **PACK_COMMANDS,
    **TEACHING_COMMANDS,
}
"""What adds the options of each command."""
