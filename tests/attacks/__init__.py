"""Hostile submissions, and the promise that none of them gains or touches anything."""
