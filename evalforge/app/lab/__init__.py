"""The rubric lab on screen, and a judge held beside another."""
