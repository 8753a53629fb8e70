import sys

# read the arguments
args = sys.argv[1:]
name = ""
blows = 1
i = 0
while i < len(args):
    if args[i] == "--blows":
        blows = int(args[i + 1])
        i = i + 2
    else:
        name = args[i]
        i = i + 1

if name == "":
    print("please give a NAME")
    sys.exit(2)

if blows < 1 or blows > 99:
    print("--blows is from 1 to 99")
    sys.exit(2)

# now hit the dummy
n = 1
while n <= blows:
    print("Thwack! " + name + " lands blow " + str(n) + ".")
    n = n + 1
