"""What help pages say beside options: the commands in groups, their purpose and examples, exit statuses, settings."""

import textwrap
from dataclasses import dataclass

from evalforge.cli.exit_status import ExitStatus
from evalforge.cli.setting_names import SETTINGS


@dataclass(frozen=True)
class CommandHelp:
    """What the help says of a command.

    Attributes:
        summary: What it does, in the few words that the list of commands has room for.
        purpose: Why it is there; a sentence for its own page.
        examples: What to type after ``evalforge``, the simplest use first.
    """

    summary: str
    purpose: str
    examples: tuple[str, ...]

    @property
    def description(self) -> str:
        """The beginning of the command's own page."""
        return f"{self.summary[0].upper()}{self.summary[1:]}. {self.purpose}"


GROUPS: dict[str, dict[str, CommandHelp]] = {
    "play": {
        "new": CommandHelp(
            "make a starter folder for a boss",
            "It holds what you need to begin and remembers its boss; a folder with files in it is never overwritten.",
            ("new training-dummy", "new furnace-controller ~/furnace"),
        ),
        "judge": CommandHelp(
            "judge a folder against a boss",
            "Every criterion gets a level with its reason, and the exit status says whether the boss fell.",
            ("judge", "judge furnace-controller ~/furnace --format markdown"),
        ),
        "watch": CommandHelp(
            "judge a folder after every save",
            "This is practice: you see at once what an edit changed, and no attempt is saved.",
            ("watch", "watch furnace-controller ~/furnace --tests"),
        ),
        "impostors": CommandHelp(
            "try your tests on a boss's right and wrong programs",
            "It shows what your tests miss, even before you have a program of your own.",
            ("impostors", "impostors furnace-controller ~/furnace"),
        ),
        "bosses": CommandHelp(
            "list the bosses and your progress",
            "Commands name a boss by the id that this list shows.",
            ("bosses", "bosses --json"),
        ),
        "codex": CommandHelp(
            "read what a boss asks for",
            "The contract says everything that trials test, so that you can build without opening the game.",
            ("codex furnace-controller", "codex straw-golem --bosses ~/bosses"),
        ),
        "rubric": CommandHelp(
            "read how a boss is scored, level by level",
            "Nothing else decides a score.",
            ("rubric furnace-controller", "rubric furnace-controller --json"),
        ),
        "attempts": CommandHelp(
            "list past attempts, newest first",
            "Each has an id, by which other commands find it.",
            ("attempts", "attempts --boss furnace-controller --limit 10"),
        ),
        "attempt": CommandHelp(
            "read one attempt, or how a level came about",
            "With --why you can follow a level back to the calls that decided it, and repeat them.",
            ("attempt k3m9w2ab", "attempt k3m9w2ab --why robustness"),
        ),
        "compare": CommandHelp(
            "compare two attempts",
            "It shows what your changes did: levels, trials, measurements, files.",
            ("compare k3m9w2ab p7t4x1cd", "compare k3m9w2ab p7t4x1cd --json"),
        ),
        "replay": CommandHelp(
            "play a past fight again, or record it as a picture",
            "A recording shows a fight to somebody who hasn't installed the game.",
            ("replay k3m9w2ab --speed 2", "replay k3m9w2ab -o fight.svg"),
        ),
        "card": CommandHelp(
            "write an attempt as a picture, a report, or data",
            "A file can be shared, printed, or submitted.",
            ("card k3m9w2ab -o card.svg", "card k3m9w2ab -o report.md"),
        ),
        "progress": CommandHelp(
            "show your rank, achievements and best attempts",
            "This is the game's page of progress, for the command line.",
            ("progress", "progress --json"),
        ),
        "tour": CommandHelp(
            "watch one fight, explained, in two minutes",
            "It needs no folder of yours and saves nothing.",
            ("tour", "tour --auto"),
        ),
        "doctor": CommandHelp(
            "check what works on this machine",
            "If something doesn't work, it says what to do; the exit status is 1 if nothing can be judged.",
            ("doctor", "doctor --json"),
        ),
    },
    "teach": {
        "batch": CommandHelp(
            "judge a whole class",
            "Grades and feedback go to the files you name; a second run judges only what changed.",
            (
                "batch furnace-controller submissions/ --html report.html",
                "batch furnace-controller export.zip --roster class.csv --csv grades.csv",
            ),
        ),
        "override": CommandHelp(
            "change a level that the judge gave",
            "You have the last word; the judge's level is kept beside yours.",
            (
                'override k3m9w2ab tests 2 --reason "The errors are tested, too."',
                'override k3m9w2ab tests judged --reason "I misread the tests."',
            ),
        ),
        "comment": CommandHelp(
            "comment on a submission, or on a cluster of them",
            "One comment reaches everybody with the same misunderstanding; no level changes.",
            ('comment k3m9w2ab "Well tested."', "comment k3m9w2ab --saved tests-first"),
        ),
        "stage": CommandHelp(
            "teach a rubric on a projector, step by step",
            "A class sees a fight and guesses each level before the boss reveals it; nothing is saved.",
            ("stage furnace-controller", "stage furnace-controller --notes"),
        ),
        "lab": CommandHelp(
            "change a rubric and see which verdicts change",
            "You see what a wording or a rule does before students meet it; it also compares two judges.",
            ("lab furnace-controller", "lab furnace-controller --compare ~/furnace --judges forge,claude"),
        ),
    },
    "make": {
        "new-boss": CommandHelp(
            "make a small boss of your own that works",
            "You change it file by file and can play it at every step.",
            ("new-boss straw-golem ~/bosses", "new-boss toll-gate --kind library --entry tolls.py --criteria 3"),
        ),
        "check": CommandHelp(
            "run every check on a boss, and say what to fix next",
            "It is all that an author needs before others play the boss.",
            ("check ~/bosses/straw-golem", "check furnace-controller"),
        ),
        "lint": CommandHelp(
            "look for mistakes in the files of a boss",
            "It only reads, which is quick enough for every save.",
            ("lint ~/bosses/straw-golem", "lint furnace-controller --words"),
        ),
        "calibrate": CommandHelp(
            "compare a judge with levels that people gave",
            "The agreement shows how far to trust a judge with this boss.",
            ("calibrate furnace-controller", "calibrate furnace-controller --impostors"),
        ),
        "pack": CommandHelp(
            "write a boss to a zip for students or colleagues",
            "Students get no solutions; colleagues get everything.",
            ("pack straw-golem --for students -o straw-golem.zip", "pack straw-golem --for colleagues -o golem.zip"),
        ),
        "add": CommandHelp(
            "add bosses from a folder, an archive, or git",
            "They are pinned and checked, and run only after you trust them.",
            ("add ~/downloads/toll-gate.zip", "add https://example.org/bosses.git --tag v1"),
        ),
        "packs": CommandHelp(
            "list added bosses; trust, update or remove one",
            "Nothing from elsewhere runs or changes without your decision.",
            ("packs", "packs trust toll-gate"),
        ),
    },
    "connect": {
        "evaluate": CommandHelp(
            "score any items against a rubric with a model",
            "A stratified sample and a price limit keep a large evaluation affordable; two runs can be compared.",
            ("evaluate spec.yaml --dry-run", "evaluate compare before after --html change.html"),
        ),
        "export-autograder": CommandHelp(
            "export a boss as an autograder for Gradescope",
            "Students submit to the course platform and get the judge's levels there.",
            (
                "export-autograder furnace-controller --gradescope -o furnace.zip",
                "export-autograder training-dummy --gradescope -o dummy.zip",
            ),
        ),
        "mcp": CommandHelp(
            "let an agent play, over the Model Context Protocol",
            "Its attempts carry its name and don't count as yours.",
            ("mcp", "mcp --folder ~/agent-work"),
        ),
        "serve": CommandHelp(
            "play in a browser on this machine",
            "The address holds a secret token: whoever has it acts as you.",
            ("serve", "serve --port 9000"),
        ),
        "completion": CommandHelp(
            "print a completion script for your shell",
            "With it the Tab key completes commands, options, bosses and attempts.",
            ("completion bash", "completion fish"),
        ),
        "schema": CommandHelp(
            "print the JSON Schema of a format",
            "Programs of yours can check what they read from the game or write for it.",
            ("schema", "schema boss-eval-result"),
        ),
    },
}
"""All commands by what they are for."""

COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}
"""All commands by name."""

STATUSES = {
    ExitStatus.SUCCESS: "passed, or done",
    ExitStatus.NOT_PASSED: "judged and not passed",
    ExitStatus.UNUSABLE: "wrong usage or unusable input",
    ExitStatus.UNGRADED: "could not be judged",
    ExitStatus.INTERRUPTED: "stopped with Ctrl+C",
}
"""What each exit status means, in a few words."""

NOTES = (
    "config.toml (`evalforge doctor` names the file) has the keys "
    + ", ".join(setting.key for setting in SETTINGS if setting.key)
    + ".",
    (
        "Claude's key comes from where the Anthropic SDK looks for it (ANTHROPIC_API_KEY, or a profile). "
        "EvalForge never stores a key. `evalforge COMMAND --help` explains a command."
    ),
)
"""Further notes on settings, one paragraph each."""


def examples_of(command: str) -> str:
    """Return the examples of a command, as the end of its help page."""
    return "\n".join(["examples:", *(f"  evalforge {example}" for example in COMMANDS[command].examples)])


def grouped_commands() -> str:
    """Return all commands in their groups, a line each, as the beginning of the main help page."""
    lines = ["A terminal game about engineering skill. Without a command it starts the game."]
    for title, group in GROUPS.items():
        lines += ["", f"{title}:", *(f"  {name:<19}{command.summary}" for name, command in group.items())]
    return "\n".join(lines)


def statuses_and_settings() -> str:
    """Return exit statuses, environment variables and keys of ``config.toml``, as the end of the main help page."""
    statuses = [f"  {status.value:<5}{meaning}" for status, meaning in STATUSES.items()]
    variables = [f"  {setting.variable:<23}{setting.meaning}" for setting in SETTINGS if setting.variable]
    notes = ("\n".join(textwrap.wrap(note, 88, break_on_hyphens=False)) for note in NOTES)
    return "\n\n".join(["\n".join(["exit status:", *statuses]), "\n".join(["environment:", *variables]), *notes])
