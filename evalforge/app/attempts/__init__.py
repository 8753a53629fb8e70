"""Past attempts: listed, opened, compared, replayed, exported."""
