"""Boss packs from elsewhere: add, list, trust, update, remove."""

from argparse import Namespace

from evalforge.cli import output
from evalforge.cli.exit_status import ExitStatus
from evalforge.model.errors import UsageError
from evalforge.model.number_format import format_count
from evalforge.packs.added.registry import AddedPack, added_packs, find_added_pack, remove_pack, trust_pack


def add(arguments: Namespace) -> int:
    """Fetch packs, lint them without running anything, and store them; their trials run once they are trusted."""
    from evalforge.packs.added.add import add_packs

    for pack, notes in add_packs(arguments.source, arguments.tag):
        _report(pack, len(notes))
        if arguments.trust:
            trust_pack(pack.slug)
    if not arguments.trust:
        output.print_line(output.console(), "Read its trials, then trust it: evalforge packs trust SLUG")
    return ExitStatus.SUCCESS


def _report(pack: AddedPack, count: int) -> None:
    notes = f"{format_count(count, 'note')} by lint" if count else "lint found nothing"
    output.print_line(output.console(), (pack.slug, "bold"), f"  {_origin(pack)}, {pack.content_hash}, {notes}")
    output.print_line(output.console(), (str(pack.folder), "dim"), indent="  ")


def _origin(pack: AddedPack) -> str:
    return f"{pack.source} at {pack.tag} ({pack.commit[:12]})" if pack.commit else pack.source


def packs(arguments: Namespace) -> int:
    """List added packs, or trust, update or remove one.

    Raises:
        UsageError: No pack is named, or there is no such pack.
    """
    if arguments.action == "list":
        return _list(as_json=arguments.json)
    if not arguments.slug:
        raise UsageError(f"Which pack? evalforge packs {arguments.action} SLUG")
    out = output.console()
    if arguments.action == "trust":
        pack = trust_pack(arguments.slug)
        output.print_line(out, f"{pack.slug} can be fought: its trials may run from now on.")
    elif arguments.action == "remove":
        pack = remove_pack(arguments.slug)
        output.print_line(out, f"{pack.slug} was removed; attempts against it are kept.")
    else:
        _update(find_added_pack(arguments.slug), arguments.tag)
    return ExitStatus.SUCCESS


def _update(pack: AddedPack, tag: str) -> None:
    """Fetch a pack again; if its content changed, it is no longer trusted."""
    from evalforge.packs.added.add import add_packs

    was_intact = not pack.has_changed
    [(updated, notes)] = add_packs(pack.source, tag or pack.tag, only=pack.slug)
    _report(updated, len(notes))
    if updated.content_hash != pack.content_hash:
        advice = f"It was {pack.content_hash} before. Read the changes, then: evalforge packs trust {pack.slug}"
        output.print_line(output.console(), advice)
    elif pack.is_trusted and was_intact:
        trust_pack(pack.slug)
        output.print_line(output.console(), "Nothing has changed.")


def _list(*, as_json: bool) -> int:
    packs = added_packs()
    if as_json:
        output.print_json([{**pack.model_dump(mode="json"), "has_changed": pack.has_changed} for pack in packs])
        return ExitStatus.SUCCESS
    out = output.console()
    for pack in packs:
        state = ("changed since it was added", "red") if pack.has_changed else _trust(pack)
        output.print_line(out, (f"{pack.slug}  ", "bold"), state, f"  {_origin(pack)}, {pack.content_hash}")
    if not packs:
        output.print_line(out, "No packs added yet. Add one: evalforge add FOLDER|ARCHIVE|ADDRESS")
    return ExitStatus.SUCCESS


def _trust(pack: AddedPack) -> tuple[str, str]:
    return ("trusted", "green") if pack.is_trusted else ("not trusted yet: can't be fought", "yellow")
