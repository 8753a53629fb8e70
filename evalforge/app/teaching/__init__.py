"""Teaching a rubric to others: the stage, its lessons and notes, and the tour."""
