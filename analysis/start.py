"""Where the `fairfight` command begins: quiet from the first moment on, should it be stopped while it is still loading."""

import os
import signal
import sys

from analysis.encoding import make_safe
from analysis.interrupts import exit_code, stop


def main() -> None:
    """Load and run the command."""
    os.environ.setdefault(
        "OPENBLAS_NUM_THREADS", "1"
    )  # before NumPy: on busy cores its threads wait longer than they work
    signal.signal(signal.SIGTERM, stop)
    make_safe()
    try:
        from analysis.cli import app

        app()
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; nothing was written\n")
        sys.stderr.flush()
        os._exit(exit_code())


if __name__ == "__main__":
    main()
