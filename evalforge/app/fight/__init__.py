"""The arena, the fight, and the evidence behind a verdict."""
