"""A class against one boss: its submissions are found, judged in parallel, compared and exported."""
