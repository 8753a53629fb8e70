"""
Furnace controller
Reads temperatures from a json file and tells the furnace what to do.
"""
import argparse
import json
import logging
import sys

logger = logging.getLogger("furnace")


class FurnaceController:
    CODES = {"STABLE": 0, "HEAT": 10, "COOL": 11}

    def __init__(self, target, tolerance):
        self.target = target
        self.tolerance = tolerance if tolerance else 1.0

    def average(self, readings):
        total = 0
        for r in readings:
            total += r
        return total / len(readings)

    def decide(self, readings):
        avg = self.average(readings)
        if avg > self.target + self.tolerance:
            return "COOL"
        elif avg < self.target - self.tolerance:
            return "HEAT"
        else:
            return "STABLE"


class ReadingsFile:
    def __init__(self, path):
        self.path = path

    def load(self):
        with open(self.path, encoding="utf-8") as f:
            data = json.load(f)
        if not isinstance(data, dict):
            raise ValueError("top level must be an object")
        if "readings" not in data:
            raise ValueError("no readings in file")
        readings = data["readings"]
        if not isinstance(readings, list) or len(readings) == 0:
            raise ValueError("readings must be a list with something in it")
        numbers = []
        for r in readings:
            # will raise if it is not a number
            numbers.append(float(r))
        return numbers


def parse_args(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--input", required=True)
    parser.add_argument("--target-temp", type=float, required=True)
    parser.add_argument("--tolerance", type=float)
    return parser.parse_args(argv)


def main(argv=None):
    logging.basicConfig(format="%(levelname)s %(message)s", level=logging.INFO)
    args = parse_args(argv)
    try:
        readings = ReadingsFile(args.input).load()
    except FileNotFoundError:
        logger.error("file %s not found", args.input)
        return 1
    except (ValueError, TypeError) as e:
        logger.error("bad file %s: %s", args.input, e)
        return 1
    controller = FurnaceController(args.target_temp, args.tolerance)
    decision = controller.decide(readings)
    logger.info("average %.2f", controller.average(readings))
    print(decision)
    return FurnaceController.CODES[decision]


if __name__ == "__main__":
    sys.exit(main())
