"""Loads well, then spins for ever in main."""


def main():
    while True:
        pass


if __name__ == "__main__":
    main()
