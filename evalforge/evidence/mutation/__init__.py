"""Mutation testing of the player's tests: which mutants the player's code has, and which are tried."""
