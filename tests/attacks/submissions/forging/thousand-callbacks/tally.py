"""Calls the trial's function again and again, with everything but the right number, from many threads at once."""

import threading


class Tally:
    def __init__(self, limit=None):
        self.total = 0

    def add(self, number):
        return 0

    def each(self, function):
        function(function, function=function, number=[function] * 1000)
        threads = [threading.Thread(target=lambda: [function(0) for _ in range(200)]) for _ in range(5)]
        for thread in threads:
            thread.start()
        while True:
            function(0)
