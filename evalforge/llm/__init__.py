"""Asking a language model: client, retries, budget, and how a submission is rendered for it."""
