"""Training Dummy."""

import argparse


def battle_line(name, blow)
    return f"Thwack! {name} lands blow {blow}."


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("--blows", type=int, default=1)
    args = parser.parse_args()
    for blow in range(1, args.blows + 1):
        print(battle_line(args.name, blow))


if __name__ == "__main__":
    main()
