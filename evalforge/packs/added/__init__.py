"""Boss packs from elsewhere: fetched, pinned, read, and never run before the owner trusts them."""
