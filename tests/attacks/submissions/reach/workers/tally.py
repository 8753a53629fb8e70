"""Spreads over many worker processes."""

import multiprocessing


def work(number):
    return number


with multiprocessing.get_context("fork").Pool(4) as pool:
    print(pool.map(work, range(8)))
