"""Hands in a folder that has the name of the program."""
