"""What is computed from stored attempts: receipts, comparisons, reports, cards, replays. Pure; no database."""
