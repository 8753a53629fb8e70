"""Counts as it likes."""
