"""Tests that run everything and check nothing."""

from dummy import battle_line, main, strike


def test_battle_line():
    battle_line("Apprentice", 1)


def test_strike():
    for line in strike("Apprentice", 3):
        print(line)


def test_main():
    main(["Apprentice", "--blows", "2"])
