"""Furnace control: a domain, its ports and their adapters."""
