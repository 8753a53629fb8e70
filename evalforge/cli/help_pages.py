"""The ends of help pages: examples for each command; exit statuses and settings for the main page."""

import textwrap

from evalforge.cli.exit_status import ExitStatus
from evalforge.cli.setting_names import SETTINGS

EXAMPLES: dict[str, tuple[str, ...]] = {
    "bosses": ("bosses", "bosses --json"),
    "codex": ("codex furnace-controller", "codex straw-golem --bosses ~/bosses"),
    "rubric": ("rubric furnace-controller", "rubric furnace-controller --json"),
    "new": ("new training-dummy", "new furnace-controller ~/furnace"),
    "judge": ("judge", "judge furnace-controller ~/furnace --format markdown"),
    "impostors": ("impostors", "impostors furnace-controller ~/furnace"),
    "watch": ("watch", "watch furnace-controller ~/furnace --tests"),
    "attempts": ("attempts", "attempts --boss furnace-controller --limit 10"),
    "attempt": ("attempt k3m9w2ab", "attempt k3m9w2ab --why robustness"),
    "compare": ("compare k3m9w2ab p7t4x1cd", "compare k3m9w2ab p7t4x1cd --json"),
    "replay": ("replay k3m9w2ab --speed 2", "replay k3m9w2ab -o fight.svg"),
    "card": ("card k3m9w2ab -o card.svg", "card k3m9w2ab -o report.md"),
    "progress": ("progress", "progress --json"),
    "batch": (
        "batch furnace-controller submissions/ --html report.html",
        "batch furnace-controller export.zip --roster class.csv --csv grades.csv",
    ),
    "override": (
        'override k3m9w2ab tests 2 --reason "The errors are tested, too."',
        'override k3m9w2ab tests judged --reason "I misread the tests."',
    ),
    "comment": ('comment k3m9w2ab "Well tested."', "comment k3m9w2ab --saved tests-first"),
    "export-autograder": (
        "export-autograder furnace-controller --gradescope -o furnace.zip",
        "export-autograder training-dummy --gradescope -o dummy.zip",
    ),
    "evaluate": ("evaluate spec.yaml --dry-run", "evaluate compare before after --html change.html"),
    "lint": ("lint ~/bosses/straw-golem --fast", "lint furnace-controller --words"),
    "check": ("check ~/bosses/straw-golem", "check furnace-controller"),
    "calibrate": ("calibrate furnace-controller", "calibrate furnace-controller --impostors"),
    "pack": ("pack straw-golem --for students -o straw-golem.zip", "pack straw-golem --for colleagues -o golem.zip"),
    "new-boss": ("new-boss straw-golem ~/bosses", "new-boss toll-gate --kind library --entry tolls.py --criteria 3"),
    "add": ("add ~/downloads/toll-gate.zip", "add https://example.org/bosses.git --tag v1"),
    "packs": ("packs", "packs trust toll-gate"),
    "stage": ("stage furnace-controller", "stage furnace-controller --notes"),
    "lab": ("lab furnace-controller", "lab furnace-controller --compare ~/furnace --judges forge,claude"),
    "tour": ("tour", "tour --auto"),
    "mcp": ("mcp", "mcp --folder ~/agent-work"),
    "arena": (
        'arena --agent "my-agent --print" --bosses training-dummy',
        'arena --agent "my-agent --print" --bosses training-dummy furnace-controller --tries 2 --repeats 5',
    ),
    "serve": ("serve", "serve --port 9000"),
    "doctor": ("doctor", "doctor --json"),
    "completion": ("completion bash", "completion fish"),
    "schema": ("schema", "schema boss-eval-result"),
}
"""What to type after ``evalforge``, by command: the simplest use first."""

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
    return "\n".join(["examples:", *(f"  evalforge {example}" for example in EXAMPLES[command])])


def statuses_and_settings() -> str:
    """Return exit statuses, environment variables and keys of ``config.toml``, as the end of the main help page."""
    statuses = [f"  {status.value:<5}{meaning}" for status, meaning in STATUSES.items()]
    variables = [f"  {setting.variable:<23}{setting.meaning}" for setting in SETTINGS if setting.variable]
    notes = ("\n".join(textwrap.wrap(note, 88, break_on_hyphens=False)) for note in NOTES)
    return "\n\n".join(["\n".join(["exit status:", *statuses]), "\n".join(["environment:", *variables]), *notes])
