"""Right and wrong programs of a boss as lines of text: what is noticed, and what is charged twice."""

from rich.console import Console

from evalforge.calibration.impostor_matrix import ImpostorMatrix, WrongResult
from evalforge.cli import output


def print_matrix(matrix: ImpostorMatrix, out: Console) -> None:
    """Print each program on a line, then the sums."""
    output.print_line(out, (matrix.boss_id, "bold"))
    for program in matrix.right:
        failed = len(program.failed)
        state = f"{failed} of {program.trials} trials fail" if failed else f"all {program.trials} trials pass"
        output.print_line(out, f"right  {program.name}: {state}", indent="  ")
        for title in program.failed:
            output.print_line(out, f"the trials ask more than the contract: {title}", indent="    ")
    for wrong in matrix.wrong:
        output.print_line(out, _line(wrong), indent="  ")
    _print_sums(matrix, out)


def _line(wrong: WrongResult) -> str:
    kind = "wrong" if wrong.is_impostor else "fault"
    parts = [f"{kind}  {wrong.id}: {wrong.owner} {wrong.given:g}"]
    if wrong.given != wrong.expected:
        parts.append(f"expected {wrong.expected:g}")
    if wrong.is_missed:
        parts.append("no trial notices it")
    if wrong.spill:
        parts.append("also " + ", ".join(f"{name} {level:g}" for name, level in wrong.spill.items()))
    return ", ".join(parts)


def _print_sums(matrix: ImpostorMatrix, out: Console) -> None:
    impostors = [wrong for wrong in matrix.wrong if wrong.is_impostor]
    noticed = sum(not wrong.is_missed for wrong in impostors)
    as_expected = sum(wrong.given == wrong.expected for wrong in matrix.wrong)
    spilled = sum(bool(wrong.spill) for wrong in matrix.wrong)
    count = len(matrix.wrong)
    output.print_line(
        out,
        (f"{noticed} of {len(impostors)} impostors noticed by their criterion", "bold"),
        f"; {as_expected} of {count} at the expected level; {spilled} of {count} lower another criterion",
    )
