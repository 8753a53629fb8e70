"""Past attempts, as lists and in full."""

from argparse import Namespace
from collections.abc import Generator
from contextlib import contextmanager

from evalforge.cli import output, settings
from evalforge.cli.exit_status import ExitStatus
from evalforge.cli.text.attempt_json import print_attempt_json
from evalforge.cli.text.fight import FightText
from evalforge.cli.text.overrides import print_overrides
from evalforge.cli.text.reason_chain import print_reason
from evalforge.evidence.attempt_reasons import attempt_reason
from evalforge.history.store import AttemptFilter, History, Order
from evalforge.model.attempt import Attempt, AttemptRow, AttemptState
from evalforge.model.errors import EvalForgeError, UsageError
from evalforge.model.result import verdict_words
from evalforge.model.rubric import BossRubric
from evalforge.model.text import clean_line
from evalforge.packs.find_pack import find_pack
from evalforge.packs.pack import BossPack
from evalforge.reports.receipt import audit, receipt_of


@contextmanager
def open_history(arguments: Namespace) -> Generator[History]:
    """Open the store of attempts, and close it afterwards."""
    with History(settings.load(arguments).history) as history:
        yield history


def attempts(arguments: Namespace) -> int:
    """List past attempts, the newest first.

    Raises:
        UsageError: The limit is below 1.
    """
    if arguments.limit < 1:
        raise UsageError("--limit needs a number above 0.")
    attempt_filter = AttemptFilter(
        boss_id=arguments.boss, verdict=arguments.verdict.replace("-", "_"), text=arguments.search
    )
    with open_history(arguments) as history:
        listing = history.listing(attempt_filter, Order(arguments.sort))
        rows = listing.page(0, arguments.limit)
    if arguments.json:
        output.print_json([row.model_dump(mode="json") for row in rows])
        return ExitStatus.SUCCESS
    out = output.console()
    if not rows:
        nothing = attempt_filter == AttemptFilter()
        output.print_line(
            out, "No attempts yet. Fight one: evalforge judge BOSS DIR" if nothing else "Nothing matches."
        )
    for row in rows:
        when = f"{row.started_at.astimezone():%Y-%m-%d %H:%M}"
        kind = f"{'agent' if row.agent else 'attempt'} {row.number or ''}"
        text = f"{when}  {row.boss_id:<22} {kind:<9} {_result_words(row):<24} "
        agent = f"{clean_line(row.agent)}: " if row.agent else ""
        output.print_line(out, (f"{row.id}  ", "bold"), text, (f"{agent}{row.directory}", "dim"))
    if listing.count > len(rows):
        more = f"{listing.count - len(rows)}{' or more' if listing.is_truncated else ''}"
        output.print_note(f"{more} more attempts: use --limit")
    return ExitStatus.SUCCESS


def _result_words(row: AttemptRow) -> str:
    if row.state is not AttemptState.JUDGED or row.score_total is None or row.score_max is None:
        return row.state.value
    return f"{row.score_total:g}/{row.score_max:g} {verdict_words(row.verdict or '')}"


def attempt(arguments: Namespace) -> int:
    """Print one attempt in full, or verify it against its receipt."""
    with open_history(arguments) as history:
        attempt = history.get(arguments.id)
        if arguments.verify:
            return _verify_receipt(history, attempt, as_json=arguments.json)
        if arguments.why is not None:
            return _print_reason(attempt, arguments)
        if arguments.json:
            print_attempt_json(history, attempt)
            return ExitStatus.SUCCESS
        return _print(history, attempt, arguments)


def _print(history: History, attempt: Attempt, arguments: Namespace) -> int:
    out = output.console()
    output.print_line(
        out,
        (f"Attempt {attempt.id}", "bold"),
        f"  {attempt.started_at.astimezone():%Y-%m-%d %H:%M}  {attempt.state.value}",
        (f"  by the agent {clean_line(attempt.agent)}" if attempt.agent else "", "bold"),
    )
    is_plain = settings.load(arguments).tone == "plain"
    voice = None if is_plain else history.progress.voice(attempt.boss_id, attempt.id)
    text = FightText(rubric_of(attempt, arguments), voice=voice)
    for event in attempt.events:
        text.show(event)
    if attempt.state is AttemptState.INTERRUPTED:
        output.print_line(out, "The fight was interrupted; nothing was scored.")
    print_overrides(history, attempt, out)
    return ExitStatus.SUCCESS


def _print_reason(attempt: Attempt, arguments: Namespace) -> int:
    """Print why a criterion has its level, down to the calls of its trials."""
    reason = attempt_reason(attempt, pack_of(attempt, arguments), arguments.why)
    if arguments.json:
        output.print_json(reason.model_dump(mode="json"))
    else:
        print_reason(output.console(), reason, attempt.submission)
    return ExitStatus.SUCCESS


def _verify_receipt(history: History, attempt: Attempt, *, as_json: bool) -> int:
    row = history.row(attempt.id)
    if attempt.state is not AttemptState.JUDGED or row is None:
        raise UsageError(f"Attempt {attempt.id} was not judged ({attempt.state.value}): it has no receipt.")
    stored_receipt, recomputed_receipt = history.receipt(attempt.id), receipt_of(attempt)
    problems = audit(attempt, row, stored_receipt)
    if as_json:
        output.print_json(
            {
                "attempt_id": attempt.id,
                "receipt": stored_receipt.code if stored_receipt else None,
                "recomputed": recomputed_receipt.code if recomputed_receipt else None,
                "matches": not problems,
                "mismatches": [problem.model_dump() for problem in problems],
            }
        )
        return ExitStatus.NOT_PASSED if problems else ExitStatus.SUCCESS
    out = output.console()
    for problem in problems:
        output.print_line(out, (f"{problem.part}: ", "bold red"), problem.words)
    code = stored_receipt.code if stored_receipt else "none"
    if problems:
        output.print_line(
            out,
            ("DOES NOT MATCH", "bold red"),
            f"  receipt {code}, now {recomputed_receipt.code if recomputed_receipt else 'none'}",
        )
        return ExitStatus.NOT_PASSED
    output.print_line(
        out, ("MATCHES", "bold green"), f"  receipt {code}: submission, rubric, judge and result are unchanged"
    )
    return ExitStatus.SUCCESS


def pack_of(attempt: Attempt, arguments: Namespace) -> BossPack | None:
    """Return the pack of the boss that was fought, even if its rubric has changed; None if it is unavailable."""
    try:
        return find_pack(attempt.boss_id, settings.load(arguments).bosses)
    except EvalForgeError:
        return None


def rubric_of(attempt: Attempt, arguments: Namespace) -> BossRubric | None:
    """Return the rubric that an attempt was judged by; None if that version is unavailable."""
    pack = pack_of(attempt, arguments)
    return pack.rubric if pack and pack.rubric_hash == attempt.rubric_hash else None
