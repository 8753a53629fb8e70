"""Programs as players: the bosses for agents over MCP, and a contest between command-line agents."""
