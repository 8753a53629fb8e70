"""Evaluations that were made on the command line, to look at."""
