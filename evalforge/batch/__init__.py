"""Many items, many hand-ins: sampling, dispatch, reconciliation, aggregation."""
