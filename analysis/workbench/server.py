"""Serves the page of the workbench, on this machine only unless another host is named. A browser needs the token in its address.

Every request for a page or a websocket needs the token; the files of Panel itself, which are public, do not. Everything else is
refused. Session ids are signed, so a websocket joins only a session that a page with the token has opened.

The address of a page gets a key of its own once it is open, so that a page that is loaded again finds what its user has made.
"""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import logging
import secrets
import socket
import webbrowser
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pandas as pd
import panel as pn
from bokeh.server.auth_provider import AuthProvider
from tornado.ioloop import PeriodicCallback
from tornado.web import HTTPError, RequestHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from analysis.workbench import drawing
from analysis.workbench.bench import Work
from analysis.workbench.page import Page
from sim.engine.cardfiles.paths import shown
from sim.experiments.experiment import Experiment
from sim.stopping import asked, heeding

HOST = "127.0.0.1"
PORT_MOST = 65535
POLL_MS = 100  # between looks for Ctrl-C
LIFETIME_MS = 30_000  # of a page whose browser is gone: it can come back within this time
REFUSAL = "This workbench opens with the whole address that `fairfight workbench` printed, with its token.\n"
NOTE_MOST = 200  # characters of a note of the web server in the terminal
TEMPLATE = """
{% extends base %}
{% block preamble %}
  {{ super() }}
  <meta name="viewport" content="width=device-width, initial-scale=1">
{% endblock %}
"""


class Refusal(RequestHandler):
    """The answer to every request that is not for the page or for a public file."""

    def prepare(self) -> Awaitable[None]:
        """Refuse the request, whatever its method."""
        return refuse(self)


def refuse(handler: RequestHandler) -> Awaitable[None]:
    """Answer a request that lacks the token."""
    handler.set_status(403)
    handler.set_header("Content-Type", "text/plain; charset=utf-8")
    return handler.finish(REFUSAL)


class TokenAuth(AuthProvider):
    """Refuses every request whose address lacks the token."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()
        super().__init__()

    @property
    def get_user_async(self) -> Any:
        """Check a request; a refused one is answered here."""

        async def check(handler: RequestHandler) -> str | None:
            given = handler.get_query_arguments("token")
            if len(given) == 1 and secrets.compare_digest(given[0].encode(), self._token):
                return "user"
            if isinstance(handler, WebSocketHandler):  # Panel would end its answer a second time
                raise HTTPError(403)
            await refuse(handler)
            return None

        return check

    @property
    def login_url(self) -> str:
        """Never used, because `get_user_async` answers; Bokeh asks for one."""
        return "/"


class Workbench:
    """A server for pages of one experiment.

    port: 0 takes any free one; host: name or address to listen on; table: win rates in games that people played, of a `Bench`.
    Raises ValueError for a host or port that cannot be used.
    """

    def __init__(
        self, base: Experiment, port: int = 0, jobs: int | None = None, host: str = HOST, table: pd.DataFrame | None = None
    ) -> None:
        self.host, self.port = host, usable(port, host)
        self.token = secrets.token_urlsafe(24)
        self._base, self._jobs, self._table = base, jobs, table
        self.pages: dict[Page, str] = {}  # open pages, and the keys of their addresses, "" until they are shown
        self._left: dict[str, Work] = {}  # work of closed pages, by the keys of their addresses
        quiet()
        pn.extension("tabulator", raw_css=[drawing.style()], reconnect=True)
        self._server = pn.serve(
            {"/": self._page},
            port=self.port,
            address=host,
            websocket_origin=[f"{name}:{self.port}" for name in (HOST, "localhost")] if is_loopback(host) else "*",
            extra_patterns=[(r"/(?!static/).+", Refusal)],  # Panel would import any module that /components/ names
            title={"/": f"{base.game.title} · fairfight workbench"},
            show=False,
            start=False,
            verbose=False,
            auth_provider=TokenAuth(self.token),
            sign_sessions=True,
            secret_key=secrets.token_hex(32),
            unused_session_lifetime_milliseconds=LIFETIME_MS,
            check_unused_sessions_milliseconds=LIFETIME_MS // 6,
        )

    @property
    def url(self) -> str:
        """The address with its token, as a browser on this machine opens it."""
        return f"http://{shown_host(self.host)}:{self.port}/?token={self.token}"

    def run(self, browser: bool = True, started: Callable[[], None] | None = None) -> None:
        """Serve until a signal, then raise KeyboardInterrupt. browser: open the page; started: called once the server listens."""
        loop = self._server.io_loop
        poll = PeriodicCallback(lambda: loop.stop() if asked.is_set() else None, POLL_MS)
        self._server.start()
        poll.start()
        if started:
            started()
        if browser:
            loop.call_later(0.1, partial(webbrowser.open, self.url))
        try:
            with heeding():
                loop.start()
        finally:
            poll.stop()
            self.close()

    def close(self) -> None:
        """Stop the games of all pages, and the server."""
        for page in list(self.pages):
            page.bench.close()
        with contextlib.suppress(AssertionError):  # stopped already
            self._server.stop(wait=False)

    def _page(self) -> pn.Template:
        """A page for a browser window that opens, or that is loaded again and goes on with its work."""
        key = pn.state.session_args.get("page", [b""])[-1].decode(errors="replace")
        work = self._work(key)
        page = Page(self._base, self._jobs, work, self._table)
        self.pages[page] = ""
        pn.state.onload(partial(self._name, page, key if work else "", pn.state.location))
        pn.state.on_session_destroyed(lambda _: self._forget(page))
        template = pn.Template(TEMPLATE, location=True)
        template.add_panel("page", page)
        return template

    def _work(self, key: str) -> Work | None:
        """Work on the page of a key, which can be open or closed; None for an unknown key."""
        pages = [page for page, other in self.pages.items() if key and other == key]
        return pages[-1].bench.work if pages else self._left.get(key)

    def _name(self, page: Page, key: str, location: Any) -> None:
        """Put the key of a page into its address, once the browser shows it and has left the page that was there before.

        key: of the page whose work this one goes on with. If that one is still open, in another tab, this one is a copy.
        """
        is_copy = any(other.is_open for other, its_key in self.pages.items() if its_key == key)
        self.pages[page] = secrets.token_urlsafe(9) if is_copy or not key else key
        address = f"?token={self.token}&page={self.pages[page]}"
        if location.search != address:
            location.search = address

    def _forget(self, page: Page) -> None:
        page.bench.close()
        key = self.pages.pop(page, "")
        if key and key not in self.pages.values():
            self._left[key] = page.bench.work


def usable(port: int, host: str = HOST) -> int:
    """A port of a host on which nothing listens yet; for 0 any. Raises ValueError."""
    if not 0 <= port <= PORT_MOST:
        raise ValueError(f"port={port} must be 0..{PORT_MOST}; 0 takes any free port")
    family, place = _addresses(host, port)[0]
    with socket.socket(family, socket.SOCK_STREAM) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind(place)
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                raise ValueError(_wrong_host(host, error)) from None
            raise ValueError(
                f"port={port} cannot be used ({error.strerror or error}); name another, or 0 for any free port"
            ) from None
        return int(trial.getsockname()[1])


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a host. Raises ValueError for an unknown one."""
    return all(ipaddress.ip_address(place[0]).is_loopback for _, place in _addresses(host))


