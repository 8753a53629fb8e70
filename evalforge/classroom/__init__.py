"""A class against one boss: its hand-ins are found, judged in parallel, compared and exported."""
