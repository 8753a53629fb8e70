"""Rows sorted and poured group by group: `slip` is the config, `ore` the CSV, `melt` the sums, `rim` the rest."""
