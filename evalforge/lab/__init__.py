"""The rubric lab: a rubric changed, and every verdict that moves with it."""
