"""A fight as a picture to show around: an SVG that needs nothing else, and gives no solution away."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC

from evalforge.model.attempt import Attempt
from evalforge.model.impostor_tally import tally_impostors
from evalforge.model.number_format import format_boss_hp, format_number
from evalforge.model.result import BossEvalResult, CriterionResult, Verdict
from evalforge.packs.sprites import ACCENTS, Sprite
from evalforge.reports import svg
from evalforge.reports.labels import CriterionLabels, labels_by_criterion
from evalforge.reports.receipt import Receipt

# A forge at night.
_GROUND, _RAISED, _RULE = "#16110e", "#211a16", "#3b3029"
_ASH, _DIM, _FAINT = "#e0d6ca", "#9c8f83", "#65584e"
_EMBER, _MOLTEN, _STEEL, _VERDIGRIS, _FLASH = "#ff8d42", "#ffc84d", "#8ea9bd", "#6cc2a1", "#fff6e0"
_WIDTH, _EDGE = 960, 48
_RIGHT = 400
_SPRITE_BOX = (300, 236)
_BAR_TOP, _BAR_HEIGHT = 316, 30
_ROWS_TOP, _ROW = 414, 34
_ROWS_SHOWN = 12
_VERDICTS = {
    Verdict.STRONG_PASS: ("FLAWLESS", _MOLTEN),
    Verdict.PASS: ("DEFEATED", _VERDIGRIS),
    Verdict.BORDERLINE: ("BORDERLINE", _EMBER),
    Verdict.FAIL: ("IT STILL STANDS", _STEEL),
}
_TIERS = ("", "I", "II", "III", "IV")


@dataclass(frozen=True)
class CardDetails:
    """What a card shows beyond the attempt.

    Attributes:
        number: Which try on the boss it was; 0 if unknown.
        receipt: As it was sealed; None leaves it out.
        sprite: The boss's picture; None leaves it out.
        accent: The boss's colour, ``#rrggbb``.
        tier: 1 to 4; 0 if unknown.
        realm: Where the boss lives.
        threshold: What had to be reached; None leaves the pass mark out.
    """

    number: int = 0
    receipt: Receipt | None = None
    sprite: Sprite | None = None
    accent: str = "#d9822b"
    tier: int = 0
    realm: str = ""
    threshold: float | None = None


def draw_card(attempt: Attempt, details: CardDetails) -> str:
    """Draw a judged attempt.

    Raises:
        ValueError: It was not judged.
    """
    result = attempt.result
    if result is None:
        raise ValueError("only a judged attempt has a card")
    shown = result.criteria[:_ROWS_SHOWN]
    rows = (len(shown) + 1) // 2
    height = _ROWS_TOP + rows * _ROW + 84
    words, colour = _VERDICTS[result.verdict]
    parts = [
        _head(attempt, words, height),
        _ground(height, colour),
        _picture(result, details),
        _title(attempt, result, details),
        *_impostors(attempt),
        _bar(result, details),
        *(_criterion(index, one, labels_by_criterion(attempt)) for index, one in enumerate(shown)),
        _foot(attempt, details, height),
        "</svg>\n",
    ]
    return "\n".join(parts)


def _head(attempt: Attempt, words: str, height: int) -> str:
    title = svg.xml_text(f"{attempt.boss_title}: {words.lower()}", 120)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}" '
        f'role="img" aria-label="{title}" font-family="{svg.FONT_FAMILY}" xml:space="preserve">\n<title>{title}</title>'
    )


def _ground(height: int, colour: str) -> str:
    """Night, lit from below in the colour of how it ended."""
    return (
        f'<defs><radialGradient id="glow" cx="0.21" cy="1.05" r="0.95"><stop offset="0" stop-color="{colour}" '
        'stop-opacity="0.26"/><stop offset="0.55" stop-color="#7a2c0a" stop-opacity="0.10"/>'
        f'<stop offset="1" stop-color="{_GROUND}" stop-opacity="0"/></radialGradient>'
        f'<radialGradient id="hearth"><stop offset="0" stop-color="{_EMBER}" stop-opacity="0.34"/>'
        f'<stop offset="1" stop-color="{_EMBER}" stop-opacity="0"/></radialGradient></defs>\n'
        + svg.rect(0, 0, _WIDTH, height, _GROUND, round_by=20)
        + svg.rect(0, 0, _WIDTH, height, "url(#glow)", round_by=20)
        + svg.rect(1, 1, _WIDTH - 2, height - 2, "none", round_by=19, more=f' stroke="{_RULE}" stroke-width="2"')
    )


def _picture(result: BossEvalResult, details: CardDetails) -> str:
    """The boss, as the fight left it, standing on the light of the hearth."""
    sprite = details.sprite
    if sprite is None:
        return ""
    width, height = _SPRITE_BOX
    side = min(width // sprite.width, height // sprite.height)
    left = _EDGE + (width - side * sprite.width) / 2
    foot = 48 + height
    colours = {key: _colour(value, details.accent) for key, value in sprite.palette.items()}
    mood = "defeated" if result.passed else "idle" if result.verdict is Verdict.FAIL else "enraged"
    glow = f'<ellipse cx="{_EDGE + width / 2:g}" cy="{foot - 6}" rx="{width / 2 + 20:g}" ry="46" fill="url(#hearth)"/>'
    return glow + svg.pixels(sprite.frame(mood, 0), colours, left, foot - side * sprite.height, side)


def _colour(colour: str, accent: str) -> str:
    if colour not in ACCENTS:
        return colour
    shift = ACCENTS[colour]
    return svg.mix_colours(accent, "#ffffff" if shift > 0 else "#000000", abs(shift) * 1.6)


def _title(attempt: Attempt, result: BossEvalResult, details: CardDetails) -> str:
    """Whose fight it was, and how it ended."""
    words, colour = _VERDICTS[result.verdict]
    width = _WIDTH - _EDGE - _RIGHT
    place = " · ".join(part for part in (f"TIER {_TIERS[details.tier]}" if details.tier else "", details.realm) if part)
    name = svg.one_line(attempt.boss_title.upper(), int(width / (16 * svg.LETTER_WIDTH)))
    light = svg.mix_colours(details.accent, _FLASH, 0.35)
    size = svg.fitting_font_size(name, width, 40, 16)
    score = f"{format_number(result.score_total)} of {format_number(result.score_max)}"
    return "\n".join(
        (
            svg.text(_RIGHT, 76, "EVALFORGE", 15, _EMBER, bold=True, spacing=6),
            svg.text(_WIDTH - _EDGE, 76, place, 14, _DIM, anchor="end", cap=40),
            svg.text(_RIGHT, 134, name, size, light, bold=True),
            svg.rect(_RIGHT, 152, width, 1.5, _RULE),
            svg.text(_RIGHT, 212, words, svg.fitting_font_size(words, width, 46, 20, 3), colour, bold=True, spacing=3),
            svg.text(_RIGHT, 256, score, 24, _ASH, bold=True),
            svg.text(_WIDTH - _EDGE, 256, f"boss HP {format_boss_hp(result.integrity)}", 18, _DIM, anchor="end"),
        )
    )


def _impostors(attempt: Attempt) -> Iterator[str]:
    """How many impostors the tests unmasked; nothing where they met none."""
    tally = tally_impostors(attempt.evidence)
    words = ", ".join(part for part in (tally.words, tally.wrong_words) if part) if tally else ""
    if words:
        yield svg.text(_RIGHT, 286, words, 15, _DIM)


def _bar(result: BossEvalResult, details: CardDetails) -> str:
    """What was struck off, bite by bite in rubric order, then what the boss keeps; each as wide as its points."""
    width = _WIDTH - 2 * _EDGE
    maximum = float(result.score_max)
    kept_colour = svg.mix_colours(details.accent, _GROUND, 0.72)
    struck_parts = [(max(0.0, one.score), _MOLTEN) for one in result.criteria]
    kept_parts = [(one.max_score - max(0.0, one.score), kept_colour) for one in result.criteria]
    drawn = [svg.rect(_EDGE, _BAR_TOP, width, _BAR_HEIGHT, _RAISED, round_by=4)]
    at = 0.0
    for points, colour in (*struck_parts, *kept_parts):
        end = min(1.0, at + points / maximum)
        if end > at:
            drawn.append(svg.rect(_EDGE + at * width, _BAR_TOP, max(1.0, (end - at) * width - 2), _BAR_HEIGHT, colour))
        at = max(at, end)
    if details.threshold is not None and 0 <= details.threshold <= maximum:
        drawn.append(_mark(details.threshold, maximum, width))
    return "".join(drawn)


def _mark(threshold: float, maximum: float, width: float) -> str:
    """The pass line: a tick above and below the bar, and its number."""
    x = _EDGE + threshold / maximum * width - 1
    anchor = "end" if threshold / maximum > 0.9 else "middle"
    top, bottom = _BAR_TOP - 15, _BAR_TOP + _BAR_HEIGHT
    return (
        svg.rect(x - 1, top, 3, 12, _FLASH)
        + svg.rect(x - 1, bottom + 3, 3, 12, _FLASH)
        + svg.text(
            x + (2 if anchor == "end" else 0),
            bottom + 32,
            f"pass at {format_number(threshold)}",
            13,
            _DIM,
            anchor=anchor,
        )
    )


def _criterion(index: int, one: CriterionResult, labels: dict[str, CriterionLabels]) -> str:
    """A criterion: one pip for each point, its label, and the level in words."""
    own_labels = labels[one.id]
    half = (_WIDTH - 2 * _EDGE) / 2
    x, y = _EDGE + (index % 2) * (half + 12), _ROWS_TOP + (index // 2) * _ROW
    pips = min(6, max(1, round(one.max_score))) if one.max_score > 0 else 1
    earned = round(pips * max(0.0, one.score) / one.max_score) if one.max_score > 0 else 1
    drawn = [
        svg.circle(x + 8 + pip * 19, y - 5, 6.5, _MOLTEN)
        if pip < earned
        else svg.circle(x + 8 + pip * 19, y - 5, 5.7, "none", _FAINT)
        for pip in range(pips)
    ]
    label_x = x + pips * 19 + 12
    level = own_labels.level or f"{format_number(one.score)} of {format_number(one.max_score)}"
    max_letters = int((x + half - 12 - label_x) / (15 * svg.LETTER_WIDTH)) - 2
    label = own_labels.label if len(own_labels.label) <= max_letters - 4 else f"{own_labels.label[: max_letters - 5]}…"
    drawn.append(svg.text(label_x, y, label, 15, _ASH))
    drawn.append(svg.text(x + half - 12, y, level, 14, _DIM, anchor="end", cap=max_letters - len(label)))
    return "".join(drawn)


def _foot(attempt: Attempt, details: CardDetails, height: int) -> str:
    """When, which try, whose verdict; and the receipt by which it can be checked."""
    day = attempt.started_at.astimezone(UTC)
    judge = f"{attempt.judge.name} judge"
    parts = [f"try {details.number}" if details.number else "", f"{day.day} {day:%b %Y}", judge]
    y = height - 40
    drawn = [
        svg.rect(_EDGE, y - 30, _WIDTH - 2 * _EDGE, 1.5, _RULE),
        svg.text(_EDGE, y, " · ".join(part for part in parts if part), 14, _DIM),
    ]
    if details.receipt:
        drawn.append(
            svg.text(_WIDTH - _EDGE, y, f"receipt {details.receipt.code}", 14, _DIM, anchor="end", spacing=0.5)
        )
    return "".join(drawn)
