"""The workbench as a server: nobody gets data without the token, and Ctrl-C ends it cleanly."""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest

pytest.importorskip("panel", reason="the extra workbench is not installed")
from typer.testing import CliRunner

from analysis.cli.main import app
from analysis.workbench import server
from analysis.workbench.server import usable
from tests.conftest import ROOT

CODE = """
import sys
from sim.registry import register
from tests.every_game.dice_duel import GAME
register(GAME)
from analysis.cli.start import main
sys.argv = ["fairfight", "workbench", "dice_duel", "--policy", "random", "--no-browser", "--jobs", "1", *sys.argv[1:]]
main()
"""
SECONDS = 240
UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
UNSERVED = (  # nothing is imported for them, and no traceback is printed
    "/components/../x",
    "/components/////",
    "/components/this/module/css/prints",
    "/static/js/%00",
    "/static/../server.py",
    "/?token=%ff",
)


@contextmanager
def command(*options: str) -> Iterator[tuple[subprocess.Popen, int, str]]:
    """The command in a process of its own, with its port and its token."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "NUMBA_DISABLE_JIT": "1"}  # starts sooner
    process = subprocess.Popen(
        [sys.executable, "-c", CODE, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=ROOT,
    )
    limit = threading.Timer(SECONDS, process.kill)
    limit.start()
    try:
        address = None
        for line in process.stdout:
            if address := re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)", line):
                break
        assert address, process.stderr.read()
        yield process, int(address[1]), address[2]
    finally:
        process.kill()
        process.wait()
        limit.cancel()
        process.stdout.close()
        process.stderr.close()


def answer(port: int, path: str, **headers: str) -> tuple[int, str]:
    """Status and body of a request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    body = "" if response.status == 101 else response.read().decode(errors="replace")
    connection.close()
    return response.status, body


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="the system does not list its ports here")
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Ctrl-C comes another way here")
@pytest.mark.slow
def test_only_this_machine_with_the_token_opens_it_and_ctrl_c_ends_it_cleanly():
    with command() as (process, port, token):
        assert addresses_of(port) == [f"0100007F:{port:04X}"]  # 127.0.0.1
        wrong = token[:-1] + ("A" if token[-1] != "A" else "B")
        for path in ("/", "/metadata", "/autoload.js?bokeh-autoload-element=1", "/ws"):
            joined = "&" if "?" in path else "?"
            headers = UPGRADE | {"Origin": f"http://127.0.0.1:{port}"} if path == "/ws" else {}
            for given in ("", f"{joined}token=", f"{joined}token={wrong}", f"{joined}token={token}&token={wrong}"):
                status, body = answer(port, path + given, **headers)
                assert status == 403, (path, given)
                assert "knight" not in body.lower()
        for path in UNSERVED:
            assert answer(port, path)[0] != 200, path
        status, body = answer(port, f"/?token={token}")
        assert status == 200
        assert "Dice duel" in body
        elsewhere = UPGRADE | {"Origin": "http://elsewhere.invalid"}
        assert answer(port, f"/ws?token={token}", **elsewhere)[0] == 403
        process.send_signal(signal.SIGINT)
        output, said = process.communicate(timeout=SECONDS)
        assert process.returncode == 0, said
        assert "The Zen of Python" not in output
        assert said.strip().endswith("the workbench has ended")
        assert "Traceback" not in said
        assert all(len(line) < 250 for line in said.splitlines())


@pytest.mark.slow
def test_e14_from_outside_a_container_the_page_opens_at_any_address_with_the_token_only():
    """The port can be published under another number, so that the origin of the page is none that the server knows."""
    with command("--host", "0.0.0.0") as (_, port, token):
        assert answer(port, "/", Host="container.example:9000")[0] == 403
        assert answer(port, f"/?token={token}", Host="container.example:9000")[0] == 200
        elsewhere = UPGRADE | {"Origin": "http://container.example:9000"}
        assert answer(port, "/ws", **elsewhere)[0] == 403
        assert answer(port, f"/ws?token={token}", **elsewhere)[0] == 101


def addresses_of(port: int) -> list[str]:
    """The addresses on which this machine listens at a port, in the notation of the system."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    listening = [line[1] for line in lines if line[3] == "0A"]
    return [address for address in listening if int(address.split(":")[1], 16) == port]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["arena", "--port", "70000"], "--port 70000 must be 0..65535; 0 takes any free port"),
        (["arena", "--host", "256.0.0.1"], "--host 256.0.0.1 is no address of this machine"),
        (["arena", "--host", "192.0.2.1"], "--host 192.0.2.1 is no address of this machine"),
        (["arena", "--host", ""], "host is empty; 127.0.0.1 is for this machine only"),
        (["arena", "--seats", "7"], "--seats 7: Arena is played by 2, 3 or 4 seats"),
        (["arena", "--jobs", "0"], "--jobs 0 must be at least 1"),
        (["chess"], "'chess' is neither a game nor a run folder"),
    ],
)
def test_bad_input_is_one_message_and_exit_code_2(words, message):
    result = CliRunner().invoke(app, ["workbench", *words])
    assert result.exit_code == 2
    assert message in result.output


def test_without_panel_one_line_says_how_to_install_it(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("analysis.workbench")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "panel", None)
    result = CliRunner().invoke(app, ["workbench", "arena"])
    assert result.exit_code == 2
    assert "workbench: needs Panel; in fairfight's folder, install it with: pip install '.[workbench]'" in result.output


@pytest.mark.parametrize(("host", "warned"), [("0.0.0.0", True), ("::", True), ("127.0.0.1", False), ("localhost", False)])
def test_e14_a_host_that_others_reach_is_a_warning(host, warned, monkeypatch):
    opened = Mock()
    monkeypatch.setattr(server, "Workbench", opened)
    monkeypatch.setattr("analysis.cli.workbench.prepare", lambda *_: None)
    result = CliRunner().invoke(app, ["workbench", "arena", "--host", host, "--no-browser"])
    assert result.exit_code == 0, result.output
    assert host in opened.call_args.args
    assert ("warning: other machines can reach this page" in result.output) == warned


def test_e14_a_browser_on_this_machine_opens_the_address_of_every_host():
    assert server.shown_host("0.0.0.0") == server.shown_host("::") == "127.0.0.1"
    assert server.shown_host("::1") == "[::1]"
    assert server.shown_host("localhost") == "localhost"


def test_a_port_in_use_is_refused():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ValueError, match=rf"port={port} cannot be used"):
            usable(port)
    assert usable(0) > 0
