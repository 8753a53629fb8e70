"""Opens files and never closes one."""

hoard = []
while True:
    hoard.append(open("/dev/null"))
