"""Training Dummy: prints one line for every blow."""

import sys
from itertools import islice, count


def thwacks(name):
    """All lines that this name will ever need, from blow 1 on."""
    return (f"Thwack! {name} lands blow {blow}." for blow in count(1))


def order(arguments):
    """(name, blows) of the command line; ValueError with a complaint if it makes no sense."""
    match arguments:
        case [] | ["--blows"] | ["--blows", _]:
            raise ValueError("NAME is missing")
        case [_, "--blows"]:
            raise ValueError("--blows needs a number")
        case [name, "--blows", blows] | ["--blows", blows, name]:
            return who(name), how_many(blows)
        case [name]:
            return who(name), 1
        case [*_, extra]:
            raise ValueError(f"nothing is known of {extra!r}; expected NAME [--blows N]")


def who(name):
    """The name, if it is one."""
    if name.startswith("--"):
        raise ValueError(f"there is no option {name}, and NAME is missing")
    if not name.strip():
        raise ValueError("NAME is blank")
    return name


def how_many(blows):
    """The number, if it is one."""
    if not blows.isdigit() or not 1 <= int(blows) <= 99:
        raise ValueError(f"--blows is a whole number from 1 to 99, not {blows}")
    return int(blows)


def main(arguments):
    """Print what is ordered, or why not."""
    try:
        name, blows = order(arguments)
    except ValueError as complaint:
        print(complaint, file=sys.stderr)
        return 2
    print(*islice(thwacks(name), blows), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
