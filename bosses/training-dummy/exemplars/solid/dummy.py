"""Training Dummy."""

import argparse


def battle_line(name: str, blow: int) -> str:
    """One line of the fight."""
    return f"Thwack! {name} lands blow {blow}."


def main() -> None:
    """Strike as often as asked."""
    parser = argparse.ArgumentParser()
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--blows", type=int, default=1, metavar="N")
    args = parser.parse_args()
    for blow in range(1, args.blows + 1):
        print(battle_line(args.name, blow))


if __name__ == "__main__":
    main()
