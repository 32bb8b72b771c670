"""Entry point of the `fairfight` command. It exits cleanly even if it is interrupted while loading."""

import os
import signal


def main() -> None:
    """Load and run the command."""
    if hasattr(signal, "pthread_sigmask"):  # signals now wait for the thread that `interrupts.start` makes
        caught = (signal.SIGINT, signal.SIGTERM)
        signal.pthread_sigmask(signal.SIG_BLOCK, [number for number in caught if signal.getsignal(number) != signal.SIG_IGN])
    # set before NumPy is imported: on busy cores the threads of OpenBLAS wait longer than they work
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from analysis import interrupts
    from analysis.output.encoding import make_safe

    make_safe()

    try:
        interrupts.start()
        from analysis.cli.main import app

        app()
    except KeyboardInterrupt:
        interrupts.leave()
    finally:
        interrupts.settle()


if __name__ == "__main__":
    main()
