"""Any items against one rubric: sampled by strata, judged in batches by a model, reconciled, counted, compared."""
