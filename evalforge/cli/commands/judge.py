"""One fight without the game's screen."""

import asyncio
from argparse import Namespace
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

from evalforge.cli import output, settings, streams
from evalforge.cli.exit_status import ExitStatus
from evalforge.cli.pipeline_files import parse_targets, write_targets
from evalforge.cli.target import fill_in_target
from evalforge.cli.text.attempt_json import print_attempt_json
from evalforge.cli.text.fight import FightText
from evalforge.cli.text.model_judging import ModelProgressPrinter, print_price
from evalforge.fight import FightOptions, Forge
from evalforge.history.store import History, read_voice
from evalforge.model.errors import EvalForgeError, UsageError
from evalforge.model.events import Judged, Saved, Ungraded
from evalforge.model.voice import Moment, Voice
from evalforge.packs.find_pack import find_pack
from evalforge.packs.new_folders import is_untouched_starter
from evalforge.packs.pack import BossPack
from evalforge.reports.pipelines.formats import PIPELINE_FORMATS
from evalforge.reports.pipelines.judged_folder import JudgedFolder
from evalforge.submissions.boss_submission import collect_for


class OutputGuard:
    """Prints as long as standard output can be written; the fight continues even if it can't."""

    def __init__(self) -> None:
        self.error: streams.OutputError | None = None

    def call(self, print_text: Callable[..., None], *about: Any) -> None:
        """Call a printing function; the first error is stored, and stops all further printing."""
        if self.error is None:
            try:
                print_text(*about)
            except streams.OutputError as error:
                self.error = error


def judge(arguments: Namespace) -> int:
    """Judge a directory and print how it went."""
    arguments.json = arguments.json or arguments.format == "json"
    _check_options(arguments)
    targets = parse_targets(arguments.write)
    fill_in_target(arguments)
    config = settings.load(arguments)
    pack = find_pack(arguments.boss, config.bosses)
    voice = read_voice(config.history, pack.boss_id)
    options = FightOptions(
        judge=config.judge,
        models=config.models,
        notes=arguments.notes,
        python=config.python,
        save=not arguments.no_save,
        tries=voice.earlier_count,
        trusted=config.trusted,
        again=arguments.again,
    )
    if arguments.plain or config.tone == "plain":
        voice = None
    if options.save:
        _ask_about_untouched_starter(pack, arguments.directory, voice)
    history = History(config.history) if options.save else None
    guard = OutputGuard()
    try:
        end, attempt_id = asyncio.run(_fight(pack, arguments, options, history, guard, voice))
        if arguments.full and arguments.json and history is not None and attempt_id:
            guard.call(print_attempt_json, history, history.get(attempt_id))
    finally:
        if history is not None:
            history.close()
    if isinstance(end, Judged) and arguments.json and not arguments.full:
        guard.call(output.print_json, end.result.model_dump(mode="json"))
    folders = [_judged_folder(pack, arguments, end)]
    write_targets(targets, folders)
    if arguments.format in PIPELINE_FORMATS:
        guard.call(output.print_document, PIPELINE_FORMATS[arguments.format](folders))
    elif isinstance(end, Ungraded) and arguments.json:
        output.print_note(f"ungraded: {end.reason} {end.advice}".strip())
    if guard.error is not None and not isinstance(guard.error, streams.ReaderGoneError):
        raise guard.error
    return _status(end)


def _check_options(arguments: Namespace) -> None:
    """Refuse contradictory options.

    Raises:
        UsageError: ``--full`` is given with a format that has no full form, or without what it prints.
    """
    if arguments.full and arguments.format in PIPELINE_FORMATS:
        raise UsageError("--full is a form of text or JSON.", f"Leave out --format {arguments.format}.")
    if arguments.full and arguments.json and arguments.no_save:
        raise UsageError(
            "--json --full prints the stored attempt, and --no-save stores none.", "Leave one of them out."
        )


def _ask_about_untouched_starter(pack: BossPack, directory: Path, voice: Voice | None) -> None:
    """Ask, before an attempt is recorded, whether the unchanged starter is meant; without a terminal, only say so.

    Raises:
        UsageError: It isn't meant.
    """
    try:
        is_untouched = is_untouched_starter(pack, collect_for(pack, directory).files)
    except EvalForgeError:  # the fight reports unusable folders itself
        return
    if not is_untouched:
        return
    if voice is not None:
        output.print_note(voice.pick_line(Moment.STARTER))
    output.print_note("This is the unchanged starter: edit it first. The attempt is saved unless you pass --no-save.")
    if not output.confirm("Judge it anyway?"):
        raise UsageError("Nothing was judged, and nothing was saved.")


def _judged_folder(pack: BossPack, arguments: Namespace, end: Judged | Ungraded | None) -> JudgedFolder:
    """Return the result in the form that the pipeline formats need."""
    folder: Path = arguments.directory
    name = folder.name or folder.absolute().name
    if not isinstance(end, Judged):
        reason = f"{end.reason} {end.advice}".strip() if end else "The fight was stopped."
        return JudgedFolder(name, folder, pack.definition.title, pack.rubric, reason=reason)
    return JudgedFolder(name, folder, pack.definition.title, pack.rubric, pack.entry_file, end.result, end.judgements)


def _status(end: Judged | Ungraded | None) -> int:
    if not isinstance(end, Judged):
        return ExitStatus.UNGRADED
    return ExitStatus.SUCCESS if end.result.passed else ExitStatus.NOT_PASSED


async def _fight(
    pack: BossPack,
    arguments: Namespace,
    options: FightOptions,
    history: History | None,
    guard: OutputGuard,
    voice: Voice | None,
) -> tuple[Judged | Ungraded | None, str]:
    """Run the fight, and return its end and its attempt's id; the id is empty if it isn't stored."""
    end: Judged | Ungraded | None = None
    attempt_id = ""
    text = (
        None
        if arguments.json or arguments.format in PIPELINE_FORMATS
        else FightText(pack.rubric, plain=arguments.plain, full=arguments.plain or arguments.full, voice=voice)
    )
    printer = ModelProgressPrinter() if options.judge != "forge" else None
    if printer is not None:
        await print_price([(pack, arguments.directory)], options)
    async with Forge(history) as forge, aclosing(forge.fight(pack, arguments.directory, options)) as events:
        async for event in events:
            if printer is not None and printer.print_event(event):
                continue
            if text is not None:
                guard.call(text.show, event)
            if isinstance(event, Judged | Ungraded):
                end = event
            if isinstance(event, Saved):
                attempt_id = event.attempt_id
    if printer is not None:
        printer.print_total_cost()
    return end, attempt_id
