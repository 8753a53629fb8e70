"""A contest: a command-line agent against bosses."""

import asyncio
from argparse import Namespace
from pathlib import Path

from evalforge.agents.agent_process import AgentCommand, can_cage, split_command
from evalforge.agents.contest import Contest, run_contest
from evalforge.agents.contest_journal import ContestJournal, ContestPlan, ContestTry
from evalforge.agents.contest_pages import contest_card, contest_page, contest_text
from evalforge.agents.standings import ContestTable, contest_table
from evalforge.cli import output, settings
from evalforge.cli.exit_status import ExitStatus
from evalforge.fight import FightOptions, Forge
from evalforge.history.store import History
from evalforge.judges.registry import make_judge
from evalforge.llm.budget import Budget
from evalforge.model.errors import UsageError
from evalforge.model.text import clean_line
from evalforge.packs.atomic_files import write_text
from evalforge.packs.find_pack import find_pack

_NOT_CAGED = (
    "The agent runs without a sandbox: bubblewrap doesn't work here, or --uncaged was given. It can read all your "
    "files, trials and exemplars included, and processes it starts may outlive its attempt."
)


def arena(arguments: Namespace) -> int:
    """Run or resume a contest, and write its tables.

    Raises:
        UsageError: A number or the list of bosses can't be used.
    """
    for name in ("tries", "repeats", "seconds"):
        if getattr(arguments, name) <= 0:
            raise UsageError(f"--{name} needs a number above 0.")
    config = settings.load(arguments)
    names = [name for listed_names in arguments.fought for name in listed_names.split(",") if name]
    packs = tuple(find_pack(name, config.bosses) for name in dict.fromkeys(names))
    if not packs:
        raise UsageError("--bosses names no boss.", "List them: evalforge bosses")
    judge = getattr(arguments, "judge", None) or "forge"
    make_judge(judge, config.models, Budget())
    caged = not arguments.uncaged and can_cage()
    folder: Path = arguments.output.absolute()
    agent_command = split_command(arguments.agent)
    plan = ContestPlan(
        agent=clean_line(arguments.name or Path(agent_command[0]).name, 60),
        command=agent_command,
        bosses=tuple(pack.boss_id for pack in packs),
        rubric_hashes=tuple(pack.rubric_hash for pack in packs),
        tries=arguments.tries,
        seconds=arguments.seconds,
        repeats=arguments.repeats,
        judge=judge,
        cage="bubblewrap" if caged else "none",
    )
    hidden = (*config.bosses, *(pack.path for pack in packs), config.home, folder, *arguments.hide)
    command = AgentCommand(
        agent_command, tuple(dict.fromkeys(path.resolve() for path in hidden)), plan.seconds, caged, arguments.keep_home
    )
    # Hidden inputs stay hidden: an agent can make as many attempts as it is allowed.
    options = FightOptions(judge=judge, models=config.models, python=config.python, tries=0, agent=plan.agent)
    journal = ContestJournal(folder, plan)
    if not caged:
        output.print_note(_NOT_CAGED)
    with History(config.history) as history:
        try:
            asyncio.run(_run(Contest(folder, plan, packs, command, options), journal, history))
        finally:
            table = contest_table(plan, journal.tries)
            _write(folder, table)
    if arguments.json:
        output.print_json(table.model_dump(mode="json"))
    else:
        for line in contest_text(table):
            output.print_line(output.plain_console(), line)
        output.print_note(f"Tables and card: {folder}")
    return ExitStatus.SUCCESS if all(boss.repeats for boss in table.bosses) else ExitStatus.UNGRADED


async def _run(contest: Contest, journal: ContestJournal, history: History) -> None:
    async with Forge(history) as forge:
        await run_contest(contest, journal, forge, _print_try)


def _print_try(ended: ContestTry) -> None:
    score = f"{ended.score_total:g}/{ended.score_max:g}" if ended.score_total is not None else "not judged"
    attempt_name = f"{ended.boss_id}, repeat {ended.repeat}, attempt {ended.number}"
    output.print_note(f"{attempt_name}: {score} ({ended.ended}, {ended.seconds:.1f} s)")


def _write(folder: Path, table: ContestTable) -> None:
    write_text(folder / "table.json", table.model_dump_json(indent=2) + "\n")
    write_text(folder / "table.txt", "\n".join(contest_text(table)) + "\n")
    write_text(folder / "table.html", contest_page(table))
    write_text(folder / "card.svg", contest_card(table))
