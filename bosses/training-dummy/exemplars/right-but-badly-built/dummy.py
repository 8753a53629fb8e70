import sys

args = sys.argv[1:]
name = None
blows = "1"
i = 0
while i < len(args):
    if args[i] == "--blows":
        if i + 1 == len(args):
            print("--blows needs a number", file=sys.stderr)
            sys.exit(2)
        blows = args[i + 1]
        i = i + 2
    elif args[i].startswith("--"):
        print("unknown option", args[i], file=sys.stderr)
        sys.exit(2)
    else:
        if name is not None:
            print("only one NAME please", file=sys.stderr)
            sys.exit(2)
        name = args[i]
        i = i + 1
if name is None or name.strip() == "":
    print("NAME is missing or blank", file=sys.stderr)
    sys.exit(2)
try:
    blows = int(blows)
except ValueError:
    print("--blows is not a whole number", file=sys.stderr)
    sys.exit(2)
if blows < 1 or blows > 99:
    print("--blows must be from 1 to 99", file=sys.stderr)
    sys.exit(2)
blow = 1
while blow <= blows:
    print("Thwack! " + name + " lands blow " + str(blow) + ".")
    blow = blow + 1
