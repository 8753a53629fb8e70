"""Programs as players: the bosses for agents over MCP, and a contest of command-line agents."""
