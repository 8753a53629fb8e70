"""Training Dummy."""

import argparse


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("--blows", type=int, default=1)
    args = parser.parse_args()
    # Names look better with a capital.
    fighter = args.name.strip().title()
    for i in range(args.blows):
        print("Thwack! {} lands blow {}.".format(fighter, i + 1))


if __name__ == "__main__":
    main()
