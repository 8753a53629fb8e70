"""Double-entry bookkeeping in layers: money, model, rules, journal, service."""
