"""
Furnace controller
==================

This module reads temperature readings from a JSON file, computes their average and decides whether the furnace has to
be heated, cooled or left as it is. The decision is reported on stdout and by means of the exit status.

Exit statuses
-------------
0   the temperature is stable
10  the furnace must be heated
11  the furnace must be cooled
1   the input could not be used
"""

import argparse
import json
import logging
import math
import sys

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
logger = logging.getLogger("furnace")


class FurnaceController:
    """
    A controller for a furnace.

    Parameters
    ----------
    target : float
        The target temperature.
    tolerance : float
        The tolerance around the target temperature.
    """

    def __init__(self, target, tolerance):
        """
        Initialise the controller.

        Parameters
        ----------
        target : float
            The target temperature.
        tolerance : float
            The tolerance around the target temperature.
        """
        self.target = target
        self.tolerance = tolerance
        self.readings = []

    def load(self, path):
        """
        Load the readings from a file.

        Parameters
        ----------
        path : str
            The path of the file.

        Returns
        -------
        bool
            True if the readings were loaded, False if anything went wrong.
        """
        try:
            with open(path, "r", encoding="utf-8") as handle:
                data = json.load(handle)
            readings = data["readings"]
            if not isinstance(readings, list):
                raise ValueError("readings must be a list")
            for reading in readings:
                if isinstance(reading, bool):
                    raise ValueError("readings must be numbers")
                if not math.isfinite(reading):
                    raise ValueError("readings must be finite")
            if len(readings) == 0:
                raise ValueError("readings must not be empty")
            self.readings = readings
            return True
        except Exception:
            logger.error("The input file could not be processed.")
            return False

    def decide(self):
        """
        Decide what the furnace has to do.

        Returns
        -------
        tuple
            The decision and the exit status.
        """
        average = sum(self.readings) / len(self.readings)
        lower = self.target - self.tolerance
        upper = self.target + self.tolerance
        logger.info("average is %s, HEAT below %s, COOL above %s", average, lower, upper)
        if average < lower:
            return "HEAT", 10
        if average > upper:
            return "COOL", 11
        return "STABLE", 0


def main(argv=None):
    """
    Run the program.

    Parameters
    ----------
    argv : list of str or None
        The arguments of the command line; those of the process if None.

    Returns
    -------
    int
        The exit status.
    """
    try:
        parser = argparse.ArgumentParser(description="Furnace controller")
        parser.add_argument("--input", required=True, help="the file of readings")
        parser.add_argument("--target-temp", type=float, required=True, help="the target temperature")
        parser.add_argument("--tolerance", type=float, default=1.0, help="the tolerance")
        args = parser.parse_args(argv)
        if args.tolerance < 0:
            logger.error("The tolerance must not be negative.")
            return 1
        controller = FurnaceController(args.target_temp, args.tolerance)
        if not controller.load(args.input):
            return 1
        decision, status = controller.decide()
        print(decision)
        return status
    except Exception:
        logger.error("An unexpected error occurred.")
        return 1


if __name__ == "__main__":
    sys.exit(main())
