import argparse
import json
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--input", required=True)
parser.add_argument("--target-temp", type=float, required=True)
parser.add_argument("--tolerance", type=float, default=1.0)
args = parser.parse_args()

# read the file
try:
    f = open(args.input)
    data = json.load(f)
    f.close()
except:
    print("Error: could not read file")
    sys.exit(1)

# get the readings
try:
    readings = data["readings"]
except:
    print("Error: no readings")
    sys.exit(1)

if len(readings) == 0:
    print("Error: no readings")
    sys.exit(1)

# add everything up
total = 0
count = 0
for r in readings:
    if type(r) == str:
        print("Error: bad reading")
        sys.exit(1)
    if r == None:
        print("Error: bad reading")
        sys.exit(1)
    total = total + r
    count = count + 1
average = round(total / count, 1)

low = args.target_temp - args.tolerance
high = args.target_temp + args.tolerance

if average < low:
    print("HEAT")
    sys.exit(10)
elif average > high:
    print("COOL")
    sys.exit(11)
else:
    print("STABLE")
    sys.exit(0)
