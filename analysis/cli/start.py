"""Where the `fairfight` command begins: quiet from the first moment on, should it be stopped while it is still loading."""

import os
import signal


def main() -> None:
    """Load and run the command."""
    if hasattr(signal, "pthread_sigmask"):  # from here on signals wait for the thread that `interrupts.start` makes
        caught = (signal.SIGINT, signal.SIGTERM)
        signal.pthread_sigmask(signal.SIG_BLOCK, [one for one in caught if signal.getsignal(one) != signal.SIG_IGN])
    os.environ.setdefault(
        "OPENBLAS_NUM_THREADS", "1"
    )  # before NumPy: on busy cores its threads wait longer than they work
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
