"""Values of the yard, which can't be made wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class StrikerName:
    """Who strikes."""

    text: str

    @classmethod
    def parse(cls, raw: str) -> StrikerName:
        """A name, unless it is blank."""
        text = raw.strip()
        if not text:
            raise ValueError("a name must not be blank")
        return cls(text)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class BlowCount:
    """How many blows."""

    LOWEST: ClassVar[int] = 1
    HIGHEST: ClassVar[int] = 99

    value: int

    @classmethod
    def parse(cls, raw: str) -> BlowCount:
        """A count, unless it is no whole number or out of bounds."""
        value = int(raw)
        if not cls.LOWEST <= value <= cls.HIGHEST:
            raise ValueError(f"must be from {cls.LOWEST} to {cls.HIGHEST}")
        return cls(value)


@dataclass(frozen=True, slots=True)
class Blow:
    """One blow of somebody, counted from 1."""

    striker: StrikerName
    number: int


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody's time with the dummy."""

    striker: StrikerName
    count: BlowCount

    def blows(self) -> Iterator[Blow]:
        """All blows, in order."""
        return (Blow(self.striker, number) for number in range(1, self.count.value + 1))
