#!/usr/bin/env python3
"""dummy.py NAME [--blows N]

The arguments are read by hand. Everything that can be wrong with them is a Refusal, and a Refusal
knows which argument it is about.
"""

import re
import sys

MOST = 99
WHOLE = re.compile(r"[+-]?[0-9]+")


class Refusal(Exception):
    """Bad input. The first argument of the command line that is at fault comes first."""

    def __init__(self, argument, reason):
        super().__init__(f"{argument}: {reason}")


class Fighter:
    def __init__(self, name):
        if name.strip() == "":
            raise Refusal("NAME", "somebody has to strike, but the name is blank")
        self.name = name

    def blow(self, number):
        return "Thwack! " + self.name + " lands blow " + str(number) + "."

    def fight(self, blows):
        number = 0
        while number < blows:
            number += 1
            yield self.blow(number)


def count_of(text):
    """The number of blows that a text stands for."""
    if not WHOLE.fullmatch(text):
        raise Refusal("--blows", f"{text!r} is not a whole number")
    count = int(text)
    if count < 1 or count > MOST:
        raise Refusal("--blows", f"{count} lies outside 1 to {MOST}")
    return count


def read_arguments(words):
    """Name and count from the words of the command line."""
    names = []
    blows = 1
    words = list(words)
    while words:
        word = words.pop(0)
        if word == "--blows":
            if not words:
                raise Refusal("--blows", "a number should follow")
            blows = count_of(words.pop(0))
        elif word.startswith("--blows="):
            blows = count_of(word.partition("=")[2])
        elif word.startswith("-") and word.strip("-"):
            raise Refusal(word, "there is no such option")
        else:
            names.append(word)
    if not names:
        raise Refusal("NAME", "nobody strikes")
    if len(names) > 1:
        raise Refusal("NAME", "one fighter at a time, please; quote a name with spaces")
    return names[0], blows


def main(words):
    try:
        name, blows = read_arguments(words)
        lines = list(Fighter(name).fight(blows))
    except Refusal as refusal:
        sys.stderr.write(f"dummy.py: {refusal}\n")
        return 2
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
