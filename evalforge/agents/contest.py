"""A contest: a command-line agent fights bosses in fresh folders, with feedback from attempt to attempt."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalforge.agents.agent_feedback import Feedback, feedback_on, feedback_page
from evalforge.agents.agent_process import AgentCommand, AgentEnding, AgentFolders, run_agent
from evalforge.agents.contest_journal import ContestJournal, ContestPlan, ContestTry
from evalforge.fight import FightOptions, Forge
from evalforge.model.errors import SubmissionError
from evalforge.model.fight_record import record_fight
from evalforge.packs.atomic_files import write_text
from evalforge.packs.new_folders import create_starter
from evalforge.packs.pack import BossPack
from evalforge.packs.path_checks import is_folder
from evalforge.packs.private_files import close_tree_to_others, make_private_folders

_MIN_COPIED_CHARS = 200
"""A shorter file may be the same by chance."""


@dataclass(frozen=True)
class Contest:
    """What a contest needs.

    Attributes:
        folder: The folder with its runs, journal and tables.
        packs: The bosses.
        command: How to start the agent.
        options: How its folders are judged.
    """

    folder: Path
    plan: ContestPlan
    packs: tuple[BossPack, ...]
    command: AgentCommand
    options: FightOptions


async def run_contest(
    contest: Contest, journal: ContestJournal, forge: Forge, report: Callable[[ContestTry], None]
) -> None:
    """Run what the journal doesn't hold yet. A repeat ends when the boss falls, or after its last attempt."""
    for repeat in range(1, contest.plan.repeats + 1):
        for pack in contest.packs:
            ended = journal.of(pack.boss_id, repeat)
            while len(ended) < contest.plan.tries and not any(agent_try.passed for agent_try in ended):
                done = await _run_try(contest, forge, pack, repeat, len(ended) + 1)
                journal.add(done)
                report(done)
                ended.append(done)


async def _run_try(contest: Contest, forge: Forge, pack: BossPack, repeat: int, number: int) -> ContestTry:
    run_folder = contest.folder / "runs" / f"{pack.boss_id}-{repeat}"
    folders = _lay_out(pack, run_folder, number)
    agent = await run_agent(contest.command, folders, run_folder / f"try-{number}.log")
    try:
        record = await record_fight(forge.fight(pack, folders.work, contest.options))
        feedback = feedback_on(pack, record)
    except SubmissionError as error:
        # Nothing that can be judged was built: that is the agent's doing, unlike an ungraded attempt.
        feedback = Feedback(boss_id=pack.boss_id, attempt_id="", summary=str(error), score_total=0, integrity=0)
        feedback = feedback.model_copy(update={"score_max": pack.rubric.max_score, "verdict": "fail"})
    write_text(run_folder / f"feedback-{number}.md", feedback_page(feedback))
    return _ended_try(pack, repeat, number, agent, feedback, copied_exemplar(pack, folders.work))


def _lay_out(pack: BossPack, run_folder: Path, number: int) -> AgentFolders:
    """Create the folders of an attempt: its work starts from the starter, later from the previous attempt."""
    work, home = run_folder / f"try-{number}", run_folder / f"home-{number}"
    for folder in (work, home):
        shutil.rmtree(folder, ignore_errors=True)
    make_private_folders(run_folder)
    if number > 1:
        shutil.copytree(run_folder / f"try-{number - 1}", work, symlinks=True, ignore=_special_files)
    elif is_folder(pack.starter):
        create_starter(pack, work)
    else:
        make_private_folders(work)
    make_private_folders(home)
    close_tree_to_others(work)
    task = run_folder / "task.md"
    write_text(task, task_page(pack))
    return AgentFolders(work, home, task, run_folder / f"feedback-{number - 1}.md")


def _special_files(folder: str, names: list[str]) -> list[str]:
    """Name pipes, sockets and devices, which can't be copied: reading one could block forever."""
    paths = {name: Path(folder) / name for name in names}
    return [name for name, path in paths.items() if not (path.is_symlink() or path.is_file() or path.is_dir())]


def _ended_try(
    pack: BossPack, repeat: int, number: int, agent: AgentEnding, feedback: Feedback, copied: str
) -> ContestTry:
    return ContestTry(
        boss_id=pack.boss_id,
        repeat=repeat,
        number=number,
        ended=agent.state,
        exit_status=agent.exit_status,
        seconds=agent.seconds,
        attempt_id=feedback.attempt_id,
        verdict=feedback.verdict,
        passed=feedback.passed,
        score_total=feedback.score_total,
        score_max=feedback.score_max,
        integrity=feedback.integrity,
        levels=feedback.criteria,
        ungraded=feedback.ungraded,
        copied=copied,
    )


def task_page(pack: BossPack) -> str:
    """Write the agent's task as Markdown: mission, contract and rubric, and nothing about the trials."""
    definition = pack.definition
    lines = [f"# {definition.title}", "", "Build this in the current folder. It is judged by running it.", ""]
    if definition.metadata.entry_files:
        lines += [f"The program: {', '.join(definition.metadata.entry_files)}", ""]
    lines += ["## Mission", "", definition.long_description.strip(), ""]
    lines += ["## Contract", "", definition.metadata.contract.strip(), ""]
    lines += ["## Rubric", "", f"The boss falls at {pack.rubric.overall.pass_threshold:g} points."]
    for criterion in pack.rubric.criteria:
        lines += ["", f"### {criterion.label}", "", criterion.description.strip(), ""]
        lines += [f"- {level.score:g} {level.label}: {level.full_description}" for level in criterion.levels]
    return "\n".join(lines) + "\n"


def copied_exemplar(pack: BossPack, folder: Path) -> str:
    """Return the exemplar that a Python file of a folder copies; empty if none."""
    own = {text for path in _python_files(folder) if (text := _text(path))}
    for exemplar in pack.exemplars:
        if any(_text(path) in own for path in _python_files(exemplar)):
            return exemplar.name
    return ""


def _python_files(folder: Path) -> Sequence[Path]:
    return [path for path in folder.rglob("*.py") if path.is_file() and not path.is_symlink()]


def _text(path: Path) -> str:
    text = "".join(path.read_text("utf-8", "replace").split())
    return text if len(text) >= _MIN_COPIED_CHARS else ""
