"""Judges: from a case to one judgement per criterion."""
