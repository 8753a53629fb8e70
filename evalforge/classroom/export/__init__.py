"""Exports of a class: tables, JSON, a page, feedback, and what course platforms import."""
