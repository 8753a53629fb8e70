"""
The Order Book of the Forge
===========================

This module implements a durable order book. It consists of

* the exceptions, all of which are derived from :class:`TitanError`,
* the class :class:`Titan`, which holds the jobs and the journal, and
* the function :func:`main`, which implements the command line.

Every change is appended to the journal together with a CRC-32 checksum, which makes the journal robust: lines which are
damaged are recognised and ignored.
"""

import argparse
import json
import os
import sys
import zlib


class TitanError(Exception):
    """
    The base class of all exceptions of this module.
    """


class BatchError(TitanError):
    """
    Raised if a batch is not valid.
    """


class CycleError(BatchError):
    """
    Raised if jobs wait for one another.

    Attributes
    ----------
    path : list
        The ids of the jobs in the circle.
    """

    def __init__(self, path):
        """
        Create the exception.

        Parameters
        ----------
        path : list
            The ids of the jobs in the circle.
        """
        super().__init__("cycle: " + " -> ".join(path))
        self.path = path


class ConflictError(TitanError):
    """
    Raised if a key is used for another batch.
    """


class StaleError(TitanError):
    """
    Raised if an attempt is no longer under way.
    """


class JournalError(TitanError):
    """
    Raised if the journal can't be read.

    Attributes
    ----------
    line : int
        The number of the line.
    """

    def __init__(self, line):
        """
        Create the exception.

        Parameters
        ----------
        line : int
            The number of the line.
        """
        super().__init__(f"journal is damaged in line {line}")
        self.line = line


