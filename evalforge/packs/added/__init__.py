"""Boss packs from elsewhere: fetched at a fixed state, linted, and never run before the owner trusts them."""
