"""What commands print for people, as lines of text."""
