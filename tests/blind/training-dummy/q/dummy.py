import sys

args = sys.argv[1:]
name = None
blows = 1

i = 0
while i < len(args):
    if args[i] == "--blows":
        try:
            blows = int(args[i + 1])
        except:
            print("--blows needs a whole number", file=sys.stderr)
            sys.exit(2)
        i = i + 2
    elif args[i].startswith("--"):
        print("unknown option " + args[i], file=sys.stderr)
        sys.exit(2)
    else:
        name = args[i]
        i = i + 1

if name == None:
    print("usage: dummy.py NAME [--blows N]", file=sys.stderr)
    sys.exit(2)
if name == "":
    print("NAME is empty", file=sys.stderr)
    sys.exit(2)
if blows < 1 or blows > 99:
    print("blows must be from 1 to 99", file=sys.stderr)
    sys.exit(2)

for blow in range(1, blows + 1):
    print("Thwack! " + name + " lands blow " + str(blow) + ".")
