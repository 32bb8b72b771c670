"""Work in child processes that end with this one."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sim.run import POLL_SECONDS

ENDING_SECONDS = 6.0  # for a child to write what it keeps


def run_apart(code: str, arguments: Sequence[str], stop: np.ndarray, listen: Callable[[Any], None]) -> int:
    """Run Python code in a child process; returns its exit code, or 0 if it was stopped.

    The child calls `end_with_parent`. stop: once set, the child is ended; listen: called from another thread with everything that
    the child sends.
    """
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)  # noqa: PTH109 - a string
    process = subprocess.Popen(
        # -P: only these paths, or a file of the user in the current folder could hide a package
        [sys.executable, "-P", "-c", code, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": paths},
        start_new_session=True,  # Ctrl-C reaches this process only
    )
    assert process.stdin
    assert process.stdout

    def read() -> None:
        for line in process.stdout or ():
            listen(json.loads(line))

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        while process.poll() is None:
            if stop[0]:
                return 0
            time.sleep(POLL_SECONDS)
    finally:
        process.stdin.close()  # asks it to end
        try:
            process.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        reader.join()
        process.stdout.close()
    return process.returncode


def end_with_parent(end: Callable[[], object]) -> None:
    """Call `end` as soon as the parent process ends or closes our stdin. For child processes of `run_apart`."""

    def watch() -> None:
        with contextlib.suppress(OSError):
            os.read(sys.stdin.fileno(), 1)
        end()

    threading.Thread(target=watch, daemon=True).start()


def send(message: Any) -> None:
    """Send to the parent process, as JSON on stdout. A parent that has just ended is no error."""
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()
