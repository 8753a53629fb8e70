"""Summaries of logs of any length."""
