"""A player's progress: records, achievements, rank. Pure; doesn't know the database."""
