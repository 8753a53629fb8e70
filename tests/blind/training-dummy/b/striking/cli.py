"""From arguments to printed lines."""

from collections.abc import Sequence

from .arguments import read
from .words import TemplateHerald, announce


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the order, say the words, report success."""
    order = read(arguments)
    for line in announce(TemplateHerald.for_striker(order.name), order.blows):
        print(line)
    return 0
