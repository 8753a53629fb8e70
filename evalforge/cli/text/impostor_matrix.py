"""The judged right and wrong programs of a boss: one per line, or what each fault costs as a matrix."""

from rich.console import Console

from evalforge.calibration.impostor_matrix import ImpostorMatrix, WrongResult
from evalforge.cli import output
from evalforge.model.number_format import format_percent

_COLUMN = 4


def print_matrix(matrix: ImpostorMatrix, out: Console) -> None:
    """Print each program on a line, then the totals."""
    output.print_line(out, (matrix.boss_id, "bold"))
    for program in matrix.right:
        failed = len(program.failed)
        state = f"{failed} of {program.trials} trials fail" if failed else f"all {program.trials} trials pass"
        output.print_line(out, f"right  {program.name}: {state}", indent="  ")
        for title in program.failed:
            output.print_line(out, f"the trials ask for more than the contract: {title}", indent="    ")
    for wrong in matrix.wrong:
        output.print_line(out, _program_line(wrong), indent="  ")
    _print_sums(matrix, out)


def _program_line(wrong: WrongResult) -> str:
    kind = "wrong" if wrong.is_impostor else "fault"
    parts = [f"{kind}  {wrong.id}: {wrong.owner} {wrong.given:g}"]
    if wrong.given != wrong.expected:
        parts.append(f"expected {wrong.expected:g}")
    if wrong.is_missed:
        parts.append("no trial catches it")
    elif not wrong.is_charged:
        parts.append("not charged")
    if wrong.spill:
        parts.append("also " + ", ".join(f"{name} {level:g}" for name, level in wrong.spill.items()))
    return ", ".join(parts)


def _print_sums(matrix: ImpostorMatrix, out: Console) -> None:
    impostors = [wrong for wrong in matrix.wrong if wrong.is_impostor]
    noticed_count = sum(not wrong.is_missed for wrong in impostors)
    expected_count = sum(wrong.given == wrong.expected for wrong in matrix.wrong)
    spilled_count = sum(bool(wrong.spill) for wrong in matrix.wrong)
    count = len(matrix.wrong)
    output.print_line(
        out,
        (f"{noticed_count} of {len(impostors)} impostors caught by their criterion", "bold"),
        f"; {expected_count} of {count} at the expected level; {spilled_count} of {count} lower another criterion",
    )


def print_spill(matrix: ImpostorMatrix, out: Console) -> None:
    """Print how many faults of each criterion lower which criteria, then those not charged exactly once."""
    output.print_line(
        out, (matrix.boss_id, "bold"), ": which criteria lose points by the faults of which; one row per owner"
    )
    width = max(map(len, matrix.criteria))
    column_heads = "".join(f"{column:>{_COLUMN}}" for column in range(1, len(matrix.criteria) + 1))
    output.print_line(out, f"{'':{width + 3}}{'faults':>6}{column_heads}", indent="  ")
    for number, owner in enumerate(matrix.criteria, start=1):
        wrong_of_owner = [wrong for wrong in matrix.wrong if wrong.owner == owner]
        counts = "".join(f"{_fallen_count(wrong_of_owner, criterion):>{_COLUMN}}" for criterion in matrix.criteria)
        output.print_line(out, f"{number} {owner:{width + 1}}{len(wrong_of_owner) or 'none':>6}{counts}", indent="  ")
    for wrong in matrix.wrong:
        if wrong.spill or not wrong.is_charged or wrong.given != wrong.expected:
            output.print_line(out, _program_line(wrong), indent="  ")
    _print_spill_sums(matrix, out)


def _fallen_count(wrong_of_owner: list[WrongResult], criterion: str) -> str:
    return str(sum(criterion in wrong.lost for wrong in wrong_of_owner) or "·")


def _print_spill_sums(matrix: ImpostorMatrix, out: Console) -> None:
    count = len(matrix.wrong)
    charged_count = sum(wrong.is_charged for wrong in matrix.wrong)
    spilled_count = sum(bool(wrong.spill) for wrong in matrix.wrong)
    share = format_percent(spilled_count / count) if count else "none"
    far_count = sum(any(wrong.lost[name] > 1 for name in wrong.spill) for wrong in matrix.wrong)
    red_count = sum(wrong.turns_tests_red for wrong in matrix.wrong)
    output.print_line(
        out,
        (f"{charged_count} of {count} faults lower their own criterion", "bold"),
        f"; {spilled_count} ({share}) lower another, {far_count} by more than a level",
    )
    output.print_line(out, f"{red_count} of {count} make tests of a right program fail, which isn't counted")
