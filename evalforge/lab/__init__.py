"""The rubric lab: edit a rubric, and see every score and verdict that changes."""
