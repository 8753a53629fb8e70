"""Evaluates any items by one rubric: samples by strata, asks a model in batches, reconciles, counts, compares."""
