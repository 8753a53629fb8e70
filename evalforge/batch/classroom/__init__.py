"""A class against one boss: found, judged in parallel, stored, compared, handed back."""
