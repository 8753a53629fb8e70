"""The Well of Answers: retrying, pacing and circuit breaking as separate policies."""
