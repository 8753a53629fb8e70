"""Comments compared with readers' reasons: a table by boss, then contradicted comments and unnamed causes."""

from collections.abc import Sequence

from rich.console import Console

from evalforge.calibration.reasons import Naming, ReasonCheck, Reasons
from evalforge.cli import output
from evalforge.model.number_format import format_number, format_percent

_MAX_COMMENT_CHARS = 240


def print_reasons(reasons: Reasons, out: Console) -> None:
    """Print a line for each boss and one for all, then each comment that is contradicted or names no cause."""
    bosses = dict.fromkeys(check.boss_id for check in reasons.checks)
    width = max([len("all bosses"), *map(len, bosses)]) + 2
    output.print_line(
        out,
        (f"{'':{width}}{'causes':>7}{'by line':>16}{'by kind':>16}{'level as read':>16}{'contradicted':>14}", "dim"),
    )
    for boss in bosses:
        _print_sums(out, f"{boss:{width}}", [check for check in reasons.checks if check.boss_id == boss])
    if len(bosses) > 1:
        _print_sums(out, f"{'all bosses':{width}}", reasons.checks)
    for check in reasons.contradicted:
        _print_check(out, check)
        for text in check.contradictions:
            output.print_line(out, ("contradicted  ", "red"), text, indent="    ")
    for check in reasons.with_cause:
        if Naming.MISSED in (check.place, check.kind):
            _print_check(out, check)
            output.print_line(out, ("readers  ", "dim"), check.cause, indent="    ")
            output.print_line(out, ("comment  ", "dim"), _shortened(check.comment), indent="    ")
    for failure in reasons.not_judged:
        output.print_line(out, (f"{failure.boss_id} {failure.exemplar}: not judged: {failure.reason}", "yellow"))


def _print_sums(out: Console, name: str, checks: Sequence[ReasonCheck]) -> None:
    causes = [check for check in checks if check.cause]
    places, kinds = ([naming for naming in namings if naming is not Naming.UNDECLARED] for namings in (
        [check.place for check in causes], [check.kind for check in causes],
    ))  # fmt: skip
    as_read = [check.judged == check.gold for check in causes]
    contradicted = sum(bool(check.contradictions) for check in checks)
    columns = f"{len(causes):>7}{_share(_named(places))}{_share(_named(kinds))}{_share(as_read)}{contradicted:>14}"
    output.print_line(out, (name, "bold"), columns)


def _named(namings: Sequence[Naming]) -> list[bool]:
    return [naming is Naming.MATCHED for naming in namings]


def _share(values: Sequence[bool]) -> str:
    count = (
        f"{sum(values)} of {len(values)}, {format_percent(sum(values) / len(values))}" if values else "none declared"
    )
    return f"{count:>16}"


def _print_check(out: Console, check: ReasonCheck) -> None:
    levels = f"readers {format_number(check.gold)}, judge {format_number(check.judged)}"
    missed_faults = [
        name
        for name, naming in (("line", check.place), ("kind", check.kind))
        if naming is Naming.MISSED and check.cause
    ]
    unnamed = f"; {' and '.join(missed_faults)} not named" if missed_faults else ""
    output.print_line(
        out, (f"{check.boss_id} {check.submission}, {check.criterion_id}", "bold"), f": {levels}{unnamed}"
    )


def _shortened(comment: str) -> str:
    return comment if len(comment) <= _MAX_COMMENT_CHARS else f"{comment[:_MAX_COMMENT_CHARS].rstrip()} …"
