"""Mutation testing of the player's tests: finding mutants of the player's code, and planning runs on them."""
