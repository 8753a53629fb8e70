"""The words of the command line: commands, options, and what they are for."""

from argparse import SUPPRESS, ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path

from evalforge import __version__
from evalforge.cli.agent_parser import add_agent_commands
from evalforge.cli.authoring_parser import add_authoring_commands
from evalforge.cli.class_parser import add_class_commands
from evalforge.cli.command_parser import CommandParser
from evalforge.cli.options import (
    Commands,
    add_command,
    add_common_options,
    add_format_option,
    add_id_argument,
    add_judge_options,
    add_running_options,
    add_target_arguments,
    add_write_option,
)
from evalforge.cli.pack_parser import add_pack_commands
from evalforge.model.text import replace_unencodable

_EXIT_STATUSES = """\
exit status: 0 passed (or done), 1 judged and not passed, 2 wrong usage or unusable input, 3 could not be judged,
130 stopped with Ctrl+C

EVALFORGE_HOME names the folder for attempts, EVALFORGE_BOSSES folders with further bosses; EVALFORGE_JUDGE,
EVALFORGE_MODEL, EVALFORGE_BASE_URL, EVALFORGE_BUDGET, EVALFORGE_PYTHON and EVALFORGE_MOTION are defaults of the
options, EVALFORGE_THEME names the game's colours, EVALFORGE_FOLDER the folder for starters and exports. config.toml in
XDG_CONFIG_HOME/evalforge (or in EVALFORGE_HOME; `evalforge doctor` names it) holds the same as bosses, judge, model,
base_url, budget, python, motion, theme and folder. Keys come from where the Anthropic SDK looks for them
(ANTHROPIC_API_KEY, a profile), for a server named by --base-url from EVALFORGE_API_KEY; EvalForge never stores one."""


def command_line() -> ArgumentParser:
    """Everything that can be asked on the command line."""
    parser = ArgumentParser(
        prog="evalforge",
        description="A terminal game about engineering skill. Without a command it starts the game.",
        epilog=_EXIT_STATUSES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"evalforge {__version__}")
    add_common_options(parser, top=True)
    parser.add_argument("--motion", choices=["full", "reduced", "none"], help="how much moves on the screen")
    add_judge_options(parser, "the judge the game starts with: ")
    add_running_options(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=CommandParser)
    _add_reading(commands)
    _add_judging(commands)
    _add_past(commands)
    add_class_commands(commands)
    _add_evaluating(commands)
    add_authoring_commands(commands)
    add_pack_commands(commands)
    _add_showing(commands)
    add_agent_commands(commands)
    _add_tools(commands)
    return parser


def _add_reading(commands: Commands) -> None:
    add_command(commands, "bosses", "list the bosses and your standing with each", _fill_bosses)
    add_command(commands, "codex", "read a boss's codex", _fill_boss_page)
    add_command(commands, "rubric", "read a boss's rubric, with every level", _fill_boss_page)
    add_command(commands, "new", "make a starter folder for a boss; never overwrites", _fill_new)


def _fill_bosses(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="as JSON")


def _fill_boss_page(parser: ArgumentParser) -> None:
    parser.add_argument("boss", metavar="BOSS")
    parser.add_argument("--json", action="store_true", help="as JSON")


def _fill_new(parser: ArgumentParser) -> None:
    parser.add_argument("boss", metavar="BOSS")
    parser.add_argument("directory", metavar="DIR", nargs="?", type=Path, help="default: a folder named after the boss")


def _add_judging(commands: Commands) -> None:
    add_command(commands, "judge", "judge a directory against a boss", _fill_judge)
    add_command(commands, "impostors", "your tests alone, against right and wrong programs of a boss", _fill_impostors)
    add_command(
        commands, "watch", "judge a directory after every save; practice is not kept as an attempt", _fill_watch
    )


