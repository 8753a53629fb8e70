"""What the dummy says back."""

from itertools import count, islice

BEFORE, BETWEEN, AFTER = "Thwack! ", " lands blow ", "."


def answers(name):
    """Every line there could ever be for this name, one after the other."""
    return (BEFORE + name + BETWEEN + str(number) + AFTER for number in count(1))


def spoken(name, blows):
    """The lines of so many blows as one text."""
    return "".join(answer + "\n" for answer in islice(answers(name), blows))


def battle_line(name, blow):
    """The line of one blow."""
    return next(islice(answers(name), blow - 1, None))


def strike(name, blows):
    """The lines of so many blows."""
    return spoken(name, blows).splitlines()
