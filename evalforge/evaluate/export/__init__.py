"""Exports of an evaluation: a page and a table, from the same data as its text."""
