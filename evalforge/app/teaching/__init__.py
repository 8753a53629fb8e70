"""Showing a rubric to others: what a lesson consists of, step by step, without a screen."""
