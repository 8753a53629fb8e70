"""The verdict on a judged folder in one line."""

from evalforge.model.number_format import format_boss_hp, format_number, format_percent
from evalforge.model.result import verdict_words
from evalforge.reports.pipelines.judged_folder import JudgedFolder


def verdict_line(folder: JudgedFolder) -> str:
    """Return a line such as ``lab: borderline, 4 of 8, pass at 6, integrity 50 %, boss HP 50 %``."""
    result = folder.result
    if result is None:
        return f"{folder.name}: ungraded. {folder.reason}"
    return (
        f"{folder.name}: {verdict_words(result.verdict)}, "
        f"{format_number(result.score_total)} of {format_number(result.score_max)}, "
        f"pass at {format_number(folder.rubric.overall.pass_threshold)}, "
        f"integrity {format_percent(result.integrity)}, boss HP {format_boss_hp(result.integrity)}"
    )
