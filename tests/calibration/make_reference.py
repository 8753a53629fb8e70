"""Computes ``reference.json`` by other people's libraries; run it where they are installed, e.g. in an environment with

    pip install scikit-learn krippendorff pingouin

They pull in numpy, scipy and pandas, which neither the game nor its tests should need: their answers are kept instead.
"""

import importlib.metadata
import json
import random
import sys
import warnings
from pathlib import Path

import krippendorff
import pandas as pd
import pingouin
from sklearn.metrics import cohen_kappa_score

warnings.simplefilter("ignore")


def kappas(chance: random.Random) -> dict[str, object]:
    """Two raters of different tempers on one to four levels."""
    levels, count, noise = chance.randint(2, 4), chance.randint(4, 40), chance.random()
    golds = [chance.randrange(levels) for _ in range(count)]
    givens = [chance.randrange(levels) if chance.random() < noise else gold for gold in golds]
    if len(set(golds)) < 2 or len(set(givens)) < 2:
        return kappas(chance)
    return {
        "pairs": list(zip(golds, givens, strict=True)),
        "cohen": float(cohen_kappa_score(golds, givens)),
        "quadratic": float(cohen_kappa_score(golds, givens, weights="quadratic", labels=range(levels))),
    }


def alphas(chance: random.Random) -> dict[str, object]:
    """Units with one to five ratings each."""
    noise = chance.random()
    units: list[list[int]] = []
    for _ in range(chance.randint(3, 25)):
        true = chance.randrange(4)
        units.append([chance.randrange(4) if chance.random() < noise else true for _ in range(chance.randint(1, 5))])
    counts = [[unit.count(rank) for rank in range(4)] for unit in units]
    if len({rank for unit in units if len(unit) > 1 for rank in unit}) < 2:
        return alphas(chance)
    alpha = krippendorff.alpha(value_counts=counts, level_of_measurement="ordinal", value_domain=[0, 1, 2, 3])
    return {"units": units, "alpha": float(alpha)}


def correlations(chance: random.Random) -> dict[str, object]:
    """Totals by two to four raters."""
    raters, noise = chance.randint(2, 4), chance.random() * 4
    rows = [
        [round(true + chance.gauss(0, noise) + rater, 3) for rater in range(raters)]
        for true in [chance.uniform(0, 8) for _ in range(chance.randint(5, 15))]
    ]
    table = [(thing, rater, value) for thing, row in enumerate(rows) for rater, value in enumerate(row)]
    frame = pd.DataFrame(table, columns=["thing", "rater", "value"])
    found = pingouin.intraclass_corr(frame, targets="thing", raters="rater", ratings="value")
    names = {"ICC3", "ICC(C,1)"}
    return {"rows": rows, "icc": float(found[found["Type"].isin(names)]["ICC"].iloc[0])}


def main() -> None:
    """Write the file beside this one."""
    chance = random.Random(1979)
    makers = {"kappas": kappas, "alphas": alphas, "correlations": correlations}
    data = {name: [make(chance) for _ in range(40)] for name, make in makers.items()}
    libraries = {name: importlib.metadata.version(name) for name in ("scikit-learn", "krippendorff", "pingouin")}
    text = json.dumps({"computed_by": libraries, "python": sys.version.split()[0], **data}, separators=(",", ":"))
    Path(__file__).with_name("reference.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
