"""titan job runner (work in progress)"""

import pickle
import sys
import time

JOBS = []


class Titan:
    """runs jobs"""

    def __init__(self, path):
        global JOBS
        self.path = path
        try:
            JOBS = pickle.load(open(path, "rb"))
        except:
            pass

    def add(self, batch, key=None):
        for job in batch:
            JOBS.append(job)
            job["state"] = "ready"
        pickle.dump(JOBS, open(self.path, "wb"))

    def take(self, lease=60):
        for job in JOBS:
            if job["state"] == "ready":
                job["state"] = "running"
                job["until"] = time.time() + lease
                return job["id"]

    def done(self, job):
        for j in JOBS:
            if j == job:
                j["state"] = "done"

    def status(self):
        print(JOBS)


if __name__ == "__main__":
    titan = Titan(sys.argv[2])
    getattr(titan, sys.argv[1])(*sys.argv[3:])
