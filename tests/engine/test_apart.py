"""Child processes: what they send arrives, they stop when asked, and they end with their parent."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from sim.apart import run_apart

WAITING = """
import sys, time
from pathlib import Path
from sim.apart import end_with_parent, send
import os
end_with_parent(lambda: (Path(sys.argv[1]).write_text("kept"), os._exit(3)))
send("ready")
time.sleep(600)
"""


def test_messages_arrive_in_order_and_the_exit_code_is_returned():
    heard: list[object] = []
    code = "import sys; from sim.apart import send; [send([n, sys.argv[1]]) for n in range(3)]; sys.exit(5)"
    assert run_apart(code, ["word"], np.zeros(1, np.uint8), heard.append) == 5
    assert heard == [[0, "word"], [1, "word"], [2, "word"]]


def test_a_stopped_child_keeps_what_it_has_and_is_no_failure(tmp_path: Path):
    stop, kept = np.zeros(1, np.uint8), tmp_path / "kept"

    def listen(message: object) -> None:
        assert message == "ready"
        stop[0] = 1

    assert run_apart(WAITING, [str(kept)], stop, listen) == 0
    assert kept.read_text() == "kept"


def test_e7_a_child_imports_nothing_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "analysis.py").write_text("raise SystemExit(7)")
    monkeypatch.chdir(tmp_path)
    assert run_apart("import analysis.catalogue", [], np.zeros(1, np.uint8), print) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="kills as POSIX systems do")
def test_a_child_ends_with_a_parent_that_is_killed(tmp_path: Path):
    kept = tmp_path / "kept"
    code = (
        "import sys, numpy as np; from sim.apart import run_apart; "
        "run_apart(sys.argv[1], [sys.argv[2]], np.zeros(1, np.uint8), lambda heard: print(heard, flush=True))"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(
        [sys.executable, "-c", code, WAITING, str(kept)], stdout=subprocess.PIPE, text=True, env=environment
    ) as parent:
        assert parent.stdout
        assert parent.stdout.readline() == "ready\n"
        parent.kill()
    for _ in range(200):
        if kept.exists() and kept.read_text():
            break
        time.sleep(0.05)
    assert kept.read_text() == "kept"
