"""Programs as players: the bosses for agents over the Model Context Protocol."""