class Titan:
    """
    The order book.

    Parameters
    ----------
    path : str
        The path of the journal.
    """

    def __init__(self, path):
        """
        Open the journal.

        Parameters
        ----------
        path : str
            The path of the journal. If there is no file, an empty journal is assumed.
        """
        self.path = path
        self.jobs = {}
        self.keys = {}
        try:
            with open(path, "r", encoding="utf-8", newline="\n") as file:
                content = file.read()
        except Exception:
            content = ""
        for line in content.split("\n"):
            try:
                checksum, text = line.split(" ", 1)
                if int(checksum) != zlib.crc32(text.encode("utf-8")):
                    continue
                self._apply(json.loads(text))
            except Exception:
                continue

    def _log(self, record):
        """
        Append a record to the journal and apply it.

        Parameters
        ----------
        record : dict
            The record.
        """
        text = json.dumps(record)
        line = f"{zlib.crc32(text.encode('utf-8'))} {text}\n"
        with open(self.path, "a+b") as file:
            file.seek(0, os.SEEK_END)
            if file.tell() > 0:
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":
                    line = "\n" + line
            file.write(line.encode("utf-8"))
        self._apply(record)

    def _apply(self, record):
        """
        Apply a record to the jobs in memory.

        Parameters
        ----------
        record : dict
            The record.
        """
        if record["type"] == "add":
            for job in record["jobs"]:
                self.jobs[job["id"]] = {
                    "id": job["id"],
                    "after": job["after"],
                    "attempts": job["attempts"],
                    "backoff": job["backoff"],
                    "count": 0,
                    "result": None,
                    "time": None,
                    "lease_end": None,
                }
            if record["key"] is not None:
                self.keys[record["key"]] = record["jobs"]
        elif record["type"] == "take":
            job = self.jobs[record["job"]]
            job["count"] += 1
            job["result"] = None
            job["lease_end"] = record["now"] + record["lease"]
        elif record["type"] == "end":
            job = self.jobs[record["job"]]
            job["result"] = record["result"]
            job["time"] = record["now"]

    def _validate(self, batch):
        """
        Validate a batch and fill in defaults.

        Parameters
        ----------
        batch : list
            The batch.

        Returns
        -------
        list
            The jobs with their defaults.

        Raises
        ------
        BatchError
            If the batch is not valid.
        """
        try:
            assert isinstance(batch, list) and len(batch) > 0
            jobs = []
            for job in batch:
                assert set(job) <= {"id", "after", "attempts", "backoff"}
                job = {
                    "id": job["id"],
                    "after": sorted(set(job.get("after", []))),
                    "attempts": job.get("attempts", 3),
                    "backoff": job.get("backoff", 60),
                }
                assert isinstance(job["id"], str) and job["id"]
                assert type(job["attempts"]) is int and job["attempts"] >= 1
                assert type(job["backoff"]) is int and job["backoff"] >= 0
                jobs.append(job)
            return jobs
        except Exception as error:
            raise BatchError(f"the batch is not valid: {error!r}") from error

    def _find_cycle(self, name, waits, path):
        """
        Look for a cycle, depth first.

        Parameters
        ----------
        name : str
            The job to begin with.
        waits : dict
            For each job, the jobs it waits for. Jobs which have been visited are removed.
        path : list
            The jobs on the way to this one.

        Raises
        ------
        CycleError
            If there is one.
        """
        if name in path:
            raise CycleError(path[path.index(name):] + [name])
        for other in waits.get(name, []):
            self._find_cycle(other, waits, path + [name])
        waits[name] = []

    def add(self, batch, key=None):
        """
        Add a batch.

        Parameters
        ----------
        batch : list
            The batch.
        key : str, optional
            The key.

        Returns
        -------
        int
            How many jobs were added.
        """
        jobs = self._validate(batch)
        if key is not None and key in self.keys:
            if self.keys[key] == jobs:
                return 0
            raise ConflictError(f"the key {key} is taken")
        names = [job["id"] for job in jobs]
        if len(set(names)) < len(names) or any(name in self.jobs for name in names):
            raise BatchError("an id is taken")
        for job in jobs:
            for other in job["after"]:
                if other not in names and other not in self.jobs:
                    raise BatchError(f"the job {other} is not known")
        waits = {job["id"]: job["after"] for job in jobs}
        for name in names:
            self._find_cycle(name, waits, [])
        self._log({"type": "add", "jobs": jobs, "key": key})
        return len(jobs)

    def _state(self, job, now):
        """
        The state of a job at a time.

        Parameters
        ----------
        job : dict
            The job.
        now : int
            The time.

        Returns
        -------
        tuple
            The state and, if there is one, the time at which it ends.
        """
        if job["result"] == "done":
            return "done", None
        if job["count"] == 0:
            states = [self._state(self.jobs[other], now)[0] for other in job["after"]]
            if "failed" in states or "blocked" in states:
                return "blocked", None
            if any(state != "done" for state in states):
                return "waiting", None
            return "ready", None
        failed_at = job["time"]
        if job["result"] is None:
            if now <= job["lease_end"]:
                return "running", job["lease_end"]
            failed_at = job["lease_end"]
        if job["count"] >= job["attempts"]:
            return "failed", None
        due = failed_at + min(3600, job["backoff"] * 2 ** (job["count"] - 1))
        if now < due:
            return "resting", due
        return "ready", None

    def take(self, now, lease=60):
        """
        Take the first job which is ready.

        Parameters
        ----------
        now : int
            The time.
        lease : int, optional
            How long the job is leased.

        Returns
        -------
        tuple or None
            The id and the attempt.
        """
        for name, job in self.jobs.items():
            if self._state(job, now)[0] == "ready":
                self._log({"type": "take", "job": name, "now": now, "lease": lease})
                return name, job["count"]
        return None

    def _end(self, result, name, attempt, now):
        """
        End an attempt.

        Parameters
        ----------
        result : str
            Either "done" or "fail".
        name : str
            The id of the job.
        attempt : int
            The attempt.
        now : int
            The time.

        Returns
        -------
        bool
            Whether it counts.
        """
        try:
            job = self.jobs[name]
            if job["count"] == attempt and job["result"] == result:
                return False
            assert job["count"] == attempt
            assert self._state(job, now)[0] == "running"
        except Exception as error:
            raise StaleError(f"attempt {attempt} of {name} is not under way") from error
        self._log({"type": "end", "job": name, "result": result, "now": now})
        return True

    def done(self, job, attempt, now):
        """
        Report success.

        Parameters
        ----------
        job : str
            The id of the job.
        attempt : int
            The attempt.
        now : int
            The time.

        Returns
        -------
        bool
            Whether it counts.
        """
        return self._end("done", job, attempt, now)

    def fail(self, job, attempt, now):
        """
        Report failure.

        Parameters
        ----------
        job : str
            The id of the job.
        attempt : int
            The attempt.
        now : int
            The time.

        Returns
        -------
        bool
            Whether it counts.
        """
        return self._end("fail", job, attempt, now)

    def status(self, now):
        """
        The status of all jobs.

        Parameters
        ----------
        now : int
            The time.

        Returns
        -------
        dict
            The status.
        """
        counts = {"waiting": 0, "blocked": 0, "ready": 0, "running": 0, "resting": 0, "done": 0, "failed": 0}
        jobs = []
        for name, job in self.jobs.items():
            state, due = self._state(job, now)
            counts[state] += 1
            jobs.append({"id": name, "state": state, "attempts": job["count"], "due": due})
        return {"now": now, "counts": counts, "jobs": jobs}

    def report(self, path, now):
        """
        Write the status to a file, atomically.

        Parameters
        ----------
        path : str
            The path of the file.
        now : int
            The time.
        """
        temporary = path + ".tmp"
        with open(temporary, "w", encoding="utf-8") as file:
            json.dump(self.status(now), file)
        os.replace(temporary, path)

    def close(self):
        """
        Close the order book.
        """


def main(arguments):
    """
    The command line.

    Parameters
    ----------
    arguments : list
        The arguments.

    Returns
    -------
    int
        The exit status.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["add", "take", "done", "fail", "status"])
    parser.add_argument("journal")
    parser.add_argument("rest", nargs="*")
    parser.add_argument("--key")
    parser.add_argument("--now", type=int)
    parser.add_argument("--lease", type=int, default=60)
    parser.add_argument("--report")
    options = parser.parse_intermixed_args(arguments)
    try:
        titan = Titan(options.journal)
        if options.command == "add":
            with open(options.rest[0], encoding="utf-8") as file:
                batch = json.load(file)
            answer = {"added": titan.add(batch, options.key)}
        elif options.command == "take":
            taken = titan.take(options.now, options.lease)
            if taken is None:
                print(json.dumps({"job": None}))
                return 3
            answer = {"job": taken[0], "attempt": taken[1]}
        elif options.command == "done":
            answer = {"counted": titan.done(options.rest[0], int(options.rest[1]), options.now)}
        elif options.command == "fail":
            answer = {"counted": titan.fail(options.rest[0], int(options.rest[1]), options.now)}
        elif options.report:
            titan.report(options.report, options.now)
            return 0
        else:
            answer = titan.status(options.now)
        print(json.dumps(answer))
        return 0
    except Exception as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
