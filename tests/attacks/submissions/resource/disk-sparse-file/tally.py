"""Makes a file of a terabyte that takes no room, for whoever copies it."""

with open("out.json", "wb") as file:
    file.truncate(1024**4)
