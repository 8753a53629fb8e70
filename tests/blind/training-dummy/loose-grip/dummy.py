# my dummy
import sys

LINE = "Thwack! NAME lands blow N."


def make_line(name, n):
    # put the words into the sentence
    line = LINE.replace("NAME", name)
    line = line.replace("N.", str(n) + ".")
    return line


def make_lines(name, count):
    out = []
    for n in range(1, count + 1):
        out.append(make_line(name, n))
    return out


def parse(argv):
    count = 1
    name = ""
    skip = False
    for i, a in enumerate(argv):
        if skip:
            skip = False
            continue
        if a == "--blows":
            try:
                count = int(argv[i + 1])
            except Exception:
                count = 1
            skip = True
        elif a.startswith("--"):
            print("unknown option " + a)
            sys.exit(1)
        else:
            # names with several words are allowed without quotes
            name = (name + " " + a).strip()
    return name, count


def main():
    name, count = parse(sys.argv[1:])
    if name == "":
        print("usage: dummy.py NAME [--blows N]")
        sys.exit(2)
    for l in make_lines(name, count):
        print(l)


if __name__ == "__main__":
    main()