def shown_host(host: str) -> str:
    """A host as a browser on this machine writes it."""
    with contextlib.suppress(ValueError):
        address = ipaddress.ip_address(host)
        if address.is_unspecified:  # all addresses of this machine
            return HOST
        if address.version == 6:
            return f"[{host}]"
    return host


def _addresses(host: str, port: int = 0) -> list[tuple[socket.AddressFamily, Any]]:
    """Family and socket address of each address of a host. Raises ValueError."""
    if not host:  # would be all addresses
        raise ValueError("host is empty; 127.0.0.1 is for this machine only, 0.0.0.0 for all")
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise ValueError(_wrong_host(host, error)) from None
    return [(family, place) for family, _, _, _, place in entries]


def _wrong_host(host: str, error: Exception) -> str:
    reason = getattr(error, "strerror", None) or error
    return f"host={shown(host)} is no address of this machine ({reason}); 127.0.0.1 is for this machine only, 0.0.0.0 for all"


class OneLine(logging.Formatter):
    """A record of the web server as one printable line: nobody who sends requests can fill the terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """The first line of the message, and the error if there is one."""
        text = record.getMessage().partition("\n")[0]
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            text += f" ({type(error).__name__}: {error})"
        return "workbench: " + "".join(letter if letter.isprintable() else "?" for letter in text)[:NOTE_MOST]


def quiet() -> None:
    """Keep the notes of the web server out of the terminal; of an error, one line stays."""
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine())
    for name in ("asyncio", "bokeh", "panel", "tornado"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.ERROR)
    logging.getLogger("tornado.access").setLevel(logging.CRITICAL)  # each failed request has a record of its own already
    logging.getLogger("asyncio").addFilter(_is_no_goodbye)


def _is_no_goodbye(record: logging.LogRecord) -> bool:
    """Whether a record is anything but a message to a browser that has just closed the page."""
    return not (record.exc_info and isinstance(record.exc_info[1], WebSocketClosedError))
