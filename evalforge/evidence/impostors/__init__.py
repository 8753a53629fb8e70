"""The player's tests on programs that are right and programs that are wrong in one place."""
