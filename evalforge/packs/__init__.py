"""Boss packs: finding, loading, checking and creating them."""
