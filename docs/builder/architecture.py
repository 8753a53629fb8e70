"""The page of the architecture: ten boxes with their arrows, read from the imports, and one path through them."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "evalforge"


@dataclass(frozen=True)
class Box:
    """Some packages that do one thing together.

    Attributes:
        name: What the page calls it.
        task: What it does, in one sentence.
        packages: The packages and modules of ``evalforge`` that belong to it.
    """

    name: str
    task: str
    packages: tuple[str, ...]


BOXES = (
    Box("Commands", "The command line, in text and JSON.", ("cli", "__main__")),
    Box("Game", "The screens. They draw, and decide nothing.", ("app",)),
    Box("Workshop", "For authors, teachers and agents: checks and changes bosses, judges classes and any other items.",
        ("lab", "pack_check", "calibration", "decoys", "agents", "classroom", "evaluate")),
    Box("Fight", "The one path of a fight, as a stream of events.",
        ("fight", "watcher", "engine_pool", "measurements", "own_failure")),
    Box("Judges", "From a case to one judgement for each criterion; asks models.", ("judges", "llm")),
    Box("Evidence", "Facts about a submission, from what its code and tests do, and what facts earn.", ("evidence",)),
    Box("Attempts", "The database of attempts, and what is computed from them.", ("history", "reports")),
    Box("Packs", "Bosses and submissions, from files.", ("packs", "submissions")),
    Box("Sandbox", "Runs code that nobody trusts.", ("sandbox",)),
    Box("Model", "The data that all others speak in, and pure functions on it.", ("model", "progress")),
)  # fmt: skip

STOPS = (
    ("app/fight/arena.py", "ArenaScreen._start_fight", "reads the folder once more and opens the fight"),
    ("app/core/navigation.py", "Navigator.open_fight", "puts its screen on top"),
    ("app/fight/screen.py", "FightScreen.begin", "lets the boss enter as the last attempt left it"),
    ("app/fight/fight_run.py", "FightRun._judge", "takes the events of the fight, to be shown at a readable pace"),
    ("fight.py", "Forge.fight", "makes the events, and stores the attempt before and after"),
    ("submissions/boss_submission.py", "collect_for", "turns the folder into a submission: files, limits, entry file"),
    ("measurements.py", "Measurements.find_with_time", "answers from earlier measurements, if what runs is the same"),
    ("evidence/engine.py", "Engine.gather", "asks the trial worker, a process of its own, for trials and facts"),
    ("evidence/trial_worker.py", "gather", "measures everything, the player's tests beside the trials"),
    ("evidence/trials/run_trials.py", "collect_trials", "runs the boss's trials in pytest"),
    ("sandbox/client.py", "Host.run", "sends what a trial calls to the host, and checks the answer"),
    ("sandbox/host/runs/server.py", "serve_requests", "forks a child for each run, and isolates it"),
    ("evidence/effects/measure.py", "EffectMeasurement.facts", "finds by further runs what the code does"),
    ("evidence/suite/run.py", "run", "runs the player's tests on right programs, impostors and mutants"),
    ("judges/forge.py", "ForgeJudge.judge", "judges each criterion from the facts"),
    ("evidence/earned_levels.py", "earned_level", "finds the highest level whose conditions hold"),
    ("model/scoring.py", "score", "adds up, and gives the verdict"),
    ("history/store.py", "History.finish", "keeps the attempt"),
    ("app/fight/stage/stage.py", "Stage.present", "shows an event: a trial, a strike, the end"),
    ("app/fight/stage/hp_bar.py", "HpBar.strike", "strikes a criterion's points off the bar, or lets them heal"),
    ("model/hp.py", "HpScale.life", "says how much life is left"),
    ("app/ui/widgets/hp_bar_cells.py", "bar_cells", "draws it"),
)
"""From a folder to the HP bar: file, function, and what happens there."""

_CHANGES = (
    ("a fact", "`evidence/` measures it, `packs/fact_catalogue.py` names it, a boss's `evidence.yaml` asks for it"),
    ("what earns a level", "the boss's `evidence.yaml`; how conditions are read, `evidence/earned_levels.py`"),
    ("a boss", "its folder in `bosses/`; `evalforge check` says what is wrong with it"),
    ("a screen", "its folder in `app/`; `app/core/navigation.py` opens it, `make pictures` accepts how it looks"),
    ("the HP bar", "`model/hp.py` for its rule, `app/ui/widgets/hp_bar_cells.py` for its look"),
    ("an export", "`reports/` for attempts, `classroom/` for classes, `evaluate/` for items"),
    ("a command", "one module in `cli/commands/`, its arguments in `cli/parser.py`, its text in `cli/text/`"),
    ("a setting", "`cli/setting_names.py` and `cli/settings.py`; in the game, `app/home/settings_screen.py`"),
    ("a judge", "`judges/`: `base.py` is the protocol, `registry.py` the list"),
)


def architecture_page() -> str:
    """The boxes with their arrows, the path of a fight, and where to change what."""
    arrows = box_arrows()
    lines = [
        "# Architecture",
        "",
        "EvalForge is ten boxes. Each uses only boxes below it; what it uses is read from the imports.",
        "",
        "```text",
        *_drawing(arrows),
        "```",
        "",
        "| box | task | in `evalforge/` |",
        "|---|---|---|",
        *(f"| {box.name} | {box.task} | {', '.join(f'`{name}`' for name in box.packages)} |" for box in BOXES),
        "",
        "## From a folder to the HP bar",
        "",
        f"A fight in the game passes these {len(STOPS)} functions:",
        "",
        *(f"{number}. `{file}`, `{name}` {task}." for number, (file, name, task) in enumerate(STOPS, 1)),
        "",
        "The command line takes the same path from the fifth on, and prints the events.",
        "",
        "## Where to change what",
        "",
        "| to change | go to |",
        "|---|---|",
        *(f"| {subject} | {places} |" for subject, places in _CHANGES),
        "",
        "[The design records](design/README.md) say why it is so, [the sandbox](sandbox.md) how code is isolated.",
    ]
    return "\n".join(lines) + "\n"


def box_arrows() -> dict[str, set[str]]:
    """The boxes that each box imports, itself aside."""
    box_of = {package: box.name for box in BOXES for package in box.packages}
    arrows: dict[str, set[str]] = {box.name: set() for box in BOXES}
    for file in SOURCE.rglob("*.py"):
        package = file.relative_to(SOURCE).parts[0].removesuffix(".py")
        if package == "__init__":
            continue
        arrows[box_of[package]] |= {box_of[name] for name in _imported(file) if name in box_of}
    return {name: targets - {name} for name, targets in arrows.items()}


def _imported(file: Path) -> Iterator[str]:
    """The packages and modules directly in ``evalforge`` that a file imports."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        yield from (parts[1] for name in names if (parts := name.split("."))[0] == "evalforge" and len(parts) > 1)


def _drawing(arrows: Mapping[str, set[str]]) -> Iterator[str]:
    """A row for each box, from the top, with an arrow to each box below that it uses."""
    width = max(len(box.name) for box in BOXES)
    yield " " * (width + 4) + "uses"
    for box in BOXES:
        targets = [other.name for other in BOXES if other.name in arrows[box.name]]
        yield f"[{box.name.center(width)}]  {'-> ' + ', '.join(targets) if targets else ''}".rstrip()
