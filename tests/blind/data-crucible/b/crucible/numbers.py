"""Text to numbers."""

from decimal import Decimal, InvalidOperation


def parse_decimal(text: str) -> Decimal | None:
    """The number a text stands for, or None if it stands for none."""
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    return None if number.is_nan() else number
