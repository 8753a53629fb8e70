import sys, json

input_file = None
target = None
tolerance = 1.0
result = ""


def usage():
    print("furnace_controller.py --input FILE --target-temp T [--tolerance D]")
    sys.exit(2)


def read_options():
    global input_file, target, tolerance
    a = sys.argv[1:]
    try:
        if "--input" in a:
            input_file = a[a.index("--input") + 1]
        if "--target-temp" in a:
            target = float(a[a.index("--target-temp") + 1])
        if "--tolerance" in a:
            tolerance = float(a[a.index("--tolerance") + 1])
    except:
        usage()
    if input_file is None or target is None:
        usage()


def run():
    global result
    try:
        f = open(input_file)
        data = json.loads(f.read())
        f.close()
        temps = data["readings"]
        s = 0
        n = 0
        for t in temps:
            if type(t) == str or t is None:
                # sensor glitch, skip it
                continue
            s = s + t
            n = n + 1
        avg = round(s / n, 1)
        print("average is", avg)
        if avg <= target - tolerance:
            result = "HEAT"
            print("-> HEAT")
            sys.exit(10)
        if avg >= target + tolerance:
            result = "COOL"
            print("-> COOL")
            sys.exit(11)
        result = "STABLE"
        print("-> STABLE")
        sys.exit(0)
    except Exception:
        print("something went wrong with the file")
        sys.exit(1)


if __name__ == "__main__":
    read_options()
    run()
