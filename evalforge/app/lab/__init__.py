"""The rubric lab on screen, and comparisons of judges."""
