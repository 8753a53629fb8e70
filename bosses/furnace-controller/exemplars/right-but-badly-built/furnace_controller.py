import json
import sys

inputfile = None
target = None
tol = 1.0
i = 1
while i < len(sys.argv):
    if sys.argv[i] == "--input":
        inputfile = sys.argv[i + 1]
        i = i + 2
    elif sys.argv[i] == "--target-temp":
        target = float(sys.argv[i + 1])
        i = i + 2
    elif sys.argv[i] == "--tolerance":
        tol = float(sys.argv[i + 1])
        i = i + 2
    else:
        sys.stderr.write("usage: furnace_controller.py --input FILE --target-temp T [--tolerance D]\n")
        sys.exit(2)
if inputfile is None or target is None:
    sys.stderr.write("usage: furnace_controller.py --input FILE --target-temp T [--tolerance D]\n")
    sys.exit(2)

try:
    f = open(inputfile, encoding="utf-8")
    text = f.read()
    f.close()
except OSError as e:
    sys.stderr.write("ERROR cannot open " + inputfile + ": " + str(e) + "\n")
    sys.exit(1)
except UnicodeDecodeError as e:
    sys.stderr.write("ERROR " + inputfile + " is not text: " + str(e) + "\n")
    sys.exit(1)

try:
    d = json.loads(text)
except ValueError as e:
    sys.stderr.write("ERROR " + inputfile + " is not JSON: " + str(e) + "\n")
    sys.exit(1)

if type(d) != dict:
    sys.stderr.write("ERROR " + inputfile + " is not an object\n")
    sys.exit(1)
if "readings" not in d:
    sys.stderr.write("ERROR " + inputfile + " has no readings\n")
    sys.exit(1)
if type(d["readings"]) != list:
    sys.stderr.write("ERROR readings in " + inputfile + " is not a list\n")
    sys.exit(1)
if len(d["readings"]) == 0:
    sys.stderr.write("ERROR readings in " + inputfile + " is empty\n")
    sys.exit(1)

s = 0
n = 0
for x in d["readings"]:
    if type(x) == int:
        s = s + x
        n = n + 1
    elif type(x) == float:
        # nan is not equal to itself
        if x != x or x == float("inf") or x == float("-inf"):
            sys.stderr.write("ERROR reading number " + str(n + 1) + " is not a number: " + str(x) + "\n")
            sys.exit(1)
        s = s + x
        n = n + 1
    else:
        sys.stderr.write("ERROR reading number " + str(n + 1) + " is not a number: " + str(x) + "\n")
        sys.exit(1)

avg = s / n
if avg < target - tol:
    sys.stderr.write("INFO average " + str(avg) + " target " + str(target) + " tolerance " + str(tol) + "\n")
    print("HEAT")
    sys.exit(10)
elif avg > target + tol:
    sys.stderr.write("INFO average " + str(avg) + " target " + str(target) + " tolerance " + str(tol) + "\n")
    print("COOL")
    sys.exit(11)
else:
    sys.stderr.write("INFO average " + str(avg) + " target " + str(target) + " tolerance " + str(tol) + "\n")
    print("STABLE")
    sys.exit(0)
