"""Making bosses: is a pack sound, does a judge hit its gold levels, start a new one."""

import asyncio
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evalforge.cli import output, settings
from evalforge.library.looking import is_folder, no_folder
from evalforge.library.summary import boss_file, find_bosses
from evalforge.model.errors import PackError, SandboxError, UsageError

if TYPE_CHECKING:
    from evalforge.library.lint.remark import Remark
    from evalforge.library.pack import BossPack

_DONE, _PROBLEMS, _NOT_JUDGED = 0, 2, 3


def lint(arguments: Namespace) -> int:
    """Say what is wrong with packs; the exit status is 2 if anything is."""
    folders = _packs(arguments)
    out = output.console()
    problems = 0
    try:
        for folder in folders:
            remarks = _remarks(folder, fast=arguments.fast)
            for remark in remarks:
                problems += remark.is_problem
                _print_remark(out, remark)
    except SandboxError as error:
        output.note(f"evalforge: {error}")
        return _NOT_JUDGED
    count = f"{len(folders)} {'boss' if len(folders) == 1 else 'bosses'}"
    told = f"{problems} {'problem' if problems == 1 else 'problems'}" if problems else "no problems"
    output.line(out, (f"{count}, {told}", "bold red" if problems else "bold green"))
    return _PROBLEMS if problems else _DONE


def _packs(arguments: Namespace) -> list[Path]:
    """The folders named by slug or path; without names, all there are."""
    found = find_bosses(settings.load(arguments).bosses)
    if not arguments.packs:
        if not found:
            raise UsageError("There are no bosses to lint.", "Name a folder: evalforge lint PATH")
        return [boss.path for boss in found]
    slugs = {boss.slug: boss.path for boss in found}
    return [_pack(name, slugs) for name in arguments.packs]


def _pack(name: str, slugs: dict[str, Path]) -> Path:
    if name in slugs:
        return slugs[name]
    if boss_file(Path(name)):
        return Path(name)
    if is_folder(Path(name)):
        raise UsageError(f"{name} is no boss pack: it has no boss.yaml.", "Start one with: evalforge new-boss SLUG")
    fault = no_folder(Path(name))
    raise UsageError(f"There is no boss called {name!r}, and as a folder it {fault}.", f"Bosses: {', '.join(slugs)}.")


def _remarks(folder: Path, *, fast: bool) -> "Sequence[Remark]":
    """What the text tells, and, if that is sound, what runs tell."""
    from evalforge.library.lint.check import lint as lint_text
    from evalforge.library.pack import load_pack

    remarks = lint_text(folder)
    if fast or any(remark.is_problem for remark in remarks):
        return remarks
    from evalforge.proving import prove

    return (*remarks, *asyncio.run(prove(load_pack(folder), output.note)))


def _print_remark(out: object, remark: "Remark") -> None:
    from rich.console import Console

    assert isinstance(out, Console)
    line = f":{remark.line}" if remark.line else ""
    kind = () if remark.is_problem else (("note: ", "dim"),)
    output.line(out, (f"{_shown(remark.path)}{line}: ", "bold"), *kind, remark.message)


def _shown(path: Path) -> str:
    """A path as short as it can be said from here."""
    absolute, here = path.absolute(), Path.cwd()
    return str(absolute.relative_to(here)) if absolute.is_relative_to(here) else str(absolute)


def calibrate(arguments: Namespace) -> int:
    """Hold a judge against gold; the exit status is 3 if anything could not be judged."""
    from evalforge.calibration.run import Plan, hand_ins
    from evalforge.calibration.run import calibrate as run
    from evalforge.cli.calibration_text import print_calibration
    from evalforge.cli.model_text import tell_bill, tell_price
    from evalforge.fight import FightOptions

    if bool(arguments.boss) == bool(arguments.all):
        raise UsageError("Name one boss, or --all.")
    if arguments.repeat < 1:
        raise UsageError(f"--repeat {arguments.repeat}: judge at least once.")
    chosen = settings.load(arguments)
    # Not the judge of the settings: many judgings by a model cost money, so that has to be asked for.
    options = FightOptions(judge=getattr(arguments, "judge", None) or "forge", models=chosen.models, save=False)
    packs = _all_packs(chosen) if arguments.all else (_one_pack(arguments.boss, chosen),)
    if arguments.submissions is not None and (fault := no_folder(arguments.submissions)):
        raise UsageError(f"--submissions {arguments.submissions} {fault}.")
    plan = Plan(packs, options, arguments.repeat, arguments.submissions)
    is_asked = options.judge != "forge"
    if is_asked:
        asyncio.run(tell_price(hand_ins(plan), options, times=plan.repeats, ask=False))
    calibration = asyncio.run(run(plan, output.note))
    if is_asked:
        tell_bill(calibration.cost)
    if arguments.json:
        output.print_json(calibration.model_dump(mode="json"))
    else:
        print_calibration(calibration)
    return _NOT_JUDGED if calibration.not_judged else _DONE


def _one_pack(name: str, chosen: settings.Settings) -> "BossPack":
    from evalforge.library.pack import find_pack

    return find_pack(name, chosen.bosses)


def _all_packs(chosen: settings.Settings) -> "tuple[BossPack, ...]":
    """Every sound pack that has exemplars; a broken one is told and left out."""
    from evalforge.library.pack import load_pack

    packs: list[BossPack] = []
    for boss in find_bosses(chosen.bosses):
        try:
            pack = load_pack(boss.path)
        except PackError as error:
            output.note(f"left out: {error}")
            continue
        if pack.exemplars:
            packs.append(pack)
    return tuple(packs)


def new_boss(arguments: Namespace) -> int:
    """Start a boss pack."""
    from evalforge.library.newboss import create_pack

    pack = create_pack(arguments.slug, arguments.directory or Path())
    out = output.console()
    shown, parent = _shown(pack), _shown(pack.parent)
    output.line(out, f"A small boss stands in {shown}. Make it yours.")
    output.line(out, f"Is it sound?    evalforge lint {shown}")
    output.line(out, f"Fight it:       evalforge judge {arguments.slug} {shown}/starter --bosses {parent}")
    output.line(out, f"In the game:    evalforge --bosses {parent}")
    return _DONE
