"""One order for a furnace: options and report in `console`, the file in `sheet`, the rule in `rule`."""
