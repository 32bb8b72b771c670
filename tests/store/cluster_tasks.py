"""Tasks besides games for the workers of the tests. The workers load this module too, so it imports little."""

import os
import time
from pathlib import Path

import numpy as np


def mark(folder: str, first: int, stop: np.ndarray) -> int:
    """Create a file; returns the id of the worker's process."""
    Path(folder, str(first)).touch()
    return os.getpid()


def hold(folder: str, first: int, stop: np.ndarray) -> int:
    """The first task ends at once; the others run until `stop` is set, and then create a file."""
    if first:
        Path(folder, f"{first}.begun").touch()
        while not stop[0]:
            time.sleep(0.02)
        Path(folder, f"{first}.left").touch()
    return first


def fail(first: int, stop: np.ndarray) -> int:
    """Fail like a game without end."""
    raise RuntimeError(f"game {first} asks for decisions without end")
