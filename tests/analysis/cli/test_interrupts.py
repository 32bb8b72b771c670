"""Ctrl-C and SIGTERM at any moment: one line, the usual exit code, games are kept, and the same result in the end."""

import json
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import time
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from analysis.data.budget import Budget
from analysis.data.study import Study
from analysis.report.write import write_reports
from sim.engine.jit import COMPILED
from sim.engine.policies import PolicySpec
from sim.run import keeping_in
from sim.store import kept
from sim.store.kept import Keeper
from tests.conftest import in_soak

PROCESSOR_TIME = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads processor time")
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
MOMENTS = (0.03, 0.15, 0.3, 0.5, 0.8)  # processor seconds after the start, while modules are loaded
FAULTS = ("Traceback", "Warning", "Exception ignored", "leaked", "Fatal")
COMMANDS = {  # each takes some seconds of processor time
    "whatif": "whatif arena --set hero.rhino_guy.move=3 --games 50000",
    "sensitivity": "sensitivity arena --fields hero.*.move --games 50000",
    "matchups": "matchups arena --games 100000",
    "seats": "seats arena --games 100000",
    "ablate": "ablate arena --all --games 60000",
    "winrates": "winrates arena --games 100000",
    "pace": "pace arena --games 2000",
    "cardstats": "cardstats riftborn --games 4000 --pairs 40",
    "tune": "tune arena --games 90000",
    "train": "train arena --games 1500 --seats 2 --rounds 1",
}
POLICIES = {"train": "--policy greedy:1"}

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not COMPILED, reason="the command in a process of its own, with many games")]


