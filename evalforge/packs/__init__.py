"""Boss packs: find, load, check, scaffold."""