def _fill_judge(parser: ArgumentParser) -> None:
    add_target_arguments(parser)
    add_judge_options(parser, "")
    parser.add_argument("--notes", metavar="TEXT", default="", help="a word on your approach (default: your README)")
    add_running_options(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the BossEvalResult and nothing else")
    form.add_argument("--plain", action="store_true", help="the whole fight as plain lines, without colour")
    add_format_option(form)
    add_write_option(parser)
    parser.add_argument("--full", action="store_true", help="with --json: the whole attempt instead, evidence and all")
    parser.add_argument("--no-save", action="store_true", help="keep no attempt in history")
    parser.add_argument("--again", action="store_true", help="run everything, also if these files were judged before")


def _fill_impostors(parser: ArgumentParser) -> None:
    add_target_arguments(parser)
    add_running_options(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as JSON")
    form.add_argument("--plain", action="store_true", help="without colour")


def _fill_watch(parser: ArgumentParser) -> None:
    add_target_arguments(parser)
    parser.add_argument("--tests", action="store_true", help="run your tests alone against impostors")
    add_judge_options(parser, "the judge of practice, forge unless named here: ")
    add_running_options(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one line of JSON for each judging")
    form.add_argument("--plain", action="store_true", help="without colour")


def _add_past(commands: Commands) -> None:
    add_command(commands, "attempts", "list past attempts, newest first", _fill_attempts)
    add_command(commands, "attempt", "read one attempt in full", _fill_attempt)
    add_command(
        commands, "compare", "what changed from one attempt to another: levels, trials, facts, files", _fill_compare
    )
    add_command(commands, "replay", "play a stored fight again, in its own time or at once into a pipe", _fill_replay)
    add_command(commands, "card", "write an attempt as a picture to share, a report, or data", _fill_card)
    add_command(commands, "progress", "your rank, achievements and best tries", _fill_progress)


def _fill_attempts(parser: ArgumentParser) -> None:
    parser.add_argument("--boss", metavar="BOSS", type=replace_unencodable, default="", help="only on this boss")
    verdicts = ["fail", "borderline", "pass", "strong-pass"]
    parser.add_argument("--verdict", choices=verdicts, default="", help="only these")
    parser.add_argument("--search", metavar="TEXT", default="", help="in boss and directory, or how the id begins")
    parser.add_argument("--sort", choices=["newest", "integrity", "boss"], default="newest", help="default: newest")
    parser.add_argument("--limit", metavar="N", type=int, default=50, help="how many at most (default 50)")
    parser.add_argument("--json", action="store_true", help="as JSON")


def _fill_attempt(parser: ArgumentParser) -> None:
    add_id_argument(parser, "id", "ID")
    parser.add_argument(
        "--why",
        metavar="CRITERION",
        type=replace_unencodable,
        default="",
        help="how a criterion got its level: rules, facts, trials, calls, and commands that do the same",
    )
    parser.add_argument("--verify", action="store_true", help="is it what was judged? 0 if its receipt matches, else 1")
    parser.add_argument("--json", action="store_true", help="the whole attempt (or the check, or the reasons) as JSON")


def _fill_compare(parser: ArgumentParser) -> None:
    add_id_argument(parser, "before", "ID")
    add_id_argument(parser, "after", "ID")
    parser.add_argument("--json", action="store_true", help="as JSON")


def _fill_replay(parser: ArgumentParser) -> None:
    add_id_argument(parser, "id", "ID")
    parser.add_argument("--speed", metavar="X", default="", help="2 is twice as fast, inf is at once")
    parser.add_argument("--json", action="store_true", help="its events, one line of JSON each")
    parser.add_argument(
        *("-o", "--output", "--record"),
        dest="record",
        metavar="FILE",
        type=Path,
        help="write it as a recording instead: a moving picture (.svg, .gif), or an asciicast of a terminal (.cast)",
    )
    parser.add_argument("--gif", action="store_true", help="the same as a GIF in this folder, named after the fight")


def _fill_card(parser: ArgumentParser) -> None:
    add_id_argument(parser, "id", "ID")
    parser.add_argument(
        *("-o", "--output"), metavar="FILE", type=Path, required=True, help="ends in .svg, .png, .md or .json"
    )


def _fill_progress(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="as JSON")


def _add_evaluating(commands: Commands) -> None:
    add_command(commands, "evaluate", "judge any items against one rubric; or compare two evaluations", _fill_evaluate)


def _fill_evaluate(parser: ArgumentParser) -> None:
    parser.usage = (
        "evalforge evaluate [options] SPEC | evalforge evaluate show NAME [--html FILE] [--csv FILE] [--json] | "
        "evalforge evaluate compare A B [--html FILE] [--json]"
    )
    parser.add_argument("spec", metavar="SPEC", nargs="+", help="a YAML file: judge and items, or ce-optimize's")
    parser.add_argument("--items", metavar="FILE", type=Path, help="what is judged, as JSON or JSONL")
    for name, metavar, help_text in (
        ("--model", "NAME", "the model to ask (default: the spec's)"),
        ("--base-url", "URL", "a server with the Messages API, e.g. http://localhost:11434"),
        ("--budget", "DOLLARS", "what this command may spend, besides the spec's own cap"),
    ):
        parser.add_argument(name, metavar=metavar, type=replace_unencodable, default=SUPPRESS, help=help_text)
    parser.add_argument("--html", metavar="FILE", type=Path, help="a page with scores, strata and every judge's words")
    parser.add_argument("--csv", metavar="FILE", type=Path, help="a table, one row for each item")
    engines = ["messages", "message-batches"]
    parser.add_argument("--engine", choices=engines, default="messages", help="batches: half the price, within a day")
    parser.add_argument("--concurrency", metavar="N", type=int, default=8, help="calls at once (default 8)")
    parser.add_argument("--uncapped", action="store_true", help="allow max_total_cost_usd: null")
    parser.add_argument("--fresh", action="store_true", help="begin anew, whatever was judged before")
    parser.add_argument(
        "--dry-run", action="store_true", help="show the sample, the calls and their price; call no model"
    )
    parser.add_argument("--json", action="store_true", help="as JSON")


def _add_showing(commands: Commands) -> None:
    add_command(commands, "stage", "teach a boss's rubric on a projector, step by step; nothing is kept", _fill_stage)
    add_command(
        commands, "lab", "change a boss's rubric and see every verdict move; two judges side by side", _fill_lab
    )
    add_command(commands, "tour", "two minutes for first-timers: a fight, explained; nothing is kept", _fill_tour)


def _fill_stage(parser: ArgumentParser) -> None:
    parser.add_argument("boss", metavar="BOSS")
    parser.add_argument(
        "--exemplar",
        metavar="NAME",
        nargs="+",
        default=[],
        help="exemplars to judge together (default: a middling one)",
    )
    parser.add_argument(
        "--hand-in", metavar="DIR", type=Path, action="append", default=[], help="a folder to judge together"
    )
    parser.add_argument("--notes", action="store_true", help="the speaker's notes: follow the stage of this machine")
    add_judge_options(parser, "the judge, forge unless named here: ")
    add_running_options(parser)


def _fill_lab(parser: ArgumentParser) -> None:
    parser.add_argument("boss", metavar="BOSS", help="a boss, or a pack's folder")
    parser.add_argument("--compare", metavar="DIR", type=Path, help="print what two judges say of this hand-in")
    names = "forge, claude, panel, claude:MODEL, before, after (the forge by your saved and your drafted rubric)"
    parser.add_argument("--judges", metavar="A,B", default="", help=f"which two (default forge,claude): {names}")
    parser.add_argument("--json", action="store_true", help="the comparison as JSON")
    add_judge_options(parser, "the judge of the game around it: ")
    add_running_options(parser)


def _fill_tour(parser: ArgumentParser) -> None:
    parser.add_argument("--auto", action="store_true", help="goes on by itself, over and over, until a key is pressed")


def _add_tools(commands: Commands) -> None:
    add_command(commands, "serve", "the game in a browser, on this machine", _fill_serve)
    add_command(
        commands, "doctor", "say what works on this machine and what doesn't; 1 if no judging can", _fill_doctor
    )
    add_command(
        commands, "completion", "print what makes a shell complete our commands, bosses and attempts", _fill_completion
    )
    add_command(commands, "schema", "print the JSON Schema of a format", _fill_schema)


def _fill_serve(parser: ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="listen elsewhere (whoever opens it acts as you)")
    parser.add_argument("--port", metavar="N", type=int, default=8000, help="default: 8000")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--stage", metavar="BOSS", default="", help="every page teaches this boss's rubric")
    form.add_argument("--notes", metavar="BOSS", default="", help="every page follows this boss's stage as its notes")
    add_judge_options(parser, "the judge the game starts with: ")
    add_running_options(parser)


def _fill_doctor(parser: ArgumentParser) -> None:
    add_running_options(parser)
    parser.add_argument("--repair", action="store_true", help="first count the tries of the history anew")
    parser.add_argument("--json", action="store_true", help="as JSON")


def _fill_completion(parser: ArgumentParser) -> None:
    parser.add_argument("shell", choices=["bash", "zsh", "fish"], help="bash: source <(evalforge completion bash)")


def _fill_schema(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", default="", help="leave out to list the names")
