"""Attempts in SQLite: nothing judged is ever lost."""