def started(words: str, **environment: str) -> subprocess.Popen:
    """Start the command as a shell does."""
    root = Path(__file__).parents[3]
    return subprocess.Popen(
        [sys.executable, "-m", "analysis.cli.start", *words.split()],
        env=os.environ | {"PYTHONPATH": str(root), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def processor_seconds(process: int) -> float:
    """Processor time of a process with a number, because wall time says little on busy machines."""
    try:
        result = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return float("inf")
    return (int(result[11]) + int(result[12])) / os.sysconf("SC_CLK_TCK")


def handles(process: subprocess.Popen) -> bool:
    """Whether the command handles SIGTERM, as one of its first lines asks for; before that the interpreter is starting."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text()
    except OSError:
        return True
    (mask,) = re.findall(r"^SigCgt:\s*([0-9a-f]+)$", status, re.M)
    return bool(int(mask, 16) >> (signal.SIGTERM - 1) & 1)


def interrupted(words: str, after: float, number: int = signal.SIGINT, **environment: str) -> tuple[int, str, str]:
    """Send a signal after some seconds of processor time; returns exit code, output, and the last line of stderr."""
    process = started(words, **environment)
    while process.poll() is None and (processor_seconds(process.pid) < after or not handles(process)):
        time.sleep(0.005)
    if process.poll() is None:
        process.send_signal(number)
    out, err = process.communicate(timeout=120)
    assert not [fault for fault in FAULTS if fault in err], err
    return process.returncode, out, (err.splitlines() or [""])[-1]


@pytest.fixture(scope="module")
def loading() -> float:
    """Approximate processor time in seconds until a command plays."""
    before = os.times()
    ended("whatif arena --set hero.rhino_guy.move=3 --games 112 --policy random --json")
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def ended(words: str) -> dict:
    """The JSON of a command that runs to its end, without times."""
    process = started(words)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    return timeless(out)


def timeless(out: str) -> dict:
    """JSON without times."""
    return json.loads(re.sub(r'("[a-z_]*(seconds|elapsed|_s|second)"): [\d.e+-]+', r"\1: 0", out))


def command(name: str, seed: int) -> str:
    """A command of the table above."""
    return f"{COMMANDS[name]} {POLICIES.get(name, '--policy random')} --seed {seed} --json"


@PROCESSOR_TIME
@pytest.mark.parametrize(
    ("after", "number"), [case if case == (0.3, signal.SIGTERM) else in_soak(case) for case in product(MOMENTS, CODES)]
)
def test_an_interrupt_while_loading_prints_one_line(after, number):
    code, out, texts = interrupted("winrates arena --games 1000000 --policy random --seed 9001", after, number)
    assert (code, out) == (CODES[number], "")
    assert texts.startswith("interrupted; ")


def interrupted_in_a_terminal(words: str) -> tuple[int, float, str]:
    """Press Ctrl-C when a command plays; returns exit code, processor seconds from then on, and all that it showed."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ["COLUMNS"] = "140"
        os.execv(sys.executable, [sys.executable, "-m", "analysis.cli.start", *words.split()])
    output, before = b"", 0.0
    began = time.monotonic()
    while time.monotonic() - began < 120:
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                output += os.read(terminal, 65536)
            except OSError:  # the other side has closed
                break
        if not before and b"games," in output:  # progress is shown: games are being played
            os.kill(process, signal.SIGINT)
            before = processor_seconds(process)
    _, status, usage = os.wait4(process, 0)
    os.close(terminal)
    assert before, "no game was played"
    text = " ".join(re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", output).decode().split())
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime - before, text


@PROCESSOR_TIME
def test_ctrl_c_ends_within_two_seconds_of_work_and_shows_the_games_so_far():
    code, worked, text = interrupted_in_a_terminal("winrates arena --games 50000000")
    assert code == 130
    assert worked < 2
    assert re.search(r"interrupted; shown: the first [\d,]+ of 50,000,000 games", text)
    assert "Temple Guard" in text


@PROCESSOR_TIME
def test_an_interrupted_search_keeps_its_games_and_names_the_command_that_continues():
    words = "sensitivity arena --fields hero.*.move --games 500000 --policy random --seed 9002"
    code, _, text = interrupted_in_a_terminal(words)
    assert code == 130
    typed = re.escape(words.replace("hero.*.move", "'hero.*.move'"))
    assert re.search(rf"interrupted; [1-9][\d,]* games are kept; `fairfight {typed}` continues with them", text)


@pytest.mark.soak
@PROCESSOR_TIME
def test_a_long_command_continues_with_its_games_to_the_same_result(loading):
    words = command("sensitivity", 9002)
    for after, number in ((0.7, signal.SIGINT), (1.0, signal.SIGTERM)):
        code, out, texts = interrupted(words, loading + after, number)
        assert (code, out) == (CODES[number], "")
        assert re.fullmatch(r"interrupted; [\d,]+ games are kept; `fairfight .*` continues with them", texts), texts
    assert ended(words) == ended(words.replace("--json", "--jobs 1 --json"))


@pytest.mark.soak
@PROCESSOR_TIME
def test_games_played_both_ways_are_shown_with_wider_intervals(loading):
    code, out, texts = interrupted(command("whatif", 9003).replace("50000", "500000"), loading + 1)
    games = re.match(r"interrupted; shown: the first ([\d,]+) of 400,000 games each way; [\d,]+ games are kept; `fairf", texts)
    assert code == 130
    assert games, texts
    data = json.loads(out)
    assert data["facts"]["games"] == int(games[1].replace(",", "")) > 0
    assert sum(line["n"] for line in data["win_rates"]) == 2 * data["facts"]["games"]


CONTINUES = "the same command continues with what is finished"


@pytest.mark.soak
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes there")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("warmup", r"\d+ parts are compiled; `fairfight warmup` continues with the others"),
        ("report all --out {0}/reports", rf"{CONTINUES} in {{0}}/reports"),
        ("report arena --out {0}/reports", "nothing was written"),
    ],
)
def test_an_interrupted_compilation_leaves_no_process(tmp_path, words, said):
    process = started(words.format(tmp_path), FAIRFIGHT_CACHE=str(tmp_path / "cache"))
    while process.poll() is None and not [*tmp_path.rglob("*.nbc")]:
        time.sleep(0.05)  # until a part is compiled
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    texts = err.splitlines()[-1]
    assert (process.returncode, out, [fault for fault in FAULTS if fault in err]) == (130, "", []), err
    assert re.fullmatch(f"interrupted; {said.format(tmp_path)}", texts), texts
    time.sleep(1)
    alone = [path for path in Path("/proc").glob("[0-9]*/environ") if str(tmp_path).encode() in content(path)]
    assert alone == []


def content(path: Path) -> bytes:
    """Bytes of a file of a process; empty if the process has ended."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_a_finished_report_is_not_built_again_and_an_interrupted_one_reuses_its_games(tmp_path, coin_duel, monkeypatch):
    monkeypatch.setattr(kept, "FIRST_SECONDS", 0)
    monkeypatch.setattr(kept, "FLUSH_SECONDS", 0)
    policy, budget = PolicySpec.parse("random"), Budget.of(coin_duel).scaled(0.004)
    game = replace(coin_duel, questions=coin_duel.questions[:1])

    def report(watch=None) -> int:
        ours = Keeper(tmp_path / "kept" / "one")
        ours.open()
        try:
            with keeping_in(ours):
                write_reports([Study(game, game.load(None), policy, 1, budget, 1, watch)], tmp_path / "out", 0.004)
            return ours.recalled
        finally:
            ours.close()
            if ours._hold:
                ours._hold.release()

    def break_off(stage, done, total) -> None:
        if (tmp_path / "out" / "coin_duel" / "index.html").exists():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        report(break_off)
    first = tmp_path / "out" / "coin_duel" / "index.html"
    assert 'href="what-to-change' not in first.read_text(), "no link to a missing page"
    assert report() > 0, "games were kept"
    pages = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in (tmp_path / "out").rglob("*.html")}
    assert report() == 0, "nothing to play"
    for path, (text, changed) in pages.items():
        assert path.read_bytes() == text
        assert path.stat().st_mtime_ns == changed or path == tmp_path / "out" / "index.html"


@pytest.mark.soak
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_stopped_at_many_moments_gives_the_same_result(name, loading):
    moments = random.Random(name)
    words = command(name, 9100)
    for _ in range(6):
        number, after = moments.choice(list(CODES)), moments.uniform(0.02, loading + 4)
        code, _, texts = interrupted(words, after, number)
        assert code in (0, CODES[number])
        assert texts.startswith("interrupted; ") or not code
    assert ended(words) == ended(words.replace("--json", "--jobs 1 --json"))
