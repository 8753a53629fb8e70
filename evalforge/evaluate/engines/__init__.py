"""Ways to ask judges: many concurrent calls, or message batches."""
