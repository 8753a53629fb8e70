"""A fight as a picture to share: a self-contained SVG that gives no solution away."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC

from evalforge.model.attempt import Attempt
from evalforge.model.hp import HpScale, lay_chunks
from evalforge.model.impostor_tally import tally_impostors
from evalforge.model.number_format import format_number, format_percent
from evalforge.model.result import BossEvalResult, CriterionResult, Verdict
from evalforge.packs.sprites import ACCENTS, Sprite
from evalforge.packs.summary import TIERS
from evalforge.reports import svg
from evalforge.reports.labels import CriterionLabels, labels_by_criterion
from evalforge.reports.receipt import Receipt

# The colours of a forge at night.
_GROUND, _RAISED, _RULE = "#16110e", "#211a16", "#3b3029"
_ASH, _DIM, _FAINT = "#e0d6ca", "#9c8f83", "#65584e"
_EMBER, _MOLTEN, _STEEL, _VERDIGRIS, _FLASH = "#ff8d42", "#ffc84d", "#8ea9bd", "#6cc2a1", "#fff6e0"
_WIDTH, _EDGE = 960, 48
_RIGHT = 400
_SPRITE_BOX = (300, 236)
_BAR_TOP, _BAR_HEIGHT = 316, 30
_GOLD_TOP, _GOLD_HEIGHT = 374, 4
_NAME_SIZE, _LEGIBLE = 12, 5
"""The font size of the names below the bar, and how many letters a name needs to be worth showing."""
_HEAD_Y, _NAME_Y, _VERDICT_Y, _SCORE_Y, _IMPOSTORS_Y = 76, 134, 212, 256, 286
"""The baselines of the lines beside the boss."""
_ROWS_TOP, _ROW = 414, 34
_ROWS_SHOWN = 12
_VERDICTS = {
    Verdict.STRONG_PASS: ("FLAWLESS", _MOLTEN),
    Verdict.PASS: ("DEFEATED", _VERDIGRIS),
    Verdict.BORDERLINE: ("BORDERLINE", _EMBER),
    Verdict.FAIL: ("STILL STANDING", _STEEL),
}


@dataclass(frozen=True)
class CardDetails:
    """What a card shows beyond the attempt.

    Attributes:
        number: The number of the attempt on the boss; 0 if unknown.
        receipt: The stored receipt; None leaves it out.
        sprite: The boss's picture; None leaves it out.
        accent: The boss's colour, ``#rrggbb``.
        tier: 1 to 4; 0 if unknown.
        realm: The boss's realm.
        threshold: The score needed to pass; None leaves the pass mark out.
    """

    number: int = 0
    receipt: Receipt | None = None
    sprite: Sprite | None = None
    accent: str = "#d9822b"
    tier: int = 0
    realm: str = ""
    threshold: float | None = None


@dataclass(frozen=True)
class Moment:
    """One moment of a fight, as the card shows it.

    Attributes:
        judged: How many criteria have been judged so far, in the rubric's order.
        heat: How bright the newest damage glows, from 1 at the blow to 0.
        is_over: Whether the verdict is shown.
    """

    judged: int
    heat: float = 0.0
    is_over: bool = False


def draw_card(attempt: Attempt, details: CardDetails) -> str:
    """Draw a judged attempt.

    Raises:
        ValueError: The attempt was not judged.
    """
    result = _result_of(attempt)
    scene = draw_scene(attempt, details, Moment(len(result.criteria), is_over=True))
    return "\n".join((draw_backdrop(attempt, details), scene, "</svg>\n"))


def draw_backdrop(attempt: Attempt, details: CardDetails) -> str:
    """Draw the head of the picture and everything in it that doesn't change during the fight."""
    result = _result_of(attempt)
    verdict, colour = _VERDICTS[result.verdict]
    height = _height(result)
    return "\n".join((_head(attempt, verdict, height), _ground(height, colour), _foot(attempt, details, height)))


def draw_scene(attempt: Attempt, details: CardDetails, moment: Moment) -> str:
    """Draw what a moment of the fight shows in front of the backdrop."""
    result = _result_of(attempt)
    judged_criteria = result.criteria[: moment.judged]
    labels = labels_by_criterion(attempt)
    return "\n".join((
        _picture(result, details, moment),
        _title(attempt, result, details, moment),
        *(_impostors(attempt) if moment.is_over else ()),
        _bar(result, labels, details, moment),
        *(_criterion(index, criterion, labels) for index, criterion in enumerate(judged_criteria[:_ROWS_SHOWN])),
    ))  # fmt: skip


