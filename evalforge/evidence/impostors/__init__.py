"""Runs of the player's tests on right programs and on programs with a single fault."""
