"""A class on the screen: how every row stands, what the whole tells, what is done with it."""