def _result_of(attempt: Attempt) -> BossEvalResult:
    if attempt.result is None:
        raise ValueError("only a judged attempt has a card")
    return attempt.result


def _height(result: BossEvalResult) -> int:
    return _ROWS_TOP + (len(result.criteria[:_ROWS_SHOWN]) + 1) // 2 * _ROW + 84


def _head(attempt: Attempt, text: str, height: int) -> str:
    title = svg.xml_text(f"{attempt.boss_title}: {text.lower()}", 120)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}" '
        f'role="img" aria-label="{title}" font-family="{svg.FONT_FAMILY}" xml:space="preserve">\n<title>{title}</title>'
    )


def _ground(height: int, colour: str) -> str:
    """Draw the night, lit from below in the colour of the outcome."""
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


def _picture(result: BossEvalResult, details: CardDetails, moment: Moment) -> str:
    """Draw the boss as it reacts to the moment, lit by the hearth."""
    sprite = details.sprite
    if sprite is None:
        return ""
    width, height = _SPRITE_BOX
    side = min(width // sprite.width, height // sprite.height)
    left_x = _EDGE + (width - side * sprite.width) / 2
    foot = 48 + height
    colours = {key: _colour(value, details.accent) for key, value in sprite.palette.items()}
    mood = "hurt" if moment.heat > 0 else "idle"
    if moment.is_over:
        mood = "defeated" if result.passed else "idle" if result.verdict is Verdict.FAIL else "enraged"
    glow = f'<ellipse cx="{_EDGE + width / 2:g}" cy="{foot - 6}" rx="{width / 2 + 20:g}" ry="46" fill="url(#hearth)"/>'
    return glow + svg.pixels(sprite.frame(mood, 0), colours, left_x, foot - side * sprite.height, side)


def _colour(colour: str, accent: str) -> str:
    if colour not in ACCENTS:
        return colour
    shift = ACCENTS[colour]
    return svg.mix_colours(accent, "#ffffff" if shift > 0 else "#000000", abs(shift) * 1.6)


def _title(attempt: Attempt, result: BossEvalResult, details: CardDetails, moment: Moment) -> str:
    """Draw the fight's title, and how it ended or is going."""
    total = _total(result, moment)
    verdict, colour = _VERDICTS[result.verdict] if moment.is_over else ("FIGHTING", _DIM)
    width = _WIDTH - _EDGE - _RIGHT
    place = " · ".join(part for part in (f"TIER {TIERS[details.tier]}" if details.tier else "", details.realm) if part)
    name = svg.one_line(attempt.boss_title.upper(), int(width / (16 * svg.LETTER_WIDTH)))
    light = svg.mix_colours(details.accent, _FLASH, 0.35)
    size = svg.fitting_font_size(name, width, 40, 16)
    score = f"{format_number(total)} of {format_number(result.score_max)}"
    life_words = ""
    if details.threshold is not None:
        scale = HpScale(details.threshold, float(result.score_max))
        life_words = f"HP {format_percent(scale.life(total))}"
        if scale.has_fallen(total):
            gold, points = format_number(scale.gold(total)), format_number(scale.gold_points)
            life_words = f"down, {gold} of {points} gold" if scale.gold_points else "down"
    return "\n".join(
        (
            svg.text(_RIGHT, _HEAD_Y, "EVALFORGE", 15, _EMBER, bold=True, spacing=6),
            svg.text(_WIDTH - _EDGE, _HEAD_Y, place, 14, _DIM, anchor="end", cap=40),
            svg.text(_RIGHT, _NAME_Y, name, size, light, bold=True),
            svg.rect(_RIGHT, _NAME_Y + 18, width, 1.5, _RULE),
            svg.text(
                _RIGHT,
                _VERDICT_Y,
                verdict,
                svg.fitting_font_size(verdict, width, 46, 20, 3),
                colour,
                bold=True,
                spacing=3,
            ),
            svg.text(_RIGHT, _SCORE_Y, score, 24, _ASH, bold=True),
            svg.text(_WIDTH - _EDGE, _SCORE_Y, life_words, 18, _DIM, anchor="end"),
        )
    )


def _impostors(attempt: Attempt) -> Iterator[str]:
    """Draw how many impostors the tests caught; nothing if they met none."""
    tally = tally_impostors(attempt.evidence)
    text = ", ".join(part for part in (tally.words, tally.wrong_words) if part) if tally else ""
    if text:
        yield svg.text(_RIGHT, _IMPOSTORS_Y, text, 15, _DIM)


def _total(result: BossEvalResult, moment: Moment) -> float:
    """Return the points so far."""
    if moment.judged >= len(result.criteria):
        return float(result.score_total)
    return round(sum(criterion.score for criterion in result.criteria[: moment.judged]), 9)


def _bar(result: BossEvalResult, labels: dict[str, CriterionLabels], details: CardDetails, moment: Moment) -> str:
    """Draw the boss's life with an empty track where it was struck off, and the gold beyond the mark below."""
    if details.threshold is None:
        return ""
    width = _WIDTH - 2 * _EDGE
    scale, total = HpScale(details.threshold, float(result.score_max)), _total(result, moment)
    judged_criteria = result.criteria[: moment.judged]
    colour = svg.mix_colours(details.accent, _FLASH, 0.1)
    life = scale.life(total)
    middle = _BAR_TOP + _BAR_HEIGHT / 2
    drawn = [svg.rect(_EDGE, middle - 1, width, 2, _FAINT)]
    if life > 0:
        drawn.append(svg.rect(_EDGE, _BAR_TOP, life * width, _BAR_HEIGHT, colour, round_by=2))
    for chunk in lay_chunks((criterion.id, float(criterion.score)) for criterion in judged_criteria):
        left, right = (_EDGE + scale.life(points) * width for points in (chunk.end, chunk.start))
        if moment.heat > 0 and chunk.criterion_id == judged_criteria[-1].id:
            ghost = svg.mix_colours(_GROUND, _FLASH, moment.heat)
            drawn.append(svg.rect(left, _BAR_TOP, right - left, _BAR_HEIGHT, ghost))
        letter_count = int((right - left - 8) / (_NAME_SIZE * svg.LETTER_WIDTH))
        label = labels[chunk.criterion_id].label.lower()
        if letter_count >= min(_LEGIBLE, len(label)):
            drawn.append(svg.text(left + 2, _BAR_TOP + _BAR_HEIGHT + 18, label, _NAME_SIZE, _DIM, cap=letter_count))
    if scale.gold_points:
        drawn.append(_gold_line(scale, total, width))
    return "".join(drawn)


def _gold_line(scale: HpScale, total: float, width: float) -> str:
    """Draw the line of a flawless win: dim until the boss falls, then gold for each point."""
    gold = scale.gold(total) / scale.gold_points if scale.has_fallen(total) else 0.0
    line = svg.rect(_EDGE, _GOLD_TOP, width, 1, _FAINT)
    return line + (svg.rect(_EDGE, _GOLD_TOP - 1.5, gold * width, _GOLD_HEIGHT, _MOLTEN) if gold else "")


def _criterion(index: int, result: CriterionResult, labels: dict[str, CriterionLabels]) -> str:
    """Draw a criterion: one pip per point, its label, and the name of its level."""
    own_labels = labels[result.id]
    half = (_WIDTH - 2 * _EDGE) / 2
    x, y = _EDGE + (index % 2) * (half + 12), _ROWS_TOP + (index // 2) * _ROW
    pips = min(6, max(1, round(result.max_score))) if result.max_score > 0 else 1
    earned = round(pips * max(0.0, result.score) / result.max_score) if result.max_score > 0 else 1
    drawn = [
        svg.circle(x + 8 + pip * 19, y - 5, 6.5, _MOLTEN)
        if pip < earned
        else svg.circle(x + 8 + pip * 19, y - 5, 5.7, "none", _FAINT)
        for pip in range(pips)
    ]
    label_x = x + pips * 19 + 12
    level = own_labels.level or f"{format_number(result.score)} of {format_number(result.max_score)}"
    max_letters = int((x + half - 12 - label_x) / (15 * svg.LETTER_WIDTH)) - 2
    label = own_labels.label if len(own_labels.label) <= max_letters - 4 else f"{own_labels.label[: max_letters - 5]}…"
    drawn.append(svg.text(label_x, y, label, 15, _ASH))
    drawn.append(svg.text(x + half - 12, y, level, 14, _DIM, anchor="end", cap=max_letters - len(label)))
    return "".join(drawn)


def _foot(attempt: Attempt, details: CardDetails, height: int) -> str:
    """Draw the date, the attempt's number and the judge, and the receipt by which it can be verified."""
    day = attempt.started_at.astimezone(UTC)
    judge = f"{attempt.judge.name} judge"
    parts = [f"attempt {details.number}" if details.number else "", f"{day.day} {day:%b %Y}", judge]
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
