"""Exports of a class: tables, JSON, a page, feedback, and files that course platforms import."""
