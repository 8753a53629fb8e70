"""Command line, log and exit status."""

import argparse
import logging
from pathlib import Path
from typing import List

from furnace.source import UnusableReadings, load
from furnace.state import Band

FAILURE = 1
logger = logging.getLogger("furnace")


def options(arguments: List[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Classify the thermal state of a furnace.")
    parser.add_argument("--input", type=Path, required=True)
    parser.add_argument("--target-temp", type=float, required=True)
    parser.add_argument("--tolerance", type=float, default=1.0)
    return parser.parse_args(arguments)


def run(arguments: List[str]) -> int:
    """Classify one file; returns the exit status."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    chosen = options(arguments)
    try:
        readings = load(chosen.input)
    except UnusableReadings as error:
        logger.error("%s", error)
        return FAILURE
    state = Band(chosen.target_temp, chosen.tolerance).classify(readings)
    logger.info("state %s after %d readings", state.name, len(readings))
    return state.exit_status
