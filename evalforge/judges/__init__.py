"""Judges, which turn a case into one judgement per criterion."""
