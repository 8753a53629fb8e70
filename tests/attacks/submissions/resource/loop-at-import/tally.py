"""Never gets past its import: an endless loop at the top of the file."""

turns = 0
while True: turns += 1
