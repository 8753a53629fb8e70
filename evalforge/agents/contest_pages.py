"""A contest's table as text, as a page that loads nothing, and as a card."""

from pathlib import Path

from evalforge.agents.standings import BossStanding, ContestTable, MeanWithInterval
from evalforge.model.number_format import format_count, format_percent
from evalforge.model.text import clean_line
from evalforge.reports import svg
from evalforge.reports.html_environment import html_environment

_WIDTH, _ROW, _HEAD, _BAR = 720, 44, 96, 300
_GROUND, _INK, _DIM, _TRACK, _FIRE = "#16110e", "#e9e0d5", "#a3958a", "#35291f", "#ff8d42"


def contest_text(table: ContestTable) -> list[str]:
    """The table as lines of text."""
    plan = table.plan
    lines = [
        f"{plan.agent}: at most {format_count(plan.tries, 'attempt')} of {plan.seconds:g} s each",
        f"{format_count(plan.repeats, 'repeat')}, sandbox {plan.cage}",
        "",
        f"{'boss':<22} {'felled':<26} {'integrity':<24} {'attempts':<20} seconds",
    ]
    for boss in table.bosses:
        felled = f"{boss.felled} of {boss.repeats} {share_range(boss.felled_share)}"
        integrity = f"{format_percent(boss.integrity.mean) if boss.integrity else '-'} {share_range(boss.integrity)}"
        figures = f"{number(boss.tries):<20} {number(boss.seconds)}"
        lines.append(f"{clean_line(boss.boss_id):<22} {felled:<26} {integrity:<24} {figures}".rstrip())
        lines += [f"  {level.label}: {level.score:.3g} of {level.max_score:g}" for level in boss.levels]
        lines += [f"  {text}" for text in remarks(boss)]
    if not table.finished:
        lines += ["", "Not finished: start it again to continue."]
    return lines


def remarks(boss: BossStanding) -> list[str]:
    """Return the caveats to a boss's figures, one sentence each."""
    sentences: list[str] = []
    if boss.copied:
        sentences.append(
            f"A file is a copy of one in an exemplar ({', '.join(boss.copied)}): the agent did not write it."
        )
    if boss.timeouts:
        sentences.append(f"Stopped by the clock: {boss.timeouts}.")
    if boss.ungraded:
        sentences.append(f"Not judged, and not counted: {boss.ungraded}.")
    return sentences


def number(figure: MeanWithInterval | None) -> str:
    """Format a figure with its interval: ``2 (1.2 to 2.8)``."""
    if figure is None:
        return "-"
    interval = (
        "" if figure.low is None or figure.high is None else f" ({max(0.0, figure.low):.3g} to {figure.high:.3g})"
    )
    return f"{figure.mean:.3g}{interval}"


def share_range(figure: MeanWithInterval | None) -> str:
    """Format the interval of a share: ``(44 % to 100 %)``; empty if there is none."""
    if figure is None or figure.low is None or figure.high is None:
        return ""
    return f"({format_percent(max(0.0, figure.low))} to {format_percent(min(1.0, figure.high))})"


def contest_page(table: ContestTable) -> str:
    """The table as one HTML file."""
    environment = html_environment(Path(__file__).parent / "pages")
    return environment.get_template("contest.html.j2").render(
        table=table, number=number, share_range=share_range, remarks=remarks
    )


def contest_card(table: ContestTable) -> str:
    """Draw a picture to share: a bar of integrity for each boss, bright where it fell in every repeat."""
    height = _HEAD + _ROW * len(table.bosses) + 44
    parts = [
        svg.rect(0, 0, _WIDTH, height, _GROUND),
        _words(24, 44, table.plan.agent, _INK, 26),
        _words(
            24,
            72,
            f"{format_count(table.plan.repeats, 'repeat')}, at most {format_count(table.plan.tries, 'attempt')} · "
            f"sandbox {table.plan.cage}",
            _DIM,
            14,
        ),
    ]
    for index, boss in enumerate(table.bosses):
        y = _HEAD + index * _ROW
        share = boss.integrity.mean if boss.integrity else 0.0
        copied = " · copied" if boss.copied else ""
        parts += [
            _words(24, y + 20, boss.boss_id, _INK, 15),
            svg.rect(230, y + 6, _BAR, 18, _TRACK),
            svg.rect(230, y + 6, max(0.0, _BAR * share), 18, _FIRE),
            _words(546, y + 20, f"{format_percent(share)} · felled {boss.felled} of {boss.repeats}{copied}", _DIM, 13),
        ]
    parts.append(_words(24, height - 16, "EvalForge · every point is explained", _DIM, 12))
    size = f'width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>\n'


def _words(x: int, y: int, text: str, colour: str, size: int) -> str:
    style = f'fill="{colour}" font-size="{size}" font-family="monospace"'
    return f'<text x="{x}" y="{y}" {style}>{svg.xml_text(text, 60)}</text>'
