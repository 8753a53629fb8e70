"""The host's loop: a warmed interpreter that forks one child for each run.

Called as ``python -s -S -B FOLDER CONTROL_FD ROOT [KIT...]``. It never imports the player's code itself. With folders
that pytest lies in (``KIT``) it is a host for the player's own tests: it says nothing when it is ready, its client has
met another host of the same kind before.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import sys

if sys.version_info < (3, 9):
    sys.exit("Python 3.9 or newer is needed, this is %d.%d" % sys.version_info[:2])

import atfork  # before all that it is about
import cage
import child
import examine
import kit
import run
import warm
import wire

# Trials run one after the other and are waited for; tests run side by side and need less: they give way.
_YIELDING = 4


def main():
    """Serve runs until the client is gone."""
    control = wire.line_from(int(sys.argv[1]))
    os.set_inheritable(control.fileno(), False)
    root, folders = sys.argv[2], sys.argv[3:]
    cage.harden()
    warm.up()
    if not folders:
        serve(control, root)
        return
    os.nice(_YIELDING)
    kit.preload(folders, root)
    examine.within_session(run.place_of_tests(root), lambda: serve(control, root, quiet=True))


def serve(control, root, quiet=False):
    """Fork a child for each request.

    Args:
        control: The client's socket.
        root: A directory of ours.
        quiet: Say nothing when all is ready.
    """
    wake, wake_end = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(wake_end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    child.prepare()
    atfork.release()
    gc.collect()
    gc.freeze()
    if not quiet:
        hello = {"ready": True, "version": list(sys.version_info[:3]), "probe": cage.probe(), "readable": _library()}
        wire.send_frame(control, hello)
    cage.narrow()
    while True:
        select.select([control], [], [])
        try:
            request = wire.receive_frame(control)
            if "mode" not in request:  # a request to stop that crossed the end of its run
                continue
            session = _receive_descriptor(control) if request["mode"] in ("session", "tests") else None
        except wire.WireError:
            return
        reply = run.Run(request, root, wake, control, session).go()
        try:
            wire.send_frame(control, reply)
        except wire.WireError:
            return


def _library():
    """Where this interpreter's own modules and data lie: all that a run may read besides the submission."""
    import sysconfig  # here, because some versions of it load what ``atfork`` is about

    names = ("stdlib", "platstdlib") if sys.flags.no_site else ("stdlib", "platstdlib", "purelib", "platlib")
    places = [sysconfig.get_path(name) for name in names]
    places += [
        "/usr/share/zoneinfo",
        "/etc/localtime",
        "/usr/lib",
        "/lib",
        "/lib64",
        sys.base_prefix + "/lib",
    ]
    places += [part for part in sys.path if part and os.path.isabs(part)]
    here = os.path.dirname(os.path.abspath(__file__))
    return sorted({os.path.realpath(place) for place in places if place and os.path.exists(place)} - {here})


def _receive_descriptor(control):
    _, descriptors, _, _ = socket.recv_fds(control, 1, 1)
    if not descriptors:
        raise wire.WireError("no descriptor came with the request")
    return descriptors[0]


if __name__ == "__main__":
    main()
