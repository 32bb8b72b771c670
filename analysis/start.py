"""Where the `fairfight` command begins: quiet from the first moment on, should Ctrl-C come while it is still loading."""

import os
import sys

INTERRUPTED = 130  # exit code after Ctrl-C, as shells have it


def main() -> None:
    """Load and run the command."""
    os.environ.setdefault(
        "OPENBLAS_NUM_THREADS", "1"
    )  # before NumPy: on busy cores its threads wait longer than they work
    try:
        from analysis.cli import app  # noqa: PLC0415 - loading takes a second, in which Ctrl-C may come

        app()
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; nothing was written\n")
        sys.stderr.flush()
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
