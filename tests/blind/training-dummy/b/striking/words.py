"""The words that the dummy says."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

THWACK = "Thwack! {name} lands blow {{number}}."


class Herald(Protocol):
    """Knows the words for one blow."""

    def line(self, number: int) -> str:
        """The line for the blow of this number, counted from 1."""
        ...


@dataclass(frozen=True)
class TemplateHerald:
    """Fills in a template: the name once, the number for each blow."""

    template: str

    @classmethod
    def for_striker(cls, name: str, template: str = THWACK) -> "TemplateHerald":
        """A herald who knows the name already."""
        return cls(template.format(name=name))

    def line(self, number: int) -> str:
        """The template with the number in its place."""
        return self.template.format(number=number)


def announce(herald: Herald, blows: int) -> Iterator[str]:
    """The lines of all blows, in order."""
    return (herald.line(number) for number in range(1, blows + 1))
