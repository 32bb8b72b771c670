"""Serves the page of the workbench on this machine only. A browser needs the token in its address.

Every request for a page or a websocket needs the token; the files of Panel itself, which are public, do not.
Session ids are signed, so a websocket joins only a session that a page with the token has opened.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import socket
import webbrowser
from collections.abc import Callable
from functools import partial
from typing import Any

import panel as pn
from bokeh.server.auth_provider import AuthProvider
from tornado.ioloop import PeriodicCallback
from tornado.web import HTTPError, RequestHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from analysis.workbench import drawing
from analysis.workbench.page import Page
from sim.experiments.experiment import Experiment
from sim.stopping import asked

ADDRESS = "127.0.0.1"
PORT_MOST = 65535
POLL_MS = 100  # between looks for Ctrl-C
LIFETIME_MS = 30_000  # of a page whose browser is gone: it can come back within this time
REFUSAL = "This workbench opens with the whole address that `fairfight workbench` printed, with its token.\n"


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
            handler.set_status(403)
            handler.set_header("Content-Type", "text/plain; charset=utf-8")
            await handler.finish(REFUSAL)
            return None

        return check

    @property
    def login_url(self) -> str:
        """Never used, because `get_user_async` answers; Bokeh asks for one."""
        return "/"


class Workbench:
    """A server for pages of one experiment. port: 0 takes any free one. Raises ValueError for a port that cannot be used."""

    def __init__(self, base: Experiment, port: int = 0, jobs: int | None = None) -> None:
        self.port = usable(port)
        self.token = secrets.token_urlsafe(24)
        self._base, self._jobs = base, jobs
        self.pages: list[Page] = []
        quiet()
        pn.extension("tabulator", raw_css=[drawing.style()], reconnect=True)
        self._server = pn.serve(
            {"/": self._page},
            port=self.port,
            address=ADDRESS,
            websocket_origin=[f"{host}:{self.port}" for host in (ADDRESS, "localhost")],
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
        """The address with its token."""
        return f"http://{ADDRESS}:{self.port}/?token={self.token}"

    def run(self, browser: bool = True, started: Callable[[], None] | None = None) -> None:
        """Serve until `sim.stopping.asked` is set. browser: open the page; started: called once the server listens."""
        loop = self._server.io_loop
        poll = PeriodicCallback(lambda: loop.stop() if asked.is_set() else None, POLL_MS)
        self._server.start()
        poll.start()
        if started:
            started()
        if browser:
            loop.call_later(0.1, partial(webbrowser.open, self.url))
        try:
            loop.start()
        finally:
            poll.stop()
            self.close()

    def close(self) -> None:
        """Stop the games of all pages, and the server."""
        for page in self.pages:
            page.bench.close()
        with contextlib.suppress(AssertionError):  # stopped already
            self._server.stop(wait=False)

    def _page(self) -> Page:
        """A page for a browser window that opens."""
        page = Page(self._base, self._jobs)
        self.pages.append(page)
        pn.state.on_session_destroyed(lambda _: self._forget(page))
        return page

    def _forget(self, page: Page) -> None:
        page.bench.close()
        with contextlib.suppress(ValueError):
            self.pages.remove(page)


def usable(port: int) -> int:
    """A port on which nothing listens yet; for 0 any. Raises ValueError."""
    if not 0 <= port <= PORT_MOST:
        raise ValueError(f"port={port} must be 0..{PORT_MOST}; 0 takes any free port")
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((ADDRESS, port))
        except OSError as error:
            raise ValueError(
                f"port={port} cannot be used ({error.strerror or error}); name another, or 0 for any free port"
            ) from None
        return int(trial.getsockname()[1])


def quiet() -> None:
    """Keep the notes of the web server out of the terminal; errors stay."""
    for name in ("bokeh", "tornado.access", "tornado.application", "tornado.general", "panel"):
        logging.getLogger(name).setLevel(logging.ERROR)
    logging.getLogger("asyncio").addFilter(_is_no_goodbye)


def _is_no_goodbye(record: logging.LogRecord) -> bool:
    """Whether a record is anything but a message to a browser that has just closed the page."""
    return not (record.exc_info and isinstance(record.exc_info[1], WebSocketClosedError))
