"""What stored attempts tell: receipts, comparisons, reports, cards, replays, progress. Pure; knows no database."""
