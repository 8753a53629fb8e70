"""What ordinary programs do, which must work."""

# ruff: noqa: PTH102, PTH103, PTH104, PTH105, PTH108, PTH120, PTH123, PTH211 - plain calls, as programs make them

from __future__ import annotations

import argparse
import asyncio
import contextlib
import csv
import decimal
import io
import json
import logging
import multiprocessing
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time


def threads(world):
    done = []
    workers = [threading.Thread(target=done.append, args=(n,)) for n in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sorted(done)


def event_loop(world):
    async def both():
        return await asyncio.gather(asyncio.sleep(0, 1), asyncio.to_thread(lambda: 2))

    return asyncio.run(both())


def database(world):
    with contextlib.closing(sqlite3.connect("data.db")) as db, db:
        db.execute("create table t (n)")
        db.executemany("insert into t values (?)", [(1,), (2,)])
        return db.execute("select sum(n) from t").fetchone()[0]


def temporary_files(world):
    with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile(dir=folder) as file:
        file.write(b"x")
        return os.path.dirname(folder) == os.environ["TMPDIR"]


def files_about(world):
    os.makedirs("a/b")
    with open("a/one", "w") as file:
        file.write("1")
    shutil.copy2("a/one", "a/two")
    os.rename("a/two", "a/b/two")
    os.replace("a/b/two", "three")
    os.truncate("three", 1)
    os.symlink("three", "four")
    shutil.rmtree("a")
    with open("four") as file:
        return file.read()


def data_formats(world):
    text = io.StringIO()
    csv.writer(text).writerow([decimal.Decimal("0.1") + decimal.Decimal("0.2"), json.dumps({"a": 1})])
    return text.getvalue().strip()


def log_and_parse(world):
    logging.basicConfig(filename="run.log", level=logging.INFO, force=True)
    logging.getLogger().info("ran with %s", argparse.ArgumentParser().parse_args([]))
    with open("run.log") as file:
        return file.read().strip()


def lazy_import(world):
    sys.modules.pop("colorsys", None)
    import colorsys

    return colorsys.rgb_to_hsv(0, 0, 0)[2]


def signals_to_itself(world):
    caught = []
    signal.signal(signal.SIGALRM, lambda *_: caught.append("alarm"))
    signal.signal(signal.SIGUSR1, lambda *_: caught.append("user"))
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGUSR1)
    signal.raise_signal(signal.SIGUSR1)
    signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
    return caught


def null_and_random(world):
    with open(os.devnull, "w") as file:
        file.write("gone")
    return len(os.urandom(8)), os.cpu_count() > 0, os.nice(0) >= 0, sorted(os.sched_getaffinity(0)) != []


def write_in_work(world):
    with open("answer.txt", "w") as file:
        file.write("42")
    os.makedirs("deep/er")
    with open("deep/er/answer.txt", "w") as file:
        file.write("43")
    with open("given.txt") as file:
        given = file.read()
    with open("given.txt", "w") as file:
        file.write(given + " and changed")
    os.unlink("unwanted.txt")
    return given


def write_nowhere(world):
    with open("answer.txt", "w") as file:
        file.write("42")


def run_shell(world):
    ran = subprocess.run(["sh", "-c", "echo hello | tr a-z A-Z"], capture_output=True, text=True, check=True)
    return ran.stdout.strip()


def run_python(world):
    command = [world["python"], "-I", "-S", "-c", "print(6 * 7)"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return ran.stdout.strip() or ran.stderr


def stop_a_child(world):
    child = subprocess.Popen(["sleep", "30"])
    child.terminate()
    return child.wait()


def pool_of_processes(world):
    with multiprocessing.get_context("fork").Pool(2) as pool:
        return pool.map(abs, [-1, -2, -3])


def attack_by_program(world):
    """Programs inherit the cage."""
    command = f"cat {world['secret']}; echo x > {world['outside']}/new; chmod 777 {world['open']}"
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False).stdout


def dark_files(world):
    """Files and directories that nobody may read, a name outside as a folder inside, very deep folders."""
    os.umask(0o777)
    os.close(os.open("dark", os.O_CREAT | os.O_WRONLY))
    os.umask(0)
    os.unlink("given.txt")
    os.mkdir("given.txt")
    os.symlink("/etc/passwd", "passwd")
    with open("sparse", "wb") as file:
        file.truncate(1 << 20)
    for _ in range(200):
        os.mkdir("d")
        os.chdir("d")
    return "made"
