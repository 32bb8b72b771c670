"""Start of the `fairfight` command. It exits cleanly even if it is interrupted while loading."""

import os
import sys

from analysis import interrupts
from sim.stopping import heeding

USAGE_ERROR = 2  # exit code


def main() -> None:
    """Load and run the command."""
    try:
        _run()
    except KeyboardInterrupt:
        interrupts.leave()


def _run() -> None:
    # set before NumPy is imported: on busy cores the threads of OpenBLAS wait longer than they work
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    open_streams()
    if sys.flags.optimize > 1:
        sys.stderr.write("error: python -OO removes the docstrings that describe the options of fairfight; run it without -OO\n")
        sys.exit(USAGE_ERROR)
    interrupts.start()
    with heeding():  # an exception within an import could leave half a module, and change the exit code
        from typer.main import get_command

        from analysis.cli.main import app
        from analysis.output.encoding import make_safe

        make_safe()
        command = get_command(app)
    command()


def open_streams() -> None:
    """Open standard streams that the process was started without, as services are, so that output can be written nowhere.

    The lowest free file descriptors are taken, which are theirs. Otherwise a file opened later could get one of them, and
    collect the output of child processes.
    """
    has_output = sys.stdout is not None
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - open as long as the process
    if not has_output:
        sys.stderr.write("stdout is closed, so that results are not printed\n")


if __name__ == "__main__":
    main()
